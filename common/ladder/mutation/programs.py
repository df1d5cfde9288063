"""Turns an edited source into a test program, and runs it.

It compiles only the edited kernel, with -O1 and without debug information, and links it to the build's objects of the
tests: with simtcc for the CPU backend, with CMake's commands for "gpu". ./ladder tune uses the latter with the lesson's
own options.
"""
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import threading
from typing import Iterator, List, NamedTuple, Sequence, Set, Tuple

from ladder import MACHINE, built, die, program
from ladder.lessons import find
from ladder.lib.making import TEST, compiling, knobs_file, linking

ENDLESS, CLOSED, UNLINKED = 124, 125, 256  # the last is no exit status
_DROPPED = re.compile(r"-g.*|-O.|-W.*|-finline-functions|.*ccache")
_START = 'ulimit -S -t "$0" && ulimit -c 0 && exec "$@"'


class Runner:
    """Runs programs with a limit. After close(), no program is running, and none can start."""

    def __init__(self) -> None:
        self.running: Set["subprocess.Popen[bytes]"] = set()
        self.guard = threading.Lock()
        self.closed = False
        self.environment = dict(os.environ, SIMT_THREADS="1", LADDER_SHRINK="0")  # the jobs are the threads

    def run(self, command: Sequence[object], folder: pathlib.Path, seconds: float) -> int:
        """The exit status, negative for a signal. ENDLESS if the program exceeds this many seconds of CPU time (rounded
        up), which does not depend on other programs, or 20 times as many seconds of time. Output goes to folder/out."""
        limit = int(seconds) + 1
        with open(folder / "out", "wb") as out:
            with self.guard:
                if self.closed:
                    return CLOSED
                process = subprocess.Popen(
                    ["sh", "-c", _START, str(limit), *map(str, command)], cwd=str(folder), stdout=out,
                    stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT, env=self.environment,
                    start_new_session=True)
                self.running.add(process)
            try:
                status = process.wait(timeout=20 * limit)
                return ENDLESS if status in (-signal.SIGXCPU, 128 + signal.SIGXCPU) else status
            except BaseException as error:
                _kill(process)
                process.wait()
                if isinstance(error, subprocess.TimeoutExpired):
                    return ENDLESS
                raise
            finally:
                with self.guard:
                    self.running.discard(process)

    def close(self) -> None:
        with self.guard:
            self.closed = True
            for process in self.running:
                _kill(process)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


class Recipe(NamedTuple):
    """How a lesson is built: the commands without the files that differ, and the lesson's own object."""
    lesson: str
    backend: str
    compile: List[str]
    link: List[str]
    original: bytes


@contextlib.contextmanager
def pool_of(jobs: int) -> Iterator[Tuple[Runner, concurrent.futures.Executor]]:
    """A runner, and threads for tasks that use it. After the block no task waits and no program runs.

    Only the pool's threads start programs. Signals arrive in the main thread, so they never come between starting a
    program and registering it to be stopped."""
    runner, pool = Runner(), concurrent.futures.ThreadPoolExecutor(jobs)
    try:
        yield runner, pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        runner.close()
        pool.shutdown()


def _compile_command(lesson: str, backend: str) -> List[str]:
    """The command that compiles the lesson's kernel with cheap options, without the files."""
    if backend == "cpu":
        return [*compiling(lesson), "-O1", "-w", "-g0", "-fno-inline-functions"]
    return [*(word for word in cmakes_compile(lesson, backend)[:-1] if not _DROPPED.fullmatch(word)), "-O1", "-w", "-c"]


def cmakes_compile(lesson: str, backend: str) -> List[str]:
    """CMake's command that compiles the lesson's kernel, without the files."""
    for entry in json.loads((built(backend) / "compile_commands.json").read_text(encoding="utf-8")):
        if f" CMakeFiles/{lesson}.kernel.dir/" in entry["command"]:
            command = shlex.split(entry["command"])
            files = min(command.index("-o"), command.index("-c"))
            return [*(word for word in command[:files] if not word.endswith("ccache")), "-c"]
    die(MACHINE, f"{built(backend)} has no command that compiles {lesson}")


def _link_command(lesson: str, backend: str, folder: pathlib.Path) -> List[str]:
    """The command that links the gemm.o of a folder to the lesson's tests, without debug information."""
    if backend == "cpu":
        facts = find(lesson)
        (folder / "knobs.cpp").write_text(knobs_file(facts), encoding="utf-8")
        knobs = str(folder / "knobs.o")
        subprocess.run([program("simtcc"), "-c", folder / "knobs.cpp", "-o", knobs], check=True)
        return [*linking(TEST, facts.types), "-Wl,-S", knobs, "gemm.o", "-o", "test"]
    return [*cmakes_link(lesson, backend, lesson + ".test", "tests"), "-Wl,-S"]


def cmakes_link(lesson: str, backend: str, target: str, place: str = "") -> List[str]:
    """CMake's command that links a program of the lesson, with absolute file names, for gemm.o and test. place: the
    folder in the build to which Makefiles belong that link it."""
    folder = built(backend)
    script = folder / place / "CMakeFiles" / (target + ".dir") / "link.txt"
    if script.is_file():  # Makefiles
        command, base = shlex.split(script.read_text(encoding="utf-8")), folder / place
    else:
        done = subprocess.run(["ninja", "-C", str(folder), "-t", "commands", "-s", "bin/" + target],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
        command, base = shlex.split(lines[-1]) if lines else [], folder
    while command and command[0] in (":", "&&"):
        command.pop(0)
    if "&&" in command:
        command = command[:command.index("&&")]
    if "-o" not in command:
        die(MACHINE, f"{folder} has no command that links {target}")
    command = [str(base / word) if at > 0 and not word.startswith("/") and (base / word).is_file() else word
               for at, word in enumerate(command) if not word.endswith("ccache") and "--dependency-file" not in word]
    command = ["gemm.o" if f"CMakeFiles/{lesson}.kernel.dir/" in word else word for word in command]
    command[command.index("-o") + 1] = "test"
    return command


def compiled(runner: Runner, command: List[str], folder: pathlib.Path, text: str) -> bool:
    """Writes gemm.cu into folder and compiles it to gemm.o. The names are relative, so that equal sources give equal
    objects in any folder."""
    (folder / "gemm.cu").write_text(text, encoding="utf-8")
    return runner.run([*command, "gemm.cu", "-o", "gemm.o"], folder, 600) == 0


def prepare(lesson: str, text: str, runner: Runner, folder: pathlib.Path, backend: str) -> Recipe:
    """Builds the lesson in folder, which must be kept, in the same way as its edited copies."""
    command = _compile_command(lesson, backend)
    if not compiled(runner, command, folder, text):
        die(MACHINE, f"{lesson} does not compile in the way that its edited copies would")
    link = _link_command(lesson, backend, folder)
    return Recipe(lesson, backend, command, link, (folder / "gemm.o").read_bytes())


def tested(runner: Runner, recipe: Recipe, folder: pathlib.Path, arguments: Sequence[str], seconds: float) -> int:
    """Links the test program of the kernel in folder if needed, runs it, and returns the exit status."""
    if linked(runner, recipe.link, folder) == UNLINKED:
        return UNLINKED
    return runner.run([folder / "test", *arguments], folder, seconds)


def linked(runner: Runner, command: List[str], folder: pathlib.Path) -> int:
    """Links gemm.o in folder to the program test, unless that exists; returns 0 or UNLINKED."""
    return 0 if (folder / "test").exists() or runner.run(command, folder, 120) == 0 else UNLINKED
