"""Judges edited copies of lessons by their tests on the CPU backend or on a GPU, several at once.

A copy with the same object file as the lesson counts as the same program. A copy with the same object file as another
copy gets that copy's verdict.
"""
import concurrent.futures
import hashlib
import os
import pathlib
import resource
import threading
import time
from typing import Callable, Dict, Iterator, List, Mapping, NamedTuple, Protocol, Sequence, Tuple

from ladder import WRONG, build, die, temporary_folder
from ladder.lessons import Facts, find
from ladder.lib.work import last_lines
from ladder.mutation.programs import ENDLESS, UNLINKED, Runner, compiled, pool_of, prepare, tested

REJECTED, SURVIVED, SAME, NOT_COMPILED = "rejected", "survived", "same program", "does not compile"


class Edited(Protocol):
    """A mutant or a hand-written bug."""

    def apply(self, text: str) -> str:
        """The edited source."""


class Verdict(NamedTuple):
    status: str
    by: str = ""  # the test that rejected it


class Test(NamedTuple):
    """Arguments of the lesson's test program."""
    name: str
    arguments: List[str]


def tests_of(facts: Facts, backend: str) -> List[Test]:
    """The tests that judge, cheapest first."""
    counts = [Test("counts", ["[counts]"])] if backend == "cpu" else []
    copies = [Test("large copies", ["--abort", "[copies]"])] if backend == "gpu" else []  # 20 GB: after all others
    return [Test("a few random problems", ["[few]"]), *counts,
            Test("the suite's fast paths", ["--abort", "[paths]"]),
            Test("the lesson's suite", ["--abort", "~[paths]" + (facts.suite or "~[.]")]),
            Test("the suite's sequences", ["--abort", "[sequence]"]),
            Test("the long tests", ["--abort", "[long]"]), *copies]


def _used() -> float:
    """The CPU seconds of all programs that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Lesson:
    """Judges edited copies of one lesson. folder: for the files that they share."""

    def __init__(self, name: str, runner: Runner, folder: pathlib.Path, backend: str):
        self.runner, self.facts = runner, find(name)
        self.recipe = prepare(name, self.facts.text, runner, folder, backend)
        self.tests = tests_of(self.facts, backend)
        self.limits: Dict[str, float] = {}
        self.guards = {each.name: threading.Lock() for each in self.tests}
        self.objects: Dict[Tuple[bytes, int], Verdict] = {}

    def limit(self, test: Test) -> float:
        """The CPU seconds that a test may take: over four times the time of the unedited lesson, which must pass."""
        with self.guards[test.name]:
            if test.name not in self.limits:
                with temporary_folder("mutate", f"{self.recipe.lesson}.{self.tests.index(test)}") as folder:
                    (folder / "gemm.o").write_bytes(self.recipe.original)
                    start, used = time.monotonic(), _used()
                    status = tested(self.runner, self.recipe, folder, test.arguments, 600)
                    if status != 0 and not self.runner.closed:
                        how = "does not link" if status == UNLINKED else f"does not pass {test.name}"
                        out = (folder / "out").read_text(encoding="utf-8", errors="replace")
                        die(WRONG, "\n".join([f"{self.recipe.lesson} itself {how}:", *last_lines(out, 6)]))
                    # Both measure at least the test's time, since other jobs' programs end meanwhile, too.
                    self.limits[test.name] = 1 + 4 * min(time.monotonic() - start, _used() - used)
            return self.limits[test.name]

    def judge(self, number: int, edited: Edited, tests: Sequence[Test]) -> Verdict:
        """The verdict on a copy; number: unique among the copies being judged."""
        with temporary_folder("mutate", f"{self.recipe.lesson[:2]}.{number}") as folder:
            text = edited.apply(self.facts.text)
            if not compiled(self.runner, self.recipe.compile, folder, text):
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
            status = tested(self.runner, self.recipe, folder, test.arguments, self.limit(test))
            if status == UNLINKED:
                return Verdict(NOT_COMPILED, "it does not link")
            if status != 0:
                how = " (endless)" if status == ENDLESS else " (it died)" if status < 0 else ""
                return Verdict(REJECTED, test.name + how)
        return Verdict(SURVIVED)


Verdicts = List["concurrent.futures.Future[Verdict]"]


def judge_all(edits: Mapping[str, Sequence[Edited]], jobs: int, quick: Callable[[Edited], bool],
              backend: str) -> Iterator[Tuple[str, Verdicts]]:
    """Judges edited copies, by lesson. Yields each lesson with the verdicts on its copies, in order; all lessons share
    the jobs. quick(edit): the first test is enough. However the caller's loop ends, no program keeps running.
    """
    if backend == "gpu" or not os.environ.get("LADDER_CPU_BUILD"):
        build(backend, *(name + ".test" for name in edits), tests=True)
    with temporary_folder("mutate", "lessons") as folder, pool_of(jobs) as (runner, pool):
        def prepared(name: str) -> Lesson:
            (folder / name).mkdir()
            return Lesson(name, runner, folder / name, backend)

        def judge(lesson: "concurrent.futures.Future[Lesson]", number: int, each: Edited) -> Verdict:
            found = lesson.result()  # the pool has started it before
            return found.judge(number, each, found.tests[:1] if quick(each) else found.tests)

        lessons = {name: pool.submit(prepared, name) for name in edits}
        tasks = {name: [pool.submit(judge, lessons[name], i, each) for i, each in enumerate(of)]
                 for name, of in edits.items()}
        yield from tasks.items()
