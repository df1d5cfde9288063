"""What a learner reads of each mistake in mistakes.txt: the file is compiled and tried as ./ladder check does it, or,
where a mistake is marked so, as ./ladder run does. ONLY=endless or ONLY="02 no_" takes some, SHOW=1 prints what is read."""
import concurrent.futures
import contextlib
import io
import multiprocessing
import os
import pathlib
import re
import resource
import signal
import tempfile
import unittest
from typing import List, Tuple

from ladder import Stop, lesson_source, lessons, processors
from ladder.judging.suite import suite
from ladder.lessons import Named, apply, parse_table
from ladder.lib import making
from ladder.lib.programs import first_lines, run_program

TABLE = pathlib.Path(__file__).with_name("mistakes.txt")
HERE = "HERE"  # on the line that has to be named
PATIENCE = 10.0  # seconds of one processor for a verdict
LIMIT = 120  # seconds, on a busy machine
_FRAME = re.compile(r"building for the cpu failed|first failure: |repeat: |problem \d+ of seed|"
                    r"(\[.*\] )?(compiling|testing) ")
_PLACE = re.compile(r"(?:\S*/)?gemm\.cu:(\d+):(?:\d+:)? (?:(?:fatal )?error: |warning: )?(.*)")


def lines_read(lesson: str, mistake: Named, path: pathlib.Path) -> List[str]:
    """What ./ladder check reads out of the file, or ./ladder run, without what frames it."""
    kind = making.RUN if "run" in mistake.marks else making.TEST
    source = making.Source("mistake.%d.%s" % (os.getpid(), lesson), path, making.PRACTICE)
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            making.make((source, kind))
            if kind == making.TEST:
                found = suite(lesson, source.program(kind))
            else:
                found = first_lines(run_program(source.program(kind), []).errors)
        except Stop as stop:
            found = stop.message.splitlines()
        finally:
            source.program(kind).unlink(missing_ok=True)
    lines = [re.sub(r"^(found|with): ", "", line) for line in [*said.getvalue().splitlines(), *found]]
    return [line for line in lines if not _FRAME.match(line)]


def _seconds() -> float:
    """That the programs which have ended took of processors: how busy the machine is does not matter."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _too_long(*_: object) -> None:
    raise Stop(1, "no verdict within %d s" % LIMIT)


def fault(mistake: Named, text: str, lines: List[str]) -> str:
    """What is wrong with the lines that are read of a mistake; "" if nothing is."""
    if not lines:
        return "nothing is said"
    place = _PLACE.match(lines[0])
    words = place[2] if place else lines[0]
    here = [number for number, line in enumerate(text.splitlines(), 1) if HERE in line]
    if here and (not place or int(place[1]) != here[0]):
        return "the first line does not name line %d" % here[0]
    if not re.match(mistake.what, words):
        return "the first line does not say '%s'" % mistake.what
    for each in mistake.marks:
        if each.startswith("not ") and any(each[4:] in line for line in lines):
            return "'%s' is said" % each[4:]
    placed = [line for line in lines if _PLACE.match(line)]
    if len(set(placed)) < len(placed):
        return "a line is said twice"
    return ""


def tried(lesson: str, mistake: Named) -> Tuple[str, List[str], float]:
    """What is wrong with what is read, the lines, and the seconds of a processor that it took."""
    os.environ["LADDER_LOCKED"] = str(making.ROOT)  # each works on files of its own
    text = apply(lesson_source(lesson).read_text(encoding="utf-8"), mistake.edits)
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / (lesson + ".mistake") / "gemm.cu"
        path.parent.mkdir()
        path.write_text(text, encoding="utf-8")
        start = _seconds()
        signal.signal(signal.SIGALRM, _too_long)
        signal.alarm(LIMIT)
        lines = lines_read(lesson, mistake, path)
        signal.alarm(0)
        seconds = _seconds() - start
    return fault(mistake, text, lines), lines, seconds


class Mistakes(unittest.TestCase):
    def test_all(self) -> None:
        if not os.environ.get("LADDER_CPU_BUILD"):
            self.skipTest("LADDER_CPU_BUILD names no build; ctest sets it")
        table = parse_table(TABLE.read_text(encoding="utf-8"), TABLE.name)
        known = {name[:2]: name for name in lessons()}
        self.assertGreaterEqual(len(table), 64)
        only = os.environ.get("ONLY", "")
        with concurrent.futures.ProcessPoolExecutor(processors(), multiprocessing.get_context("fork")) as pool:
            chosen = [each for each in table if only in "%s %s" % (each.lessons, each.name)]
            found = list(pool.map(tried, [known[each.lessons] for each in chosen], chosen))
        wrong = []
        for each, (why, lines, seconds) in zip(chosen, found):
            said = "%s %s (%.1f s): %s\n    %s" % (each.lessons, each.name, seconds, why or "as wanted", "\n    ".join(lines))
            if os.environ.get("SHOW"):
                print(said)
            wrong += [said] if why or seconds > PATIENCE else []
        self.assertFalse(wrong, "\n".join(wrong))


if __name__ == "__main__":
    unittest.main()
