"""test [LESSON...]: run the tests, on the CPU backend and, if there is one, on the GPU

For each lesson it tests random problems and the counts of its kernels, then, if these pass, the suite. Without a name
it also tests the harness, and with --all the commands and the CPU backend.
"""
import argparse
import contextlib
import os
import pathlib
import re
import time
from typing import Dict, List, Tuple

from ladder import (BUILD, ROOT, Progress, backend, build, colour, duration, find_nvcc, has_gpu, lesson,
                    need_architecture, not_on_cpu, processors, read_json, say)
from ladder.lib.arguments import Parser
from ladder.lib.failures import Row, describe, read_rows
from ladder.lib.machine import can_install, install, missing
from ladder.lib.programs import remember
from ladder.lib.work import LOG, Done, Started, check_disk, last_lines

# Estimates for a first run: seconds on the CPU backend with 2 cores from a fresh clone, build included.
_FIRST = {"usual": 240, "one": 60}
_TIMES = BUILD / "times.json"
_NAMES = {"gpu": "GPU", "cpu": "CPU backend"}


def tell_time(key: str, kind: str, lessons: int) -> Tuple[float, bool]:
    """Says how long the tests will take; returns the seconds (0 if unknown), and whether they include the build."""
    last = read_json(_TIMES).get(key)
    if isinstance(last, (int, float)):
        say("the tests took %s last time" % duration(last))
        return float(last), False
    first = _FIRST.get("one" if lessons == 1 and kind == "usual" else "" if lessons else kind)
    if first:
        say("first test run: about %s on 2 cores, including the build" % duration(first))
    else:
        say("first test run: no time estimate yet")
    return float(first or 0), True


def run_stages(selects: Dict[str, List[str]], left_out: str, expected: float) -> Dict[str, List[Row]]:
    """Runs the tests labelled "first" and, in each build where none of them fails, the others.

    selects: by build, ctest's arguments that select tests. left_out: labels to skip, as in "long|variant"; expected:
    seconds.
    """
    start = time.monotonic()
    rows = run_rows({where: [*select, "-L", "^first$"] for where, select in selects.items()}, expected)
    left_out = f"^({left_out}|first)$" if left_out else "^first$"
    right = {where: [*select, "-LE", left_out] for where, select in selects.items()
             if all(row.status != "failed" for row in rows[where])}
    for where, others in run_rows(right, expected - (time.monotonic() - start)).items():
        rows[where] += others
    return rows


def run_rows(selects: Dict[str, List[str]], expected: float) -> Dict[str, List[Row]]:
    """Runs tests of all these builds at the same time, and prints only progress. A GPU's tests use few cores."""
    def step(_: str) -> None:
        for where, each in started.items():
            for line in each.pipes[0].last_lines():  # lines about tests that begin stand between
                found = re.match(r" *(\d+)/(\d+) Test", line)
                if found:
                    state[where] = int(found[1]), int(found[2])
        ended, total = (sum(each[i] for each in state.values()) for i in (0, 1))
        left = expected - progress.elapsed()
        # Without an estimate no time is shown. The longest tests run first, so an extrapolation would mislead.
        progress.tick("[ %d of %d ]" % (ended, total) if total else "",
                      ", about %s left" % duration(left) if left > 1 else "")

    if not selects:
        return {}
    state = {where: (0, 0) for where in selects}
    what = "testing on the " + " and the ".join(_NAMES[where] for where in selects)
    with open(LOG, "wb", buffering=0) as log, Progress(what) as progress, contextlib.ExitStack() as stack:
        started: Dict[str, Started] = {}
        for where, select in selects.items():
            _results(where).unlink(missing_ok=True)
            command = ["ctest", "--preset", where, "-j", processors(), "--output-junit", _results(where), *select]
            started[where] = stack.enter_context(Started(command, log, tools=True))
        ended = {where: each.wait(step) for where, each in started.items()}
    return {where: _rows(where, done) for where, done in ended.items()}


def _results(where: str) -> pathlib.Path:
    """The file with ctest's results."""
    return BUILD / where / "tests.xml"


def _rows(where: str, done: Done) -> List[Row]:
    rows = read_rows(_results(where))
    if not rows:
        check_disk(done)
        say("\n".join([f"ctest ended without results (status {done.status}):", *last_lines(done.out, 8)]))
        return [Row("ctest", "failed", 0.0, done.out)]
    return rows


def report(rows: Dict[str, List[Row]], seconds: float) -> int:
    """Prints the first failure, the names of the others, and the counts of each backend. Returns 0 if none failed."""
    failed = [(where, row) for where in rows for row in rows[where] if row.status == "failed"]
    failed.sort(key=lambda each: not each[1].name[:2].isdigit())
    for where, row in failed[:1]:
        print(colour("FAILED: %s" % row.name, "red"))
        log = os.path.relpath(BUILD / where / "Testing" / "Temporary" / "LastTest.log", ROOT)
        for line in describe(row, log):
            print("  " + line)
    others = [row.name for _, row in failed[1:]]
    if others:
        more = len(others) - 8
        print("also failed: %s%s" % (", ".join(others[:8]), " and %d more" % more if more > 0 else ""))
    texts = [("%s: " % _NAMES[where] if len(rows) > 1 else "") + counts(each) for where, each in rows.items()]
    print(colour("%s, in %s" % ("; ".join(texts), duration(seconds)), "red" if failed else "green"))
    passed = all(any(row.status == "passed" for row in each) for each in rows.values())
    return 1 if failed or not passed else 0


def counts(rows: List[Row]) -> str:
    """How many tests of one backend passed, failed and were skipped."""
    count = {status: sum(row.status == status for row in rows) for status in ("passed", "failed", "skipped")}
    text = "%d passed, %d failed" % (count["passed"], count["failed"])
    if count["skipped"]:
        on_gpu = all(row.name.endswith(".gpu") for row in rows if row.status == "skipped")
        text += ", %d skipped (%s need a GPU)" % (count["skipped"], "they" if on_gpu else "most")
    return text


def backends_for(names: List[str]) -> List[str]:
    """Where the tests run. Installs missing packages; if the CPU backend is unavailable, the GPU alone is enough."""
    lacking = missing("test")
    boost = [each for each in lacking if each[0] == "libboost-context-dev"]
    only_gpu = bool(names) and all(map(not_on_cpu, names))  # the CPU backend can run none of them
    if has_gpu() and find_nvcc() and boost and (only_gpu or not can_install()):
        lacking.remove(boost[0])
        if not only_gpu:
            say("%s is not installed: skipping the tests on the CPU backend" % boost[0][0])
        only_gpu = True
    if lacking:
        install(lacking)
    return ["cpu"] if backend() != "gpu" else ["gpu"] if only_gpu else ["gpu", "cpu"]


def arguments(parser: Parser) -> None:
    parser.words("LESSON")
    parser.add_argument("--all", action="store_true", help="also test large sizes, special values at every position, "
                        "more random problems, edited copies that must be correct, all planted bugs, which must be "
                        "caught (CPU), and offsets beyond 2^31 (on a GPU with at least 24 GiB)")


def main(args: argparse.Namespace) -> int:
    names = [lesson(word) for word in args.words]
    kind = "all" if args.all else "usual"
    need_architecture(names, cpu=not has_gpu() or not find_nvcc())
    backends = backends_for(names)
    key = " ".join(["+".join(backends), kind, *sorted(set(names))])
    expected, with_build = tell_time(key, kind, len(set(names)))
    select = ["-R", "^(%s)[.]" % "|".join(names)] if names else []
    left_out, suffix = ("long|variant", ".usual") if kind == "usual" else ("", ".cases")
    start = time.monotonic()
    selects: Dict[str, List[str]] = {}
    for where in backends:
        targets = [name + suffix for name in names if where == "gpu" or not not_on_cpu(name)]
        targets = targets or ["usual_tests" if kind == "usual" else "all"]
        build(where, *targets, tests=True)
        # The CPU build lists each .gpu test as skipped, but it runs on the GPU.
        selects[where] = select + (["-E", "[.]gpu$"] if backends == ["gpu", "cpu"] and where == "cpu" else [])
    built = time.monotonic()
    rows = run_stages(selects, left_out, expected - (built - start if with_build else 0))
    status = report(rows, time.monotonic() - start)
    if status == 0:
        remember(_TIMES, key, round(time.monotonic() - built, 1))
    return status
