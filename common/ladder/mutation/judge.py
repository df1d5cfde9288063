"""Judges mutants by their lesson's tests on the CPU backend, several at once, and keeps the verdicts.

A mutant whose object is that of the lesson to the byte is the same program; one whose object is
another mutant's has its verdict.
"""
import concurrent.futures
import hashlib
import pathlib
import resource
import threading
import time
from typing import Callable, Dict, List, NamedTuple, Sequence, Tuple

from ladder import WRONG, die, lesson_source, suite_cases
from ladder.mutation.kept import Judgement, Kept
from ladder.mutation.operators import Mutant
from ladder.mutation.programs import (ENDLESS, UNLINKED, Recipe, Runner, build_tests, compiled, fingerprint,
                                      prepare, tested, work_folder)

REJECTED, SURVIVED, SAME, NOT_COMPILED = "rejected", "survived", "same program", "does not compile"
FULL = 300  # random problems of the row NN_name.long.cpu


class Test(NamedTuple):
    """Arguments of the lesson's test program, and a fingerprint that changes with what it tests."""
    name: str
    arguments: List[str]
    mark: str


def tests_of(recipe: Recipe) -> List[Test]:
    """What judges, cheapest first."""
    found: List[Tuple[str, List[str]]] = [
        ("a few random problems", ["[few]"]),
        ("counts", ["[counts]"]),
        ("the suite's fast paths", ["--abort", "[paths]"]),
        ("the lesson's suite", ["--abort", "~[paths]" + (suite_cases(recipe.lesson) or "~[.]")]),
        ("the suite's sequences", ["--abort", "[sequence]"]),
        ("the long tests", ["--abort", "[long]"])]
    return [Test(name, words, fingerprint(recipe, words)) for name, words in found]


def _used() -> float:
    """Seconds of CPU time of all programs that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Lesson:
    """Judges the mutants of one lesson."""

    def __init__(self, name: str, runner: Runner):
        self.runner = runner
        self.recipe = prepare(name, runner)
        self.text = lesson_source(name).read_text(encoding="utf-8")
        self.tests = tests_of(self.recipe)
        self.kept = Kept(name, self.recipe.original, self.text)
        self.limits: Dict[str, float] = {}
        self.guards = {each.name: threading.Lock() for each in self.tests}
        self.objects: Dict[Tuple[bytes, Tuple[str, ...]], Judgement] = {}

    def limit(self, test: Test) -> float:
        """Seconds of CPU time that a test may take: more than four times what the lesson itself takes,
        which must pass it."""
        with self.guards[test.name]:
            if test.name not in self.limits:
                number = -2 - [each.name for each in self.tests].index(test.name)
                with work_folder(self.recipe.lesson, number) as folder:
                    (folder / "gemm.o").write_bytes(self.recipe.original)
                    start, used = time.monotonic(), _used()
                    status = tested(self.runner, self.recipe, folder, test.arguments, 600)
                    if status != 0 and not self.runner.closed:
                        die(WRONG, "%s itself does not pass %s" % (self.recipe.lesson, test.name))
                    # Neither is less than what it took: other jobs' programs end in this time, too.
                    self.limits[test.name] = 1 + 4 * min(time.monotonic() - start, _used() - used)
            return self.limits[test.name]

    def judge(self, number: int, mutant: Mutant, quick: bool) -> Judgement:
        """The judgement on a mutant; the kept one, as far as it holds. quick: by the first test only."""
        tests = self.tests[:1] if quick else self.tests
        known = self.kept.get(mutant.edit)
        passed: List[str] = []
        if known and known.status == SURVIVED:
            passed = known.marks
            if all(each.mark in passed for each in tests):
                return known
        elif known and all(mark in [each.mark for each in self.tests] for mark in known.marks):
            return known
        with work_folder(self.recipe.lesson, number) as folder:
            if not compiled(self.runner, self.recipe.compile, folder, mutant.apply(self.text)):
                found = Judgement(NOT_COMPILED, "", [])
            else:
                found = self._by_object(folder, [each for each in tests if each.mark not in passed])
        if found.status == SURVIVED:
            found = found._replace(marks=sorted({*found.marks, *passed}))
        if not self.runner.closed:
            self.kept.add(mutant.edit, found)
        return found

    def _by_object(self, folder: pathlib.Path, tests: Sequence[Test]) -> Judgement:
        """That on the object in folder, which may be known from another mutant."""
        content = (folder / "gemm.o").read_bytes()
        if content == self.recipe.original:
            return Judgement(SAME, "", [])
        key = hashlib.sha256(content).digest(), tuple(each.mark for each in tests)
        if key not in self.objects:
            self.objects[key] = self._by_tests(folder, tests)
        return self.objects[key]

    def _by_tests(self, folder: pathlib.Path, tests: Sequence[Test]) -> Judgement:
        for test in tests:
            status = tested(self.runner, self.recipe, folder, test.arguments, self.limit(test))
            if status == UNLINKED:
                return Judgement(NOT_COMPILED, "it does not link", [])
            if status != 0:
                how = " (endless)" if status == ENDLESS else " (it died)" if status < 0 else ""
                return Judgement(REJECTED, test.name + how, [test.mark])
        return Judgement(SURVIVED, "", [each.mark for each in tests])


def judge_all(name: str, mutants: Sequence[Mutant], quick: Callable[[Mutant], bool], jobs: int,
              done: Callable[[int], None]) -> List[Judgement]:
    """Judgements in the mutants' order. quick(mutant): the first test is enough.

    done(n) is called when n of them are judged. Whatever ends this, no program stays and what was
    judged is kept.
    """
    build_tests(name)
    runner = Runner()
    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    tasks: List["concurrent.futures.Future[Judgement]"] = []
    lesson = None
    try:
        # A runner's programs start in the pool's threads alone: a signal, which arrives in this one,
        # never comes between a start and what would stop it.
        lesson = pool.submit(Lesson, name, runner).result()
        tasks = [pool.submit(lesson.judge, i, each, quick(each)) for i, each in enumerate(mutants)]
        while True:
            ended = sum(task.done() for task in tasks)
            done(ended)
            if ended == len(tasks):
                return [task.result() for task in tasks]
            if any(task.done() and task.exception() for task in tasks):
                raise next(task.exception() for task in tasks if task.done() and task.exception())
            concurrent.futures.wait([task for task in tasks if not task.done()], timeout=0.2,
                                    return_when=concurrent.futures.FIRST_COMPLETED)
    finally:
        runner.close()
        for task in tasks:
            task.cancel()
        pool.shutdown()
        if lesson:
            lesson.kept.write()
