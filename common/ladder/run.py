"""./ladder run"""
import pathlib
import time
from typing import Any, Dict, List

from ladder import (MACHINE, ROOT, USAGE, Run, Table, backend, check_status, colour, confirm_long,
                    die, estimate, first_lines, lessons, need, need_architecture, remember_time,
                    run_with_estimate, say, split_options, split_words)
from ladder.judging.exercises import source_folder
from ladder.judging.files import build_folders, is_practice, program_of, told

ORDER = 10
HELP = """\
run [LESSON...] [M N K] [--OPTION...] [--yes]
the lessons (all of them by default) checked against a reference and, on a GPU, timed
beside cuBLAS. Options go to each program: --alpha a, --beta b, --lda n, --ldb n, --ldc n,
--reps r, --seed s, --flush-l2, --exact, --no-check, --json, --device d, --device-info.
02.1 or practice/02_coalesced is your file in practice/. More than an hour takes --yes.
"""
_DEFAULT = {"cpu": 256, "gpu": 4096}


def figure(form: str, value: float) -> str:
    return form % value if value > 0 else "-"


def number(result: Dict[str, Any], key: str) -> float:
    value = result.get(key)
    return float(value) if isinstance(value, (int, float)) else 0.0


class Report:
    """The table of ./ladder run, a row as soon as its program has ended."""

    def __init__(self, where: str):
        self.where = where
        gpu = [-22, 10, 9, 9, 8, 9, 0]
        self.table = Table([-22, 0] if where == "cpu" else gpu)
        self.shown = False
        self.below = ("", 0.0)  # the last row's number and TFLOP/s

    def header(self, result: Dict[str, Any]) -> None:
        where = result.get("gpu") if self.where == "gpu" else "the CPU backend"
        print("M N K = %s %s %s, alpha %s, beta %s, on %s" %
              (*(result.get(key) for key in ("M", "N", "K", "alpha", "beta")), where))
        words = ["lesson", "result"] if self.where == "cpu" else [
            "lesson", "ms", "TFLOP/s", "% cuBLAS", "% peak", "vs below", " result"]
        self.table.row(*words)
        self.shown = True

    def row(self, name: str, run: Run) -> None:
        for line in first_lines(run.printed):
            print(line, flush=True)
        if not self.shown:
            self.header(run.result)
        verdict = str(run.result.get("verdict"))
        verdict = colour(verdict, "green" if run.status == 0 else "red")
        speed = number(run.result, "tflops")
        if self.where == "cpu":
            self.table.row(name, verdict)
        else:
            times = run.result.get("ms")
            base, peak = (number(run.result, key) for key in ("baseline_tflops", "peak_tflops"))
            step = speed / self.below[1] if self.follows(name) else 0
            self.table.row(name, figure("%.3f", times["median"] if times else 0),
                           figure("%.2f", speed), figure("%.1f", base and 100 * speed / base),
                           figure("%.1f", peak and 100 * speed / peak), figure("%.2fx", step),
                           " " + verdict)
        self.below = ("" if is_practice(name) else name[:2], speed)

    def follows(self, name: str) -> bool:
        """The row above is the rung below."""
        return (bool(self.below[0]) and not is_practice(name) and
                int(self.below[0]) == int(name[:2]) - 1 and self.below[1] > 0)


def estimates(where: str, names: List[str], sizes: List[str], yes: bool) -> Dict[str, float]:
    """Seconds that each lesson will take; {} for usual sizes, which do not take long."""
    if sizes and not all(word.isascii() and word.isdigit() and int(word) < 2**31 for word in sizes):
        return {}  # the program says what is wrong with them
    values = [int(word) for word in sizes] or [_DEFAULT[where]] * 3
    if float(values[0] + 64) * (values[1] + 64) * (values[2] + 64) <= 1.01 * (_DEFAULT[where] + 64)**3:
        return {}
    found = {name: estimate(where, program_of(name, where), name, values) for name in names}
    confirm_long(sum(found.values()), yes, "this")
    return found


def run_all(where: str, names: List[str], sizes: List[str], options: List[str], yes: bool) -> int:
    """Runs each program. Usage and device errors end it, since the next would say the same."""
    worst = 0
    json_only = "--json" in options
    table = Report(where)
    expected = {} if "--device-info" in options else estimates(where, names, sizes, yes)
    for at, name in enumerate(names):
        program = program_of(name, where)
        what = "[ %d of %d ] %s" % (at + 1, len(names), name)
        start = time.monotonic()
        run = run_with_estimate(program, [*sizes, *options], what, expected.get(name, 0.0),
                                "--device-info" not in options)
        for line in first_lines(told(name, run.errors) if is_practice(name) else run.errors, 12):
            say(line)
        check_status(run, program)
        if run.status >= 2:
            return run.status
        worst = max(worst, run.status)
        if "--device-info" in options:
            print(run.printed, end="")
            return worst
        if not run.result:
            die(MACHINE, "%s printed no result" % name)
        remember_time(where, name, [int(run.result[key]) for key in "MNK"], time.monotonic() - start)
        if json_only:
            print(run.printed, end="")
            print(run.line, flush=True)
        else:
            table.row(name, run)
    if not json_only:
        hint(where, names)
    return worst


def hint(where: str, names: List[str]) -> None:
    """What to look at next: the first lesson after all of them, else this one."""
    name = next((each for each in names if not is_practice(each)), names[0])
    if len(names) > 1 and not is_practice(name):
        print("Next, without a GPU too: what lesson %s asks of the memory system, ./ladder explain %s" %
              (name[:2], name[:2]))
        print("                         and what the lesson after it changes, ./ladder diff %02d" %
              (int(name[:2]) + 1))
    elif where == "cpu" and is_practice(name):
        word = pathlib.Path(name).name
        print("What it asks of the memory system, beside the lesson: ./ladder explain %s --against %s" %
              (word if "." in word else name, word[:2]))
    elif where == "cpu":
        print("What a GPU's memory system would do, line by line: ./ladder explain %s" % name[:2])


def main(arguments: List[str]) -> int:
    words, own, options = split_options(arguments, "run", {"--yes": False}, programs=True)
    names, sizes = split_words(words, source_folder)
    names = names or list(lessons())
    if not names:
        die(USAGE, "there is no lesson in %s" % ROOT)
    need_architecture(names)
    where = backend()
    need("gpu" if where == "gpu" else "test" if any(map(is_practice, names)) else "run")
    build_folders(where, names)
    return run_all(where, names, sizes, options, "--yes" in own)
