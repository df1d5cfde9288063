"""Finds what this machine has, and installs missing packages."""
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
    """Exit status and stdout of a short program; 127 and "" if it cannot be run."""
    try:
        done = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env=environment(tools=True), timeout=60)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return 127, ""
    return done.returncode, done.stdout.decode("utf-8", "replace")


def compiler() -> List[str]:
    """The C++ compiler's command line: CXX may be "ccache g++"."""
    try:
        return shlex.split(os.environ.get("CXX", "")) or ["c++"]
    except ValueError:
        die(USAGE, "the environment variable CXX has an unclosed quote: %s" % shown(os.environ["CXX"]))


def find_nvcc() -> str:
    """The path of nvcc: from CUDACXX, PATH, CUDA_PATH, CUDA_HOME or the usual folder; "" if there is none."""
    wanted = os.environ.get("CUDACXX", "")
    if wanted:
        path = shutil.which(wanted)
        if not path:
            die(USAGE, "the environment variable CUDACXX names '%s', which is not a program" % shown(wanted))
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


def gpu_field(name: str, form: str = "csv,noheader,nounits") -> str:
    """A field of nvidia-smi for the first GPU."""
    return output_of(["nvidia-smi", "--query-gpu=" + name, "--format=" + form])[1].split("\n")[0].strip()


@functools.lru_cache(maxsize=None)
def nvcc_release() -> str:
    """The version of nvcc, as in 13.0; "" if there is none."""
    path = find_nvcc()
    found = re.search(r"release ([0-9.]+)", output_of([path, "--version"])[1]) if path else None
    return found[1].rstrip(".") if found else ""


def need_architecture(names: Iterable[str], cpu: bool = False) -> None:
    """Ends the command if one of the lessons cannot run: on the CPU backend (cpu), else on the first GPU."""
    for name in names:
        arch = needs(name)
        if cpu and not_on_cpu(name):
            die(MACHINE, "%s needs %s, which the CPU backend cannot emulate" % (name, not_on_cpu(name)))
        if cpu or not arch:
            continue
        wanted = "%s needs sm_%s" % (name, arch)
        if not has_gpu() or not find_nvcc():
            die(MACHINE, "%s: a GPU of compute capability %s.%s, and nvcc" % (wanted, arch[:-2], arch[-2]))
        has = gpu_field("compute_cap")
        if has.replace(".", "") != arch[:-1]:
            die(MACHINE, "%s: a GPU of compute capability %s.%s, not %s" %
                (wanted, arch[:-2], arch[-2], shown(has) or "an unknown one"))


def has_header(name: str) -> bool:
    """Whether the C++ compiler finds <name>."""
    text = "#if !__has_include(<%s>)\n#error\n#endif\n" % name
    return output_of([*compiler(), "-x", "c++", "-E", "-"], text)[0] == 0


def has_boost_context() -> bool:
    """Tests both header and library, since some systems have only one."""
    if not has_header("boost/context/detail/fcontext.hpp"):
        return False
    try:
        # Writes to a temporary file: a linker run by root may replace a device named as its output.
        with tempfile.TemporaryDirectory() as folder:
            return output_of([*compiler(), "-x", "c++", "-", "-o", os.path.join(folder, "a"),
                              "-lboost_context"], "int main() {}")[0] == 0 or no_room(TEMPORARY)
    except OSError:
        return True  # no place to try it; the build will find out


def cmake_version() -> Tuple[int, ...]:
    """The version as in (3, 25, 1); () if there is no cmake."""
    found = re.search(r"^cmake version ([0-9.]+)", output_of(["cmake", "--version"])[1], re.M)
    return tuple(int(part) for part in found.group(1).split(".") if part) if found else ()


def has_build_tool() -> bool:
    return bool(shutil.which("ninja") or shutil.which("make"))


def missing(kind: str) -> List[Tuple[str, str]]:
    """(Debian package, what it does) for each missing thing.

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
    """Installs the packages missing for "run", "gpu" or "test" (see missing()), or says what to install."""
    lacking = missing(kind)
    if lacking:
        install(lacking)


def can_install() -> bool:
    """Whether packages may be installed and there is apt-get."""
    return install_missing and bool(shutil.which("apt-get"))


def install(lacking: Sequence[Tuple[str, str]]) -> None:
    """Installs packages, given as (package, reason), with apt-get, after asking on a terminal; else lists them."""
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
        print("Install them now with %s? [Y/n] " % " ".join([*sudo, "apt-get"]), end="", file=sys.stderr, flush=True)
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
            die(MACHINE, "%s failed (full output: %s)\n%s" %
                (what, BUILD / "ladder.log", "\n".join(last_lines(done.out, 8))))


def backend() -> str:
    """"gpu" if kernels can be compiled for a GPU here and run on it, else "cpu", with a line that says so."""
    if not has_gpu():
        say("No NVIDIA GPU here: the lessons run on the CPU backend, with checks and without timings.")
    elif not find_nvcc():
        say("There is a GPU but no nvcc (CUDA toolkit): the lessons run on the CPU backend.")
    else:
        return "gpu"
    return "cpu"


def processors() -> int:
    """How many processors this command may use."""
    return max(len(os.sched_getaffinity(0)), 1)
