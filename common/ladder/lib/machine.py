"""What this machine has, and what is installed when it is missing."""
import functools
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from typing import Iterable, List, Sequence, Tuple

from ladder.lib.lessons import needs, not_on_cpu
from ladder.lib.output import MACHINE, USAGE, die, is_terminal, say, shown
from ladder.lib.work import BUILD, TEMPORARY, check_disk, environment, last_lines, lock, no_room, quietly

install_missing = True  # False with --no-install


def output_of(command: Sequence[str], text: str = "") -> Tuple[int, str]:
    """Exit status and stdout of a quick program; 127 and "" if it cannot be run."""
    try:
        done = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env=environment(tools=True), timeout=60)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return 127, ""
    return done.returncode, done.stdout.decode("utf-8", "replace")


def compiler() -> List[str]:
    """The C++ compiler with its words: CXX may be "ccache g++"."""
    try:
        return shlex.split(os.environ.get("CXX", "")) or ["c++"]
    except ValueError:
        die(USAGE, "the variable CXX has an unfinished quote: %s" % shown(os.environ["CXX"]))


def find_nvcc() -> str:
    """nvcc: the one that CUDACXX names, that of PATH or the usual folder's; "" if there is none."""
    wanted = os.environ.get("CUDACXX", "")
    if wanted:
        path = shutil.which(wanted)
        if not path:
            die(USAGE, "the variable CUDACXX names '%s', which is no program" % shown(wanted))
        return path
    for name in ("nvcc", *(os.path.join(os.environ.get(each, ""), "bin", "nvcc")
                           for each in ("CUDA_PATH", "CUDA_HOME") if os.environ.get(each)),
                 "/usr/local/cuda/bin/nvcc"):
        path = shutil.which(name)
        if path:
            return path
    return ""


@functools.lru_cache(maxsize=None)
def has_gpu() -> bool:
    return output_of(["nvidia-smi", "-L"])[1].startswith("GPU 0")


def need_architecture(names: Iterable[str], cpu: bool = False) -> None:
    """Ends the command if one of the lessons cannot be had: not on the CPU backend (cpu), else not with the first
    GPU here."""
    for name in names:
        arch = needs(name)
        if cpu and not_on_cpu(name):
            die(MACHINE, "%s needs %s, which the CPU backend cannot stand in for" % (name, not_on_cpu(name)))
        if cpu or not arch:
            continue
        wanted = "%s needs sm_%s" % (name, arch)
        if not has_gpu() or not find_nvcc():
            die(MACHINE, "%s: a GPU of compute capability %s.%s, and nvcc" % (wanted, arch[:-2], arch[-2]))
        has = output_of(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"])[1].split("\n")[0]
        if has.strip().replace(".", "") != arch[:-1]:
            die(MACHINE, "%s: a GPU of compute capability %s.%s, not %s" %
                (wanted, arch[:-2], arch[-2], shown(has.strip()) or "an unknown one"))


def has_header(name: str) -> bool:
    """The C++ compiler finds <name>."""
    text = "#if !__has_include(<%s>)\n#error\n#endif\n" % name
    return output_of([*compiler(), "-x", "c++", "-E", "-"], text)[0] == 0


def has_boost_context() -> bool:
    """Header and library: some systems have one without the other."""
    if not has_header("boost/context/detail/fcontext.hpp"):
        return False
    try:
        # A file of its own: a linker that root runs may replace a device that is named as its output.
        with tempfile.TemporaryDirectory() as folder:
            return output_of([*compiler(), "-x", "c++", "-", "-o", os.path.join(folder, "a"),
                              "-lboost_context"], "int main() {}")[0] == 0 or no_room(TEMPORARY)
    except OSError:
        return True  # there is no place to try it: the build will tell


def cmake_version() -> Tuple[int, ...]:
    """As in (3, 25, 1); () if there is no cmake."""
    found = re.search(r"^cmake version ([0-9.]+)", output_of(["cmake", "--version"])[1], re.M)
    return tuple(int(part) for part in found.group(1).split(".") if part) if found else ()


def has_build_tool() -> bool:
    return bool(shutil.which("ninja") or shutil.which("make"))


def missing(kind: str) -> List[Tuple[str, str]]:
    """(Debian package, what it does) for each thing that KIND needs and that is not there.

    kind: "run" (the CPU backend), "gpu" (run without the CPU backend) or "test" (run and Catch2).
    """
    found = []
    if cmake_version() < (3, 24):
        found.append(("cmake", "configures the build (3.24 or newer)"))
    if not shutil.which(compiler()[0]):
        found.append(("g++", "compiles the harness and the CPU backend"))
    if not has_build_tool():
        found.append(("ninja-build", "runs the build"))
    if kind != "gpu" and not has_boost_context():
        found.append(("libboost-context-dev",
                      "gives the CPU backend its fibers, one per CUDA thread"))
    if kind == "test" and not any(has_header(name)
                                  for name in ("catch2/catch.hpp", "catch2/catch_all.hpp")):
        found.append(("catch2", "is the test framework"))
    return found


def need(kind: str) -> None:
    """Installs what "run", "gpu" or "test" lacks (see missing()), or says what to install."""
    lacking = missing(kind)
    if lacking:
        install(lacking)


def can_install() -> bool:
    """Packages may be installed, and there is apt-get."""
    return install_missing and bool(shutil.which("apt-get"))


def install(lacking: Sequence[Tuple[str, str]]) -> None:
    """Installs (package, reason)s with apt-get, after asking on a terminal; else says which."""
    packages = " ".join(package for package, _ in lacking)
    say("Not found on this machine:")
    for package, reason in lacking:
        say("  %s: %s" % (package, reason))
    if not can_install():
        die(MACHINE, "please install (Debian names): %s" % packages)
    sudo: List[str] = []
    if os.geteuid() != 0:
        if not shutil.which("sudo"):
            die(MACHINE, "as root, please run: apt-get install %s" % packages)
        sudo = ["sudo"]
    if sys.stdin is not None and sys.stdin.isatty() and is_terminal(sys.stderr):
        words = " ".join([*sudo, "apt-get"])
        print("Install them now with %s? [Y/n] " % words, end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline()
        if not re.match(r"[Yy]|$", answer.strip()) or not answer:
            die(MACHINE, "please install: %s" % packages)
    if sudo:  # asks for the password here, where one can type it
        if subprocess.call(["sudo", "-v"]) != 0:
            die(MACHINE, "as root, please run: apt-get install %s" % packages)
    get = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    wanted = [*get, "install", "-y", "--no-install-recommends", *packages.split()]
    lock()
    # The package lists may be absent or old: fetch them and try once more.
    if quietly("installing %s" % packages, wanted).status == 0:
        return
    for what, command in (("fetching the package lists", [*get, "update"]),
                          ("installing %s" % packages, wanted)):
        done = quietly(what, command)
        if done.status != 0:
            check_disk(done)
            die(MACHINE, "%s failed (all of it: %s)\n%s" %
                (what, BUILD / "ladder.log", "\n".join(last_lines(done.out, 8))))


def backend() -> str:
    """"gpu" where kernels can be compiled for a GPU and run on it, else "cpu", said in one line."""
    if not has_gpu():
        say("No NVIDIA GPU here: the lessons run on the CPU backend, checked, without timings.")
    elif not find_nvcc():
        say("There is a GPU but no nvcc (CUDA toolkit): the lessons run on the CPU backend.")
    else:
        return "gpu"
    return "cpu"


def processors() -> int:
    """How many processors this command may use."""
    return max(len(os.sched_getaffinity(0)), 1)
