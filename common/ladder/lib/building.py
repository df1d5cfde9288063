"""build(): configures and builds targets of one backend, with progress and short error messages."""
import os
import pathlib
import re
import shutil
from typing import Dict

from ladder.lib.errors import short_failure
from ladder.lib.lessons import ROOT
from ladder.lib.machine import compiler, processors
from ladder.lib.output import MACHINE, WRONG, Progress, die, say, shown
from ladder.lib.work import BUILD, LOG, Done, build_folder, check_disk, lock, quietly

_STEP = re.compile(r"\[ *(\d+)/(\d+)\]")
_UNFIT = '"#;\\[]<>*?\n'  # characters that CMake or its projects do not accept in a path
_PERCENT = re.compile(r"\[ *(\d+)%\]")
# These messages mean that the build files are broken. They are then made again, once.
_STALE = re.compile(r"loading 'build.ninja'|ninja: error: .*build\.ninja|ninja: error: "
                    r".*(missing and no known rule|multiple rules)|No rule to make target|"
                    r"not a CMake build directory|CMakeCache|manifest .* still dirty", re.I)


def built(backend: str = "cpu") -> pathlib.Path:
    """The folder of a build. ctest sets LADDER_CPU_BUILD if the CPU build is elsewhere."""
    folder = os.environ.get("LADDER_CPU_BUILD", "") if backend == "cpu" else ""
    return pathlib.Path(folder or BUILD / backend)


def program(name: str, backend: str = "cpu") -> pathlib.Path:
    """The path of a program in the build. name: a lesson's name, explain.NAME or NAME.test."""
    return built(backend) / "bin" / name


def read_cache(folder: pathlib.Path) -> Dict[str, str]:
    """The variables of the CMakeCache.txt in folder by name; {} if it cannot be read."""
    try:
        text = (folder / "CMakeCache.txt").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return {}
    return dict(re.findall(r"^([A-Za-z_][\w-]*):[A-Z]+=(.*)$", text, re.M))


def unusable(folder: pathlib.Path) -> str:
    """Why CMake's files in folder can no longer be used; "" if they can, or if there are none."""
    if not os.path.lexists(folder / "CMakeCache.txt"):
        return ""
    cache = read_cache(folder)
    home = cache.get("CMAKE_HOME_DIRECTORY", "")
    if not home:
        return "its CMakeCache.txt is damaged"
    if os.path.realpath(home) != os.path.realpath(ROOT):
        return f"it belongs to the checkout in {home}"
    for name, what, variable, wanted in (("CMAKE_CXX_COMPILER", "compiler", "CXX", compiler()[0]),
                                         ("CMAKE_MAKE_PROGRAM", "build tool", "", ""),
                                         ("CMAKE_CUDA_COMPILER", "nvcc", "CUDACXX", os.environ.get("CUDACXX", ""))):
        used, asked = cache.get(name, ""), shutil.which(wanted) if os.environ.get(variable) else None
        if used and not shutil.which(used):
            return f"its {what} {used} no longer exists"
        if used and asked and os.path.realpath(str(shutil.which(used))) != os.path.realpath(asked):
            return f"it was configured for another {what}, {used}"
    return ""


def _is_on(value: str) -> bool:
    return value.upper() in ("ON", "1", "YES", "TRUE", "Y")


def _configured(folder: pathlib.Path, options: Dict[str, str]) -> bool:
    """Whether the build files exist and were made with these options. (They update themselves.)"""
    cache = read_cache(folder)
    if not cache or not any((folder / name).is_file() for name in ("build.ninja", "Makefile")):
        return False
    return all(_is_on(cache.get(name, "")) == _is_on(value) for name, value in options.items())


def _configure(backend: str, options: Dict[str, str], fresh: bool) -> Done:
    folder = BUILD / backend
    arguments = ["--fresh"] if fresh else []
    # With ' or & in the path, Ninja rebuilds everything each time.
    good = not set("'&") & set(str(ROOT)) or not shutil.which("make")
    if shutil.which("ninja") and good and "CMAKE_GENERATOR" not in os.environ:
        arguments += ["-G", "Ninja"] if fresh or not (folder / "CMakeCache.txt").is_file() else []
    if fresh:  # CMake's --fresh leaves some of these
        for name in ("CMakeCache.txt", "build.ninja", "Makefile"):
            (folder / name).unlink(missing_ok=True)
    return quietly(f"configuring the {backend} build",
                   ["cmake", "--preset", backend, *arguments,
                    *(f"-D{name}={value}" for name, value in options.items())])


def _show_step(progress: Progress, line: str) -> None:
    step, percent = _STEP.match(line), _PERCENT.match(line)
    if step:
        progress.count(int(step.group(1)), int(step.group(2)))
    else:
        progress.tick(f"[{percent.group(1)}%]" if percent else "")


def build(backend: str, *targets: str, tests: bool = False, reconfigure: bool = False) -> pathlib.Path:
    """Builds targets for "cpu" or "gpu" and returns the build's folder, build/BACKEND.

    tests: configure with the tests. reconfigure: run CMake even if it seems up to date. Takes the lock. A failure ends
    the command with code 1 and the compiler's first error, or with code 3 if the disk is full or the path is unusable.
    Replaces a moved or damaged build.
    """
    unfit = [letter for letter in _UNFIT if letter in str(ROOT)]
    if unfit:
        die(MACHINE, f"CMake cannot build in a folder with {' or '.join(map(repr, unfit))} in its path; move the "
            f"checkout, now in {shown(str(ROOT))}")
    folder = build_folder(backend)
    lock()
    wanted = {"LADDER_TESTS": "on"} if tests else {}  # a build with the tests serves those who need none
    reason = unusable(folder)
    while True:
        if reason:
            say(f"build/{backend} can no longer be used: {reason}; rebuilding it")
        known = not reason and (folder / "CMakeCache.txt").is_file()
        what, stale = f"configuring the {backend} build", known
        done = Done(0, "", "")
        if reason or reconfigure or not _configured(folder, wanted):
            done = _configure(backend, wanted if known or tests else {"LADDER_TESTS": "off"}, fresh=bool(reason))
        if done.status == 0:
            what = f"building for the {backend}"
            done = quietly(what, ["cmake", "--build", f"build/{backend}", "-j", processors(), "--target", *targets],
                           _show_step)
            stale = bool(_STALE.search(done.out))
        if done.status == 0:
            return folder
        check_disk(done)
        if reason or not stale:
            text = f"{what} failed (full output: {os.path.relpath(LOG, ROOT)})"
            die(WRONG, "\n".join([text, *short_failure(done.out)]))
        reason = "it no longer fits this checkout"
