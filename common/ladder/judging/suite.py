"""Runs the suite of a file in practice/: what finds most first, as many cases at a time as there are processors."""
import concurrent.futures
import contextlib
import pathlib
import re
import tempfile
import time
from typing import Callable, Dict, Iterator, List, TypeVar

from ladder import MACHINE, Done, Progress, die, execute, find_lesson, processors, suite_cases
from ladder.judging.files import told
from ladder.lib.failures import first_failure
from ladder.lib.work import LIMIT, Started, at_work, last_lines, stop_group

_T = TypeVar("_T")
_AT_ONCE = 3  # cases that one process runs


def _groups(program: pathlib.Path, cases: List[str]) -> List[List[str]]:
    """The names of the suite's cases, some together."""
    done = execute([program, "--list-test-names-only", *cases], limit=LIMIT)
    names = [line.strip() for line in done.out.splitlines() if line.strip()]
    if not names:
        die(MACHINE, "\n".join([f"{program.name} does not list its tests", *last_lines(done.out + done.err, 8)]))
    return [names[at:at + _AT_ONCE] for at in range(0, len(names), _AT_ONCE)]


def _pattern(name: str) -> str:
    """A case's name as Catch2 takes it: a comma, for one, stands between names."""
    return re.sub(r'([\\,"\[\]*~])', r"\\\1", name)


def _all_run(done: Done, count: int) -> Done:
    """A run that has passed; ends the command unless its runner says that it was that of so many cases."""
    said = re.search(r"(?:^|\n)(\d+) test cases? run\n\Z", done.out)
    if done.status == 0 and (not said or int(said[1]) != count):
        die(MACHINE, "\n".join(["%d test cases were asked for, but the test program has run %s:" % (
            count, said[1] if said else "an unknown number"), *last_lines(done.out, 8)]))
    return done


def _run(program: pathlib.Path, groups: List[List[str]], folder: pathlib.Path, progress: Progress) -> Iterator[Done]:
    """How the groups end, each as soon as it does; their programs end with the one who asks."""
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


def suite(name: str, program: pathlib.Path) -> List[str]:
    """Judges a practice file's results; [] if all is right, else the first failure in a few lines, told at once.

    Some random problems begin, which find most in half a second.
    """
    cases = suite_cases(find_lesson(name[:2])).split()
    with Progress(f"testing {told(name, name)}") as progress, tempfile.TemporaryDirectory() as folder:
        done = _all_run(execute([program, "[few]"], lambda line: progress.tick(), tools=True, limit=LIMIT), 1)
        if done.status == 0:
            runs = _run(program, _groups(program, cases), pathlib.Path(folder), progress)
            with contextlib.closing(runs):
                done = next((each for each in runs if each.status != 0), done)
    return [] if done.status == 0 else _failure(name, done)


def _failure(name: str, done: Done) -> List[str]:
    if done.stopped:
        return [done.stopped]
    died = ["the test program died (signal %d)" % -done.status] if done.status < 0 else []
    return [told(name, line) for line in first_failure(done.out) or died or last_lines(done.out, 8)]


@contextlib.contextmanager
def beside(function: Callable[[], _T]) -> Iterator["concurrent.futures.Future[_T]"]:
    """Calls a function in a thread of its own, as long as the block; a block that has no use for it ends its programs."""
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
