"""Judges edited copies of a lesson by its tests on the CPU backend, several at once.

A copy whose object is that of the lesson to the byte is the same program; one whose object is another copy's
has its verdict.
"""
import concurrent.futures
import hashlib
import os
import pathlib
import resource
import shutil
import threading
import time
from typing import Callable, Dict, List, NamedTuple, Protocol, Sequence, Tuple

from ladder import ROOT, WRONG, build, build_folder, die
from ladder.lessons import Facts, find
from ladder.mutation.programs import ENDLESS, UNLINKED, Runner, compiled, prepare, tested, work_folder

REJECTED, SURVIVED, SAME, NOT_COMPILED = "rejected", "survived", "same program", "does not compile"
QUICK, FULL = 24, 300  # random problems: of the first test, and as many as the row NN_name.random.cpu has
SKIPPED = 77
KINDS = ("random", "counts", "test")  # of test programs


class Edited(Protocol):
    """A mutant, or a bug that is planted by hand."""

    def apply(self, text: str) -> str:
        """The edited source."""


class Verdict(NamedTuple):
    status: str
    by: str = ""  # the test that rejected it


class Test(NamedTuple):
    """A program and its arguments."""
    name: str
    kind: str
    arguments: List[str]


def tests_of(facts: Facts) -> List[Test]:
    """What judges, cheapest first."""
    tiles = sorted({int(facts.knobs[name]) for name in facts.tiles if name[0] == "B"} | {4, 8})
    problems = ["--seed", "1", "--shrink", "0", "--tiles", ",".join(map(str, tiles)), "--cases"]
    counts = str(ROOT / "tests" / "lessons" / "counts" / "counts.txt")
    return [Test("a few random problems", "random", [*problems, str(QUICK)]),
            Test("counts", "counts", [counts, facts.name]),
            Test("the suite's fast paths", "test", ["--abort", "[paths]"]),
            Test("the suite's numbers of many bits", "test", ["--abort", "[wide]"]),
            Test("the lesson's suite", "test", ["--abort", "~[paths]~[wide]" + facts.suite]),
            Test("the suite's sequences", "test", ["--abort", "[sequence]"]),
            Test("random problems", "random", [*problems, str(FULL)])]


def _used() -> float:
    """Seconds of CPU time of all programs that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Lesson:
    """Judges edited copies of one lesson. folder: for what they share."""

    def __init__(self, name: str, runner: Runner, folder: pathlib.Path):
        self.runner, self.facts = runner, find(name)
        self.recipe = prepare(name, self.facts.text, KINDS, runner, folder)
        self.tests = tests_of(self.facts)
        self.limits: Dict[str, float] = {}
        self.guards = {each.name: threading.Lock() for each in self.tests}
        self.objects: Dict[Tuple[bytes, int], Verdict] = {}

    def limit(self, test: Test) -> float:
        """Seconds of CPU time that a test may take: more than four times what the lesson itself takes,
        which must pass it. 0 for one that skips the lesson."""
        with self.guards[test.name]:
            if test.name not in self.limits:
                with work_folder(f"{self.recipe.lesson}.{self.tests.index(test)}") as folder:
                    (folder / "gemm.o").write_bytes(self.recipe.original)
                    start, used = time.monotonic(), _used()
                    status = tested(self.runner, self.recipe, folder, test.kind, test.arguments, 600)
                    if status not in (0, SKIPPED) and not self.runner.closed:
                        die(WRONG, f"{self.recipe.lesson} itself does not pass {test.name}")
                    # Neither is less than what it took: other jobs' programs end in this time, too.
                    seconds = 1 + 4 * min(time.monotonic() - start, _used() - used)
                    self.limits[test.name] = 0 if status == SKIPPED else seconds
            return self.limits[test.name]

    def judge(self, number: int, edited: Edited, tests: Sequence[Test]) -> Verdict:
        """The verdict on a copy; number: no other one's that is judged now."""
        with work_folder(f"{self.recipe.lesson[:2]}.{number}") as folder:
            if not compiled(self.runner, self.recipe.compile, folder, edited.apply(self.facts.text)):
                return Verdict(NOT_COMPILED)
            content = (folder / "gemm.o").read_bytes()
            if content == self.recipe.original:
                return Verdict(SAME)
            key = hashlib.sha256(content).digest(), len(tests)
            if key not in self.objects:
                self.objects[key] = self._by_tests(folder, tests)
            return self.objects[key]

    def _by_tests(self, folder: pathlib.Path, tests: Sequence[Test]) -> Verdict:
        for test in tests:
            seconds = self.limit(test)
            if seconds == 0:
                continue
            status = tested(self.runner, self.recipe, folder, test.kind, test.arguments, seconds)
            if status == UNLINKED:
                return Verdict(NOT_COMPILED, "it does not link")
            if status != 0:
                how = " (endless)" if status == ENDLESS else " (it died)" if status < 0 else ""
                return Verdict(REJECTED, test.name + how)
        return Verdict(SURVIVED)


def judge_all(name: str, edits: Sequence[Edited], jobs: int, quick: Callable[[Edited], bool] = lambda _: False,
              done: Callable[[int], None] = lambda _: None) -> List[Verdict]:
    """Verdicts on edited copies of a lesson, in their order. quick(edit): the first test is enough.

    done(n) is called when n of them are judged. Whatever ends this, no program stays.
    """
    if not os.environ.get("LADDER_CPU_BUILD"):
        build("cpu", *(f"{name}.{kind}" for kind in KINDS), tests=True)
    runner = Runner()
    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    folder = build_folder("mutate", f"{name}.{os.getpid()}")
    tasks: List["concurrent.futures.Future[Verdict]"] = []
    try:
        # A runner's programs start in the pool's threads alone: a signal, which arrives in this one,
        # never comes between a start and what would stop it.
        lesson = pool.submit(Lesson, name, runner, folder).result()
        tasks = [pool.submit(lesson.judge, i, each, lesson.tests[:1] if quick(each) else lesson.tests)
                 for i, each in enumerate(edits)]
        for count, task in enumerate(tasks, 1):
            task.result()
            done(count)
        return [task.result() for task in tasks]
    finally:
        for task in tasks:
            task.cancel()
        runner.close()
        pool.shutdown()
        shutil.rmtree(folder, ignore_errors=True)
