"""The messages for the mistakes in mistakes.txt. Each file is compiled and run as ./ladder check does it or, with the mark
"run", as ./ladder run does. ONLY=endless or ONLY="02 no_" selects some. SHOW=1 prints the messages."""
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
from ladder.lib.errors import short_failure
from ladder.lib.programs import first_lines, run_program

TABLE = pathlib.Path(__file__).with_name("mistakes.txt")
HERE = "HERE"  # marks the line that the message must name
LIMIT = 120  # seconds for a verdict, on a slow and busy machine
_FRAME = re.compile(r"building for the cpu failed|first failure: |repeat: |problem \d+ of seed|"
                    r"(\[.*\] )?(compiling|testing) ")
_PLACE = re.compile(r"(?:\S*/)?gemm\.cu:(\d+):(?:\d+:)? (?:(?:fatal )?error: |warning: )?(.*)")


def messages(lesson: str, mistake: Named, path: pathlib.Path) -> List[str]:
    """The lines that ./ladder check or ./ladder run prints for the file, without their frame."""
    kind = making.RUN if "run" in mistake.marks else making.TEST
    source = making.Source("mistake.%d.%s" % (os.getpid(), lesson), path, making.PRACTICE)
    stderr = io.StringIO()
    with contextlib.redirect_stderr(stderr):
        try:
            making.make((source, kind))
            if kind == making.TEST:
                found = suite(lesson, source)
            else:
                found = first_lines(run_program(source.program(kind), []).errors)
        except Stop as stop:
            found = stop.message.splitlines()
        finally:
            for each in (kind, making.QUICK):
                source.program(each).unlink(missing_ok=True)
    lines = [re.sub(r"^(found|with): ", "", line) for line in [*stderr.getvalue().splitlines(), *found]]
    return [line for line in lines if not _FRAME.match(line)]


def _seconds() -> float:
    """The processor time of all ended child processes. It does not depend on how busy the machine is."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _too_long(*_: object) -> None:
    raise Stop(1, "no verdict within %d s" % LIMIT)


def fault(mistake: Named, text: str, lines: List[str]) -> str:
    """The fault of a mistake's messages, "" if there is none."""
    if not lines:
        return "there is no message"
    place = _PLACE.match(lines[0])
    message = place[2] if place else lines[0]
    here = [number for number, line in enumerate(text.splitlines(), 1) if HERE in line]
    if here and (not place or int(place[1]) != here[0]):
        return "the first line does not name line %d" % here[0]
    if not re.match(mistake.what, message):
        return "the first line does not match '%s'" % mistake.what
    for each in mistake.marks:
        if each.startswith("not ") and any(each[4:] in line for line in lines):
            return "a line contains '%s'" % each[4:]
    placed = [line for line in lines if _PLACE.match(line)]
    if len(set(placed)) < len(placed):
        return "a line occurs twice"
    return ""


def tried(lesson: str, mistake: Named) -> Tuple[str, List[str], float]:
    """The fault of the messages, the messages, and the processor time in seconds."""
    os.environ["LADDER_LOCKED"] = str(making.ROOT)  # needs no lock: each works on its own files
    text = apply(lesson_source(lesson).read_text(encoding="utf-8"), mistake.edits)
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / (lesson + ".mistake") / "gemm.cu"
        path.parent.mkdir()
        path.write_text(text, encoding="utf-8")
        start = _seconds()
        signal.signal(signal.SIGALRM, _too_long)
        signal.alarm(LIMIT)
        lines = messages(lesson, mistake, path)
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
            report = "%s %s (%.1f s): %s\n    %s" % (each.lessons, each.name, seconds, why or "as expected",
                                                     "\n    ".join(lines))
            if os.environ.get("SHOW"):
                print(report)
            wrong += [report] if why else []
        self.assertFalse(wrong, "\n".join(wrong))


OUTPUT = """\
In file included from practice/08/gemm.cu:8:
common/simt/include/cuda/mma.h: In instantiation of 'class X':
practice/08/gemm.cu:58:20:   required from here
common/simt/include/cuda/mma.h:84:32: error: static assertion failed: no fragment
   84 |       exists<input, M, N, K, T>(),
In file included from practice/08/gemm.cu:9:
practice/08/own.h:3:1: error: 'foo' does not name a type
    3 | foo x;
      | ^~~
practice/08/gemm.cu:90:60: error: expected ']'
   90 | short line
      |                                                            ^
practice/08/gemm.cu:33:46: error: non-constant condition for static assertion
practice/08/gemm.cu:33:46: error: division by zero is not a constant expression
"""


class Shortened(unittest.TestCase):
    def test_errors_in_headers_and_of_macros(self) -> None:
        """The line that led to a header's error, no caret beyond its line, and of two errors the cause."""
        self.assertEqual(short_failure(OUTPUT), [
            "practice/08/gemm.cu:58: error: static assertion failed: no fragment",
            "practice/08/own.h:3:1: error: 'foo' does not name a type", "    3 | foo x;", "      | ^~~",
            "practice/08/gemm.cu:90:60: error: expected ']'", "   90 | short line",
            "practice/08/gemm.cu:33:46: error: division by zero is not a constant expression"])
