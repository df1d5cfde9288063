"""How a mutant becomes a test program, and how that runs.

Only the mutated kernel is compiled, with a precompiled header of what the lesson includes; the objects
of the tests are those of build/cpu. The commands are those of CMake, with -O1 and without debug
information.
"""
import contextlib
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import threading
from typing import Dict, Iterator, List, NamedTuple, Sequence, Set

from ladder import BUILD, MACHINE, build, build_folder, die, lesson_source

ENDLESS, CLOSED, UNLINKED = 124, 125, 256  # the last is no exit status
_DROPPED = re.compile(r"-g.*|-O.|-W.*|-finline-functions")
_START = 'ulimit -S -t "$0" && ulimit -c 0 && exec nice -n 5 "$@"'


class Runner:
    """Runs programs with a limit; after close() none is left and none starts."""

    def __init__(self) -> None:
        self.running: Set["subprocess.Popen[bytes]"] = set()
        self.guard = threading.Lock()
        self.closed = False
        self.environment = dict(os.environ, SIMT_THREADS="1",  # the jobs are the threads
                                LADDER_SHRINK="0")

    def run(self, words: Sequence[object], folder: pathlib.Path, seconds: float) -> int:
        """The exit status; ENDLESS beyond seconds of CPU time (rounded up), which no other program on
        the machine shortens, or beyond 20 times as long; negative for a signal. Output goes to
        folder/out."""
        limit = int(seconds) + 1
        with open(folder / "out", "wb") as out:
            with self.guard:
                if self.closed:
                    return CLOSED
                process = subprocess.Popen(
                    ["sh", "-c", _START, str(limit), *map(str, words)], cwd=str(folder), stdout=out,
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
    """How a lesson is built: commands without the files that differ, the header, the lesson's object."""
    lesson: str
    compile: List[str]
    link: List[str]
    original: bytes


@contextlib.contextmanager
def work_folder(lesson: str, number: int) -> Iterator[pathlib.Path]:
    """An empty folder under build/mutate, gone after the block."""
    folder = build_folder("mutate", "%s.%d.%d" % (lesson[:2], number, os.getpid()))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def clean() -> None:
    """Removes work folders of a run that was killed; to be called while no other one runs."""
    for folder in build_folder("mutate").glob("[0-9][0-9].*.*"):
        if folder.is_dir():
            shutil.rmtree(folder, ignore_errors=True)


def _compile_command(lesson: str) -> List[str]:
    """CMake's command for the lesson's kernel, without its files, folders relative, and cheap."""
    for entry in json.loads((BUILD / "cpu" / "compile_commands.json").read_text(encoding="utf-8")):
        if entry["file"].endswith("/%s.kernel/gemm.cpp" % lesson):
            words = shlex.split(entry["command"])
            end = words.index("-o")
            kept = [word for word in words[:end] if not _DROPPED.fullmatch(word)]
            return [word for word in kept if not word.endswith("ccache")] + ["-O1", "-w"]
    die(MACHINE, "build/cpu has no command that compiles %s" % lesson)


def _link_command(target: str) -> List[str]:
    """CMake's command that links a program of tests/, its files made absolute, without debug information
    and with the faster linker, if there is one."""
    folder = BUILD / "cpu"
    script = folder / "tests" / "CMakeFiles" / (target + ".dir") / "link.txt"
    if script.is_file():  # Makefiles
        words, base = shlex.split(script.read_text(encoding="utf-8")), folder / "tests"
    else:
        done = subprocess.run(["ninja", "-C", str(folder), "-t", "commands", "-s", "bin/" + target],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
        words, base = shlex.split(lines[-1]) if lines else [], folder
    while words and words[0] in (":", "&&"):
        words.pop(0)
    if "&&" in words:
        words = words[:words.index("&&")]
    if "-o" not in words:
        die(MACHINE, "build/cpu has no command that links %s" % target)
    words = [str(base / word) if (base / word).is_file() and not word.startswith("/") and at > 0 else word
             for at, word in enumerate(words) if not word.endswith("ccache")]
    return words + ["-Wl,-S"] + (["-fuse-ld=gold"] if shutil.which("ld.gold") else [])


def _header(lesson: str, command: List[str], text: str, runner: Runner) -> List[str]:
    """Words for the compiler that make it read what the lesson includes from a precompiled header."""
    folder = build_folder("mutate", "header." + lesson[:2])
    header = folder / "includes.h"
    header.write_text("".join(re.findall(r"^#include .*\n", text, re.M)), encoding="utf-8")
    done = runner.run([*command, "-x", "c++-header", "-o", "includes.h.gch", "includes.h"], folder, 120)
    return ["-include", str(header)] if done == 0 else []


def compiled(runner: Runner, command: List[str], folder: pathlib.Path, text: str) -> bool:
    """Writes gemm.cu into folder and makes gemm.o of it. The names are relative, so that equal
    sources make equal objects wherever the folder is."""
    (folder / "gemm.cu").write_text(text, encoding="utf-8")
    rewrite = BUILD / "cpu" / "bin" / "simt_rewrite"
    return (runner.run([rewrite, "gemm.cu", "gemm.cpp"], folder, 60) == 0 and
            runner.run([*command, "-o", "gemm.o", "-c", "gemm.cpp"], folder, 120) == 0)


def build_tests(lesson: str) -> None:
    """Builds the lesson's test program."""
    build("cpu", lesson + ".test", tests=True)


def prepare(lesson: str, runner: Runner) -> Recipe:
    """Builds the lesson as its mutants will be built; its test program is there."""
    text = lesson_source(lesson).read_text(encoding="utf-8")
    command = _compile_command(lesson)
    command += _header(lesson, command, text, runner)
    with work_folder(lesson, -1) as folder:
        if not compiled(runner, command, folder, text):
            die(MACHINE, "%s does not compile as its mutants would be" % lesson)
        original = (folder / "gemm.o").read_bytes()
    return Recipe(lesson, command, _link_command(lesson + ".test"), original)


_contents: Dict[str, bytes] = {}  # of files that are hashed, by their names


def fingerprint(recipe: Recipe, arguments: Sequence[str]) -> str:
    """Changes with a test program's own objects, its arguments and their files; not with the harness and
    the CPU backend, which have tests of their own."""
    digest = hashlib.sha256(" ".join(arguments).encode())
    kernel = "/%s.kernel/gemm.cpp.o" % recipe.lesson
    for word in recipe.link:
        if word.startswith("/") and word.endswith(".o") and not word.endswith(kernel):
            if word not in _contents:
                _contents[word] = hashlib.sha256(pathlib.Path(word).read_bytes()).digest()
            digest.update(_contents[word])
    return digest.hexdigest()[:12]


def tested(runner: Runner, recipe: Recipe, folder: pathlib.Path, arguments: Sequence[str], seconds: float) -> int:
    """The exit status of the test program of the kernel in folder; links it first if need be."""
    program = folder / "test"
    if not program.exists():
        words = ["gemm.o" if word.endswith("/%s.kernel/gemm.cpp.o" % recipe.lesson) else word
                 for word in recipe.link]
        words[words.index("-o") + 1] = "test"
        if runner.run(words, folder, 120) != 0:
            return UNLINKED
    return runner.run([program, *arguments], folder, seconds)
