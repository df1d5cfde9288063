"""Runs the suite for a file in practice/: the most effective cases first, one process per processor at a time."""
import concurrent.futures
import contextlib
import pathlib
import re
import tempfile
import time
from typing import Callable, Dict, Iterator, List, TypeVar

from ladder import MACHINE, TEST, Done, Progress, Source, die, execute, processors
from ladder.judging.files import with_practice_path
from ladder.lib.failures import first_failure
from ladder.lib.making import QUICK, make
from ladder.lib.work import LIMIT, Started, at_work, last_lines, stop_group

_T = TypeVar("_T")
_AT_ONCE = 3  # cases that one process runs
CASES = "~[grid]~[.]"  # those of [grid] ask for the lesson's own grid; a learner's may be another
RIGHT = "correct for every size, no race, divergence or out-of-bounds access"  # what the suite checks, as a verdict


def _groups(program: pathlib.Path) -> List[List[str]]:
    """The names of the suite's cases, in groups for one process each."""
    done = execute([program, "--list-test-names-only", CASES], limit=LIMIT)
    names = [line.strip() for line in done.out.splitlines() if line.strip()]
    if not names:
        die(MACHINE, "\n".join([f"{program.name} does not list its tests", *last_lines(done.out + done.err, 8)]))
    return [names[at:at + _AT_ONCE] for at in range(0, len(names), _AT_ONCE)]


def _pattern(name: str) -> str:
    """A case's name as a Catch2 pattern, with special characters such as the comma escaped."""
    return re.sub(r'([\\,"\[\]*~])', r"\\\1", name)


def _all_run(done: Done, count: int) -> Done:
    """The run itself. If it passed, but its runner did not report this number of cases, ends the command."""
    reported = re.search(r"(?:^|\n)(\d+) test cases? run\n\Z", done.out)
    if done.status == 0 and (not reported or int(reported[1]) != count):
        die(MACHINE, "\n".join(["expected %d test cases, but the test program ran %s:" % (
            count, reported[1] if reported else "an unknown number"), *last_lines(done.out, 8)]))
    return done


def _run(program: pathlib.Path, groups: List[List[str]], folder: pathlib.Path, progress: Progress) -> Iterator[Done]:
    """Runs the groups and yields each result as soon as it is there. The programs end when the generator is closed."""
    total, waiting = len(groups), list(enumerate(groups))
    with contextlib.ExitStack() as stack:
        running: Dict[Started, int] = {}
        while waiting or running:
            while waiting and len(running) < processors():
                number, names = waiting.pop(0)
                path = folder / str(number)
                path.write_text("".join(_pattern(each) + "\n" for each in names), encoding="utf-8")
                running[stack.enter_context(
                    Started([program, "--abort", "-f", path], tools=True, limit=LIMIT, SIMT_THREADS="1"))] = len(names)
            progress.count(total - len(waiting) - len(running), total)
            for each in [each for each in running if each.ended()]:
                yield _all_run(each.wait(), running.pop(each))
            time.sleep(0.01)


def suite(name: str, source: Source) -> List[str]:
    """Tests a practice file; returns [] if it passes, else the first failure in a few lines.

    A few random problems come first: they find most errors within half a second. Only they check pointers into local
    arrays.
    """
    progress = f"testing {with_practice_path(name, name)}"
    with Progress(progress) as shown:
        done = _all_run(execute([source.program(TEST), "[few]"], lambda line: shown.tick(), tools=True, limit=LIMIT), 1)
    if done.status == 0:
        make((source, QUICK))
        program = source.program(QUICK)
        with Progress(progress) as shown, tempfile.TemporaryDirectory() as folder:
            runs = _run(program, _groups(program), pathlib.Path(folder), shown)
            with contextlib.closing(runs):
                done = next((each for each in runs if each.status != 0), done)
    return [] if done.status == 0 else _failure(name, done)


def _failure(name: str, done: Done) -> List[str]:
    if done.stopped:
        return [done.stopped]
    died = ["the test program died (signal %d)" % -done.status] if done.status < 0 else []
    return [with_practice_path(name, line) for line in first_failure(done.out) or died or last_lines(done.out, 8)]


@contextlib.contextmanager
def beside(function: Callable[[], _T]) -> Iterator["concurrent.futures.Future[_T]"]:
    """Calls a function in another thread while the block runs; when the block ends, stops the function's programs."""
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        future = pool.submit(function)
        try:
            yield future
        finally:
            while not future.done():
                for each in list(at_work):
                    if each.process:
                        stop_group(each.process)
                time.sleep(0.02)
