"""PyPI packages in build/venv, for ./ladder site and the browser tests. No other command needs them."""
import importlib.util
import os
import pathlib
import sys

from ladder.lib.lessons import ROOT
from ladder.lib.machine import install
from ladder.lib.output import MACHINE, die
from ladder.lib.work import BUILD, LOG, build_folder, check_disk, lock, quietly, replace_file

REQUIREMENTS = ROOT / "common" / "web" / "requirements.txt"
VENV = BUILD / "venv"
_DONE = VENV / "installed.txt"  # the requirements that are installed


def _folder() -> pathlib.Path:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return VENV / "lib" / version / "site-packages"


def found() -> bool:
    """Whether build/venv has the packages of requirements.txt for this Python. If so, makes them importable."""
    try:
        if _DONE.read_text(encoding="utf-8") != REQUIREMENTS.read_text(encoding="utf-8") or not _folder().is_dir():
            return False
    except OSError:
        return False
    if str(_folder()) not in sys.path:
        sys.path.append(str(_folder()))
    return True


def need_packages() -> None:
    """Installs the packages of requirements.txt if they are missing. Without a network it ends the command (code 3)."""
    if found():
        return
    if sys.version_info < (3, 10):
        die(MACHINE, f"this command's packages need Python 3.10 or newer, but this is Python {sys.version.split()[0]}")
    if not importlib.util.find_spec("ensurepip"):
        install([("python3-venv", "creates build/venv for PyPI packages")])
    lock()
    build_folder()
    name = os.path.relpath(REQUIREMENTS, ROOT)
    for what, command in (
            ("making build/venv", [sys.executable, "-m", "venv", "--clear", VENV]),
            (f"installing the Python packages of {name}",
             [VENV / "bin" / "python", "-m", "pip", "install", "--no-deps", "--only-binary", ":all:",
              "--disable-pip-version-check", "-r", REQUIREMENTS])):
        done = quietly(what, command)
        if done.status != 0:
            check_disk(done)
            die(MACHINE, f"{what} failed; is there a network? (full output: {os.path.relpath(LOG, ROOT)})")
    replace_file(_DONE, REQUIREMENTS.read_text(encoding="utf-8"))
    if not found():
        die(MACHINE, f"the packages were installed, but are not in {_folder()}")
