"""build(): configures and builds targets of one backend, with progress; failures are short."""
import os
import pathlib
import re
import shutil
from typing import Dict, List, Sequence

from ladder.lib.errors import short_failure
from ladder.lib.lessons import ROOT
from ladder.lib.machine import compiler, find_nvcc, processors
from ladder.lib.output import MACHINE, WRONG, Progress, die, say, shown
from ladder.lib.work import BUILD, LOG, Done, build_folder, check_disk, lock, quietly

_STEP = re.compile(r"\[ *(\d+)/(\d+)\]")
_UNFIT = '"#;\\[]<>*?\n'  # what CMake or its projects cannot have in a path
_PERCENT = re.compile(r"\[ *(\d+)%\]")
# The build files themselves are of no use, so that they are made anew: once.
_STALE = re.compile(r"loading 'build.ninja'|ninja: error: .*build\.ninja|ninja: error: "
                    r".*(missing and no known rule|multiple rules)|No rule to make target|"
                    r"not a CMake build directory|CMakeCache|manifest .* still dirty", re.I)


def built(backend: str = "cpu") -> pathlib.Path:
    """The folder of a build. ctest says where that of the CPU backend is, if it is not the usual one."""
    folder = os.environ.get("LADDER_CPU_BUILD", "") if backend == "cpu" else ""
    return pathlib.Path(folder or BUILD / backend)


def program(name: str, backend: str = "cpu") -> pathlib.Path:
    """Where the build puts a program: a lesson's name, explain.NAME, NAME.test."""
    return built(backend) / "bin" / name


def read_cache(folder: pathlib.Path) -> Dict[str, str]:
    """NAME -> value of the CMakeCache.txt in folder; {} if there is none that can be read."""
    try:
        text = (folder / "CMakeCache.txt").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return {}
    return dict(re.findall(r"^([A-Za-z_][\w-]*):[A-Z]+=(.*)$", text, re.M))


def _differ(one: str, other: str) -> bool:
    return os.path.realpath(one) != os.path.realpath(other)


def unusable(folder: pathlib.Path) -> str:
    """Why what CMake left in folder cannot be used any more; "" if it can, or is not there."""
    if not os.path.lexists(folder / "CMakeCache.txt"):
        return ""
    cache = read_cache(folder)
    home = cache.get("CMAKE_HOME_DIRECTORY", "")
    if not home:
        return "its CMakeCache.txt is damaged"
    if os.path.realpath(home) != os.path.realpath(ROOT):
        return "it belongs to another place, %s" % home
    used = cache.get("CMAKE_CXX_COMPILER", "")
    if used and not shutil.which(used):
        return "its compiler %s is gone" % used
    wanted = shutil.which(compiler()[0])
    if os.environ.get("CXX") and used and wanted and _differ(shutil.which(used) or used, wanted):
        return "it was made for another compiler, %s" % used
    tool = cache.get("CMAKE_MAKE_PROGRAM", "")
    if tool and not shutil.which(tool):
        return "its build tool %s is gone" % tool
    cuda = cache.get("CMAKE_CUDA_COMPILER", "")
    if os.environ.get("CUDACXX") and cuda and _differ(cuda, find_nvcc()):
        return "it was made for another nvcc, %s" % cuda
    return ""


def _is_on(value: str) -> bool:
    return value.upper() in ("ON", "1", "YES", "TRUE", "Y")


def _configured(folder: pathlib.Path, options: Dict[str, str]) -> bool:
    """The build files are there and made with these options. (They renew themselves.)"""
    cache = read_cache(folder)
    if not cache or not any((folder / name).is_file() for name in ("build.ninja", "Makefile")):
        return False
    return all(_is_on(cache.get(name, "")) == _is_on(value) for name, value in options.items())


def configure(backend: str, options: Dict[str, str], fresh: bool) -> Done:
    folder = BUILD / backend
    words: List[str] = ["--fresh"] if fresh else []
    # Ninja builds everything again each time where these stand in the path.
    good = not set("'&") & set(str(ROOT)) or not shutil.which("make")
    if shutil.which("ninja") and good and "CMAKE_GENERATOR" not in os.environ:
        if fresh or not (folder / "CMakeCache.txt").is_file():
            words += ["-G", "Ninja"]
    words += ["-D%s=%s" % option for option in options.items()]
    if fresh:  # what CMake itself would leave behind
        for name in ("CMakeCache.txt", "build.ninja", "Makefile"):
            if (folder / name).is_file() or (folder / name).is_symlink():
                (folder / name).unlink()
    return quietly("configuring the %s build" % backend, ["cmake", "--preset", backend, *words])


def _show_step(progress: Progress, line: str) -> None:
    step, percent = _STEP.match(line), _PERCENT.match(line)
    if step:
        progress.count(int(step.group(1)), int(step.group(2)))
    elif percent:
        progress.tick("[%s%%]" % percent.group(1))
    else:
        progress.tick()


def build(backend: str, *targets: str, tests: bool = False, options: Sequence[str] = (),
          reconfigure: bool = False) -> pathlib.Path:
    """Builds targets for "cpu" or "gpu" and returns the build's folder, build/BACKEND.

    tests: with the tests. options: "NAME=on" or "NAME=off" for CMake. reconfigure: look again at
    what CMake looks at. Takes the lock. A failure ends the command with code 1 and the compiler's
    first words (3 where the disk is full or the path unfit). What CMake left of a moved or damaged build is replaced.
    """
    unfit = [letter for letter in _UNFIT if letter in str(ROOT)]
    if unfit:
        die(MACHINE, "CMake cannot build in a folder with %s in its path: please move the checkout, "
            "now %s" % (" or ".join(map(repr, unfit)), shown(str(ROOT))))
    folder = build_folder(backend)
    lock()
    wanted = dict(option.split("=", 1) for option in options)
    fresh_options = {"LADDER_TESTS": "on" if tests else "off", **wanted}
    if tests:
        wanted["LADDER_TESTS"] = "on"
    reason = unusable(folder)
    if reason:
        say("build/%s cannot be used any more: %s; building it anew" % (backend, reason))
    known = (folder / "CMakeCache.txt").is_file()
    if reason or reconfigure or not _configured(folder, wanted):
        fresh = bool(reason) or not known
        done = configure(backend, fresh_options if fresh else wanted, fresh=bool(reason))
        if done.status != 0 and known and not reason:
            check_disk(done)
            done = configure(backend, fresh_options, fresh=True)
        if done.status != 0:
            _fail("configuring the %s build" % backend, done)
    command = ["cmake", "--build", "build/" + backend, "-j", processors(), "--target", *targets]
    done = quietly("building for the " + backend, command, _show_step)
    if done.status != 0 and _STALE.search(done.out):
        check_disk(done)
        say("build/%s does not fit this checkout any more; building it anew" % backend)
        done = configure(backend, fresh_options, fresh=True)
        if done.status != 0:
            _fail("configuring the %s build" % backend, done)
        done = quietly("building for the " + backend, command, _show_step)
    if done.status != 0:
        _fail("building for the " + backend, done)
    return folder


def _fail(what: str, done: Done) -> None:
    check_disk(done)
    text = "%s failed (all of it: %s)" % (what, os.path.relpath(LOG, ROOT))
    die(WRONG, "\n".join([text, *short_failure(done.out)]))
