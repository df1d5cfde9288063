"""test [LESSON...]: run the tests, on the CPU backend and, if there is one, on the GPU

For each lesson it tests random problems and the counts of its kernels, then, if these pass, the suite. Without a name
it also tests the harness, and with --all the commands and the CPU backend.
"""
import argparse
import json
import os
import re
import time
from typing import Dict, List, Tuple

from ladder import (BUILD, ROOT, Progress, backend, build, colour, duration, find_nvcc, has_gpu, lesson,
                    need_architecture, not_on_cpu, processors, quietly, read_json, replace_file, say)
from ladder.lib.arguments import Parser
from ladder.lib.failures import Row, describe, read_rows
from ladder.lib.machine import can_install, install, missing
from ladder.lib.work import check_disk, last_lines

# Estimates for a first run: seconds on the CPU backend with 2 cores from a fresh clone, build included.
_FIRST = {"usual": 240, "one": 60}
_TIMES = BUILD / "times.json"
_NAMES = {"gpu": "GPU", "cpu": "CPU backend"}


def remember(key: str, seconds: float) -> None:
    times = read_json(_TIMES)
    times[key] = round(seconds, 1)
    try:
        replace_file(_TIMES, json.dumps(times, indent=1, sort_keys=True) + "\n")
    except OSError:
        pass  # it is an estimate


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


def run_stages(where: str, select: List[str], left_out: str, expected: float) -> List[Row]:
    """Runs the tests of one build labelled "first" and, unless one of them fails, the others. left_out: labels to skip,
    as in "long|variant"; expected: seconds."""
    start = time.monotonic()
    first = run_rows(where, [*select, "-L", "^first$"], expected)
    if any(row.status == "failed" for row in first):
        return first
    left_out = f"^({left_out}|first)$" if left_out else "^first$"
    return first + run_rows(where, [*select, "-LE", left_out], expected - (time.monotonic() - start))


def run_rows(where: str, select: List[str], expected: float) -> List[Row]:
    """Runs tests of one build, and prints only progress."""
    path = BUILD / where / "tests.xml"
    if path.exists():
        path.unlink()

    def step(progress: Progress, line: str) -> None:
        found = re.match(r" *(\d+)/(\d+) Test", line)
        if found:
            state[:] = map(int, found.groups())
        left = expected - progress.elapsed()
        if left > 1:
            progress.tick("[ %d of %d ]" % tuple(state) if state[1] else "", ", about %s left" % duration(left))
        else:  # no estimate, or it takes longer: extrapolate from the finished tests
            progress.count(*state)

    state = [0, 0]
    what = "testing on the " + _NAMES[where]
    done = quietly(what, ["ctest", "--preset", where, "-j", processors(), "--output-junit", path,
                          *select], step)
    rows = read_rows(path)
    if not rows:
        check_disk(done)
        say("\n".join(["ctest ended without results (status %d):" % done.status,
                       *last_lines(done.out, 8)]))
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
    testing = 0.0
    rows: Dict[str, List[Row]] = {}
    for where in backends:
        targets = [name + suffix for name in names if where == "gpu" or not not_on_cpu(name)]
        targets = targets or ["usual_tests" if kind == "usual" else "all"]
        build(where, *targets, tests=True)
        # The CPU build lists each .gpu test as skipped, but it has just run on the GPU.
        skip = ["-E", "[.]gpu$"] if backends == ["gpu", "cpu"] and where == "cpu" else []
        built = time.monotonic()
        spent = built - start if with_build else testing
        rows[where] = run_stages(where, select + skip, left_out, expected - spent)
        testing += time.monotonic() - built
    status = report(rows, time.monotonic() - start)
    if status == 0:
        remember(key, testing)
    return status
