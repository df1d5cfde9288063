"""Builds a mutant on the CPU backend and runs its lesson's tests, several at once.

Only the mutated kernel is compiled; the objects of the tests are those of build/cpu. The commands are
those of CMake, with -O1 and without debug information. A mutant whose object is that of the lesson to
the byte is the same program.
"""
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import threading
import time
from typing import Callable, Dict, Iterator, List, NamedTuple, Sequence, Set, Tuple

from ladder import BUILD, MACHINE, WRONG, build, build_folder, die, lesson_source
from ladder.mutation.operators import Mutant

REJECTED, SURVIVED, SAME, NOT_COMPILED = "rejected", "survived", "same program", "does not compile"
QUICK = 24  # random problems of the quick judge
FULL = 300  # those of the row NN_name.random.cpu
_UNLINKED = 256  # no exit status
_DROPPED = re.compile(r"-g.*|-O.|-W.*|-fexpensive-optimizations|-finline-functions")


class Verdict(NamedTuple):
    """status: one of the four above. by: what rejected it. seconds: what building and judging took."""
    status: str
    by: str = ""
    seconds: float = 0.0


class Recipe(NamedTuple):
    """How a lesson is built and tested: commands without the files that differ, the seconds that each
    test may take (once they are known), the lesson's own object."""
    lesson: str
    compile: List[str]
    links: Dict[str, List[str]]
    tiles: str
    limits: Dict[str, float]
    original: bytes


class Runner:
    """Runs programs with a time limit; after close() none is left and none starts."""

    def __init__(self) -> None:
        self.running: Set["subprocess.Popen[bytes]"] = set()
        self.guard = threading.Lock()
        self.closed = False

    def run(self, words: Sequence[object], folder: pathlib.Path, limit: float) -> int:
        """The exit status; 124 beyond limit seconds, negative for a signal. Output goes to folder/out."""
        with open(folder / "out", "wb") as out:
            with self.guard:
                if self.closed:
                    return 125
                process = subprocess.Popen(
                    ["nice", "-n", "5", *map(str, words)], cwd=str(folder), stdin=subprocess.DEVNULL,
                    stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
                self.running.add(process)
            try:
                return process.wait(timeout=limit)
            except BaseException as error:
                _kill(process)
                process.wait()
                if isinstance(error, subprocess.TimeoutExpired):
                    return 124
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


def _compile_command(lesson: str) -> List[str]:
    """CMake's command for the lesson's kernel, without its files, folders relative, and cheap."""
    for entry in json.loads((BUILD / "cpu" / "compile_commands.json").read_text(encoding="utf-8")):
        if entry["file"].endswith("/%s.kernel/gemm.cpp" % lesson):
            words = shlex.split(entry["command"])
            end = words.index("-o")
            kept = [word for word in words[:end] if not _DROPPED.fullmatch(word)]
            return kept + ["-O1", "-w"]
    die(MACHINE, "build/cpu has no command that compiles %s" % lesson)


def _link_command(target: str) -> List[str]:
    """CMake's command that links a program of tests/, its files made absolute."""
    folder = BUILD / "cpu"
    script = folder / "tests" / "CMakeFiles" / (target + ".dir") / "link.txt"
    if script.is_file():  # Makefiles
        words, base = shlex.split(script.read_text(encoding="utf-8")), folder / "tests"
    else:
        done = subprocess.run(["ninja", "-C", str(folder), "-t", "commands", "-s", "tests/" + target],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
        words, base = shlex.split(lines[-1]) if lines else [], folder
    while words and words[0] in (":", "&&"):
        words.pop(0)
    if "&&" in words:
        words = words[:words.index("&&")]
    if "-o" not in words:
        die(MACHINE, "build/cpu has no command that links %s" % target)
    return [str(base / word) if (base / word).is_file() and not word.startswith("/") and at > 0 else word
            for at, word in enumerate(words)]


def _linked(command: List[str], lesson: str, out: str) -> List[str]:
    """The command with gemm.o for the lesson's object and another program."""
    words = ["gemm.o" if word.endswith("/%s.kernel/gemm.cpp.o" % lesson) else word for word in command]
    words[words.index("-o") + 1] = out
    return words


def _compile(runner: Runner, command: List[str], folder: pathlib.Path, text: str) -> bool:
    """Writes gemm.cu into folder and makes gemm.o of it. The names are relative, so that equal
    sources make equal objects wherever the folder is."""
    (folder / "gemm.cu").write_text(text, encoding="utf-8")
    rewrite = BUILD / "cpu" / "common" / "simt" / "simt_rewrite"
    return (runner.run([rewrite, "gemm.cu", "gemm.cpp"], folder, 60) == 0 and
            runner.run([*command, "-o", "gemm.o", "-c", "gemm.cpp"], folder, 120) == 0)


def _tests(recipe: Recipe) -> Iterator[Tuple[str, str, List[str]]]:
    """What judges, cheapest first: a name, the program, its arguments."""
    problems = ["--seed", "1", "--shrink", "0", "--tiles", recipe.tiles, "--cases"]
    yield "a few random problems", "random", problems + [str(QUICK)]
    yield "the lesson's suite", "test", ["--abort"]
    yield "the suite's sequences", "test", ["--abort", "[sequence]"]
    yield "random problems", "random", problems + [str(FULL)]


def prepare(lesson: str, runner: Runner) -> Recipe:
    """Builds the lesson's tests, and the lesson as its mutants will be built."""
    build("cpu", lesson + ".test", lesson + ".random", tests=True)
    text = lesson_source(lesson).read_text(encoding="utf-8")
    tiles = sorted({int(n) for n in re.findall(r"\nconstexpr int B[MNK] = (\d+);", text)} | {4, 8})
    recipe = Recipe(lesson, _compile_command(lesson),
                    {kind: _link_command("%s.%s" % (lesson, kind)) for kind in ("random", "test")},
                    ",".join(map(str, tiles)), {}, b"")
    with _folder(lesson, -1) as folder:
        if not _compile(runner, recipe.compile, folder, text):
            die(MACHINE, "%s does not compile as its mutants would be" % lesson)
        return recipe._replace(original=(folder / "gemm.o").read_bytes())


_measured = threading.Lock()


def _limit(recipe: Recipe, runner: Runner, test: Tuple[str, str, List[str]]) -> float:
    """Seconds that a test may take: four times what the lesson itself takes, which must pass it."""
    name, kind, arguments = test
    if name in recipe.limits:
        return recipe.limits[name]
    with _measured:
        if name not in recipe.limits:
            with _folder(recipe.lesson, -2) as folder:
                (folder / "gemm.o").write_bytes(recipe.original)
                start = time.monotonic()
                if _test(runner, recipe, folder, kind, arguments, 600) != 0 and not runner.closed:
                    die(WRONG, "%s itself does not pass %s" % (recipe.lesson, name))
                recipe.limits[name] = 4 + 4 * (time.monotonic() - start)
        return recipe.limits[name]


def _test(runner: Runner, recipe: Recipe, folder: pathlib.Path, kind: str, arguments: List[str],
          limit: float) -> int:
    """The exit status of a test program of the kernel in folder; links it first if need be."""
    program = folder / kind
    if not program.exists():
        if runner.run(_linked(recipe.links[kind], recipe.lesson, kind), folder, 120) != 0:
            return _UNLINKED
    return runner.run([program, *arguments], folder, limit)


@contextlib.contextmanager
def _folder(lesson: str, number: int) -> Iterator[pathlib.Path]:
    """An empty folder under build/mutate, gone after the block."""
    folder = build_folder("mutate", "%s.%d.%d" % (lesson[:2], number, os.getpid()))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def judge(recipe: Recipe, number: int, text: str, quick: bool, runner: Runner) -> Verdict:
    """Judges one mutated source. quick: by a few random problems only."""
    start = time.monotonic()

    def verdict(status: str, by: str = "") -> Verdict:
        return Verdict(status, by, time.monotonic() - start)

    with _folder(recipe.lesson, number) as folder:
        if not _compile(runner, recipe.compile, folder, text):
            return verdict(NOT_COMPILED)
        if (folder / "gemm.o").read_bytes() == recipe.original:
            return verdict(SAME)
        for test in list(_tests(recipe))[:1 if quick else None]:
            name, kind, arguments = test
            limit = _limit(recipe, runner, test)
            status = _test(runner, recipe, folder, kind, arguments, limit)
            if status == _UNLINKED:
                return verdict(NOT_COMPILED, "it does not link")
            if status != 0:
                how = " (endless)" if status == 124 else " (it died)" if status < 0 else ""
                return verdict(REJECTED, name + how)
    return verdict(SURVIVED)


def judge_all(recipe: Recipe, mutants: Sequence[Mutant], quick: Callable[[Mutant], bool], jobs: int,
              runner: Runner, done: Callable[[int], None]) -> List[Verdict]:
    """Verdicts in the mutants' order. quick(mutant): its few random problems are enough.

    done(n) is called when n of them are judged. Whatever ends this, no program stays.
    """
    text = lesson_source(recipe.lesson).read_text(encoding="utf-8")
    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    try:
        tasks = [pool.submit(judge, recipe, i, each.apply(text), quick(each), runner)
                 for i, each in enumerate(mutants)]
        while True:
            ended = sum(task.done() for task in tasks)
            done(ended)
            if ended == len(tasks):
                return [task.result() for task in tasks]
            concurrent.futures.wait([task for task in tasks if not task.done()], timeout=0.2,
                                    return_when=concurrent.futures.FIRST_COMPLETED)
    finally:
        runner.close()
        for task in tasks:
            task.cancel()
        pool.shutdown()
