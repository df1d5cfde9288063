"""Lesson programs: their options, output and run time."""
import contextlib
import json
import os
import pathlib
import secrets
import signal
import tempfile
import time
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence

from ladder.lib.errors import learner_path
from ladder.lib.output import MACHINE, USAGE, Progress, die, duration, say
from ladder.lib.work import BUILD, Started, execute, replace_file

_LONG = 3600.0  # seconds beyond which a run needs --yes
_USUAL = {"cpu": 256, "gpu": 4096}  # M, N and K up to which no estimate is printed
_RATES = BUILD / "rates.json"
_MOST_LINES = 20
_LONGEST = 1000  # characters of a line


class Run(NamedTuple):
    """One run of a program. result: its JSON object or {}; printed: the kernel's output before it; errors: its stderr;
    found: errors and notes of the CPU backend, the first one first (common/simt/docs/report.md)."""
    status: int
    result: Dict[str, Any]
    printed: str
    errors: str
    found: Sequence[Dict[str, Any]] = ()
    line: str = ""  # the object as the program wrote it


def read_json(path: pathlib.Path) -> Dict[str, Any]:
    """The JSON object in a file of build/; {} if it is missing or damaged."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def remember(path: pathlib.Path, key: str, value: object) -> None:
    """Stores a value in a JSON file of build/, for estimates, so it ignores a disk that is full."""
    with contextlib.suppress(OSError):
        replace_file(path, json.dumps({**read_json(path), key: value}, indent=1, sort_keys=True) + "\n")


def run_program(program: pathlib.Path, arguments: Sequence[str],
                tick: Optional[Callable[[str], None]] = None, limit: float = 0.0) -> Run:
    """Runs a program that ends its stdout with a JSON object (adds --json if needed).

    A kernel or gemm() may print such an object, too, so the program's must contain the random LADDER_CLOSING.
    """
    arguments = list(arguments) + ([] if "--json" in arguments else ["--json"])
    closing = secrets.token_hex(8)
    with tempfile.NamedTemporaryFile("r", encoding="utf-8", errors="replace") as file:
        with Started([program, *arguments], limit=limit, LADDER_CLOSING=closing, SIMT_ERRORS=file.name) as started:
            done = started.wait(tick)
        found = [json.loads(line) for line in file if line.endswith("}\n")]
    sign = ', "closing": "%s"' % closing
    # A kernel's printf without a newline may precede it on the line.
    for begin in (done.out.rstrip().rfind("\n") + 1, done.out.rfind('{"lesson"')):
        text = done.out[max(begin, 0):]
        try:
            result = json.loads(text.replace(sign, ""))
        except ValueError:
            continue
        if sign in text:
            return Run(done.status, result, done.out[:begin], done.err, found, text.replace(sign, "").strip())
    early = "%s ended with status %d without a result; does gemm() call exit() or _Exit()?\n" % (
        program.name, done.status)
    return Run(done.status, {}, done.out, done.err or ("" if done.status < 0 else early), found)


def line_in(path: pathlib.Path, error: Dict[str, Any]) -> int:
    """The line of a file that an error of the CPU backend is about; the file may call a function of a header. 0 if it is
    about none."""
    places = error["here"], error["here"].get("call", {})
    return next((each["line"] for each in places if os.path.realpath(each.get("file", "")) == os.path.realpath(path)), 0)


def first_lines(text: str, count: int = _MOST_LINES) -> List[str]:
    """The first lines of text and the number of the others, with the paths that a learner knows."""
    lines = text.splitlines()
    more = len(lines) - count
    kept = [learner_path(line[:_LONGEST]) for line in lines[:count + (more == 1)]]
    return kept if more <= 1 else kept + ["... and %d more lines" % more]


def death(program: pathlib.Path, status: int) -> str:
    """A line about a program that a signal ended."""
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = "signal %d" % -status
    return "%s died (%s)" % (program.name, name)


# ---- estimates of the run time ---------------------------------------------------------------------


def _work(sizes: Sequence[int]) -> float:
    """The multiply-adds of a kernel that computes whole tiles of 64, and at least 16 along K for the launch."""
    m, n, k = sizes
    up = [(size + 63) // 64 * 64 for size in (m, n)]
    return float(up[0]) * up[1] * max(k, 16)


def remember_time(backend: str, name: str, sizes: Sequence[int], seconds: float) -> None:
    """Stores the rate of a run for estimates, unless a larger problem is known, which is more accurate."""
    work = _work(sizes)
    old = read_json(_RATES).get("%s %s" % (backend, name))
    if seconds > 0 and work > 0 and (not isinstance(old, dict) or work >= old.get("work", 0)):
        remember(_RATES, "%s %s" % (backend, name), {"work": work, "seconds": round(seconds, 4)})


def estimate(backend: str, program: pathlib.Path, name: str, sizes: Sequence[int]) -> float:
    """The seconds that a program will take for these sizes: from the stored rate for this backend and name, else from a
    small problem that it runs now. 0 if that fails."""
    rate = read_json(_RATES).get("%s %s" % (backend, name))
    small = [min(size, 128 if backend == "cpu" else 2048) for size in sizes]
    if not isinstance(rate, dict) or not rate.get("work") or not rate.get("seconds"):
        start = time.monotonic()
        if run_program(program, [str(size) for size in small]).status not in (0, 1):
            return 0.0
        seconds = time.monotonic() - start
        remember_time(backend, name, small, seconds)
        rate = {"work": max(_work(small), 1.0), "seconds": seconds}
    return rate["seconds"] * _work(sizes) / rate["work"]


def expected_times(backend: str, programs: Mapping[str, pathlib.Path], sizes: Sequence[str],
                   yes: bool) -> Dict[str, float]:
    """The seconds that each program will take, by name; {} for small sizes. Prints a long estimate, and ends the
    command if it is beyond an hour without yes."""
    if sizes and not all(word.isascii() and word.isdigit() and int(word) < 2**31 for word in sizes):
        return {}  # the program reports what is wrong with them
    usual = _USUAL[backend]
    m, n, k = (int(word) + 64 for word in sizes or [usual] * 3)
    if float(m) * n * k <= 1.01 * (usual + 64)**3:
        return {}
    found = {name: estimate(backend, path, name, [int(word) for word in sizes]) for name, path in programs.items()}
    seconds = sum(found.values())
    if seconds > _LONG and not yes:
        die(USAGE, f"this would take about {duration(seconds)}; add --yes to run it anyway")
    if seconds > 20:
        say(f"this will take about {duration(seconds)}")
    return found


def run_with_estimate(program: pathlib.Path, arguments: Sequence[str], what: str,
                      expected: float, json_output: bool = True, limit: float = 0.0) -> Run:
    """run_program() with progress: what, the time so far and the expected time."""
    with Progress(what) as progress:
        def tick(_: str) -> None:
            left = expected - progress.elapsed()
            progress.tick(left=", about %s left" % duration(left) if left >= 1 else
                          " of about %s" % duration(expected) if expected > 2 else "")
        if json_output:
            return run_program(program, arguments, tick, limit)
        done = execute([program, *arguments], tick)
        return Run(done.status, {}, done.out, done.err)


def check_status(run: Run, program: pathlib.Path) -> None:
    """Ends the command with the program's messages if a signal ended it."""
    if run.status < 0:
        die(MACHINE, "\n".join([death(program, run.status), *first_lines(run.errors, 10)]))
