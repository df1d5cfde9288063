"""run [LESSON...] [M N K]: check lessons against a reference and, on a GPU, time them against cuBLAS

Without names it runs all nine lessons. For your own file in practice/, write 02.1 or practice/02_coalesced. Without a
GPU the lessons run on the CPU backend, checked but not timed.
"""
import argparse
import pathlib
import time
from typing import Any, Dict, List

from ladder import (MACHINE, ROOT, USAGE, Run, Table, backend, check_status, colour, die, expected_times, find_nvcc,
                    first_lines, has_gpu, lessons, need, need_architecture, remember_time, run_with_estimate, say,
                    split_words)
from ladder.judging.exercises import source_folder
from ladder.judging.files import build_folders, is_practice, program_of, with_practice_path
from ladder.lib.arguments import Parser

def figure(form: str, value: float) -> str:
    return form % value if value > 0 else "-"


def number(result: Dict[str, Any], key: str) -> float:
    value = result.get(key)
    return float(value) if isinstance(value, (int, float)) else 0.0


class Report:
    """The table of ./ladder run; a row is printed as soon as its program has ended."""

    def __init__(self, where: str):
        self.where = where
        gpu = [-23, 10, 9, 9, 8, 9, 0]
        self.table = Table([-23, 0] if where == "cpu" else gpu)
        self.shown = False
        self.previous = ("", 0.0)  # number and TFLOP/s of the row above

    def header(self, result: Dict[str, Any]) -> None:
        where = result.get("gpu") if self.where == "gpu" else "the CPU backend"
        M, N, K, alpha, beta = (result.get(key) for key in ("M", "N", "K", "alpha", "beta"))
        print(f"M N K = {M} {N} {K}, alpha {alpha}, beta {beta}, on {where}")
        words = ["lesson", "result"] if self.where == "cpu" else [
            "lesson", "ms", "TFLOP/s", "% cuBLAS", "% peak", "speedup", " result"]
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
            step = speed / self.previous[1] if self.follows(name) else 0
            self.table.row(name, figure("%.3f", times["median"] if times else 0),
                           figure("%.2f", speed), figure("%.1f", base and 100 * speed / base),
                           figure("%.1f", peak and 100 * speed / peak), figure("%.2fx", step),
                           " " + verdict)
        self.previous = ("" if is_practice(name) else name[:2], speed)

    def follows(self, name: str) -> bool:
        """Whether the row above is the previous lesson."""
        return (bool(self.previous[0]) and not is_practice(name) and
                int(self.previous[0]) == int(name[:2]) - 1 and self.previous[1] > 0)


def run_all(where: str, names: List[str], sizes: List[str], options: List[str], yes: bool) -> int:
    """Runs each program. Stops at a usage or device error, since the next program would report the same."""
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
        for line in first_lines(with_practice_path(name, run.errors) if is_practice(name) else run.errors, 12):
            say(line)
        check_status(run, program)
        if run.status >= 2:
            return run.status
        worst = max(worst, run.status)
        if "--device-info" in options:
            print(run.printed, end="")
            return worst
        if not run.result:
            return MACHINE  # the program's messages, or the reason why there are none, are printed above
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
    """Prints a command to try next."""
    name = next((each for each in names if not is_practice(each)), names[0])
    number = name[:2]
    if len(names) > 1 and not is_practice(name):
        print(f"Next, also without a GPU: the memory traffic of lesson {number}: ./ladder explain {number}")
        print(f"                          the changes to the lesson after it: ./ladder diff {int(number) + 1:02d}")
    elif where == "cpu" and is_practice(name):
        word = pathlib.Path(name).name
        print("Next: its memory traffic, compared with the lesson's: ./ladder explain "
              f"{word if '.' in word else name} --against {word[:2]}")
    elif where == "cpu":
        print(f"Next: the memory traffic line by line: ./ladder explain {number}")


def arguments(parser: Parser) -> None:
    parser.words("LESSON", "lessons, as 02_coalesced, coalesced, 02 or 2, then sizes M N K")
    parser.add_argument("--yes", action="store_true", help="run even if it will take more than an hour")
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
