"""run [LESSON...] [M N K]: check lessons against a reference and, on a GPU, time them beside cuBLAS

All nine lessons where none is named. 02.1 or practice/02_coalesced is your file in practice/. Without a GPU they run on
the CPU backend, checked, without timings.
"""
import argparse
import pathlib
import time
from typing import Any, Dict, List

from ladder import (MACHINE, ROOT, USAGE, Run, Table, backend, check_status, colour, die, expected_times, find_nvcc,
                    first_lines, has_gpu, lessons, need, need_architecture, remember_time, run_with_estimate, say, split_words)
from ladder.judging.exercises import source_folder
from ladder.judging.files import build_folders, is_practice, program_of, told
from ladder.lib.arguments import Parser

def figure(form: str, value: float) -> str:
    return form % value if value > 0 else "-"


def number(result: Dict[str, Any], key: str) -> float:
    value = result.get(key)
    return float(value) if isinstance(value, (int, float)) else 0.0


class Report:
    """The table of ./ladder run, a row as soon as its program has ended."""

    def __init__(self, where: str):
        self.where = where
        gpu = [-23, 10, 9, 9, 8, 9, 0]
        self.table = Table([-23, 0] if where == "cpu" else gpu)
        self.shown = False
        self.below = ("", 0.0)  # the last row's number and TFLOP/s

    def header(self, result: Dict[str, Any]) -> None:
        where = result.get("gpu") if self.where == "gpu" else "the CPU backend"
        M, N, K, alpha, beta = (result.get(key) for key in ("M", "N", "K", "alpha", "beta"))
        print(f"M N K = {M} {N} {K}, alpha {alpha}, beta {beta}, on {where}")
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


def run_all(where: str, names: List[str], sizes: List[str], options: List[str], yes: bool) -> int:
    """Runs each program. Usage and device errors end it, since the next would say the same."""
    worst = 0
    json_only = "--json" in options
    table = Report(where)
    expected = {} if "--device-info" in options else expected_times(
        where, {name: program_of(name, where) for name in names}, sizes, yes)
    for at, name in enumerate(names):
        program = program_of(name, where)
        what = f"[ {at + 1} of {len(names)} ] {name}"
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
            return MACHINE  # the program's own words, or why there are none, stand above
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
    number = name[:2]
    if len(names) > 1 and not is_practice(name):
        print(f"Next, without a GPU too: what lesson {number} asks of the memory system, ./ladder explain {number}")
        print(f"                         and what the lesson after it changes, ./ladder diff {int(number) + 1:02d}")
    elif where == "cpu" and is_practice(name):
        word = pathlib.Path(name).name
        print("What it asks of the memory system, beside the lesson: ./ladder explain "
              f"{word if '.' in word else name} --against {word[:2]}")
    elif where == "cpu":
        print(f"What a GPU's memory system would do, line by line: ./ladder explain {number}")


def arguments(parser: Parser) -> None:
    parser.words("LESSON", "lessons, as 02_coalesced, coalesced, 02 or 2, and sizes M N K behind them")
    parser.add_argument("--yes", action="store_true", help="even if it will take more than an hour")
    parser.pass_on()


def main(args: argparse.Namespace) -> int:
    names, sizes = split_words(args.words, source_folder)
    names = names or list(lessons())
    if not names:
        die(USAGE, f"there is no lesson in {ROOT}")
    need_architecture(names, cpu=not has_gpu() or not find_nvcc())
    where = backend()
    if where == "gpu":
        need("gpu")
    build_folders(where, names)
    return run_all(where, names, sizes, args.passed, args.yes)
