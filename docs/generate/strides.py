"""The part "strides LESSON" of docs/learn/row_strides.md: how row strides load the L1 cache in lessons 00 and 01. The
counts are those of docs/results/stride-h200.json, beside a model."""
import math
from typing import Dict, List

from .results import Trouble, read, table

NAME = "stride-h200.json"
LINE = 32  # floats in a cache line; there are as many banks
# Passes for each FMA of a warp that do not depend on strides. Lesson 00: B. Lesson 01: reads of As and Bs, stores.
OTHER = {"00_naive": 1.0, "01_shared_tile": 9.0 + 2.0}
WARP_LOADS = {"00_naive": {"lda": 1.0}, "01_shared_tile": {"lda": 1 / 32, "ldb": 1 / 32}}  # for each FMA


def strides(arguments: str) -> Dict[str, int]:
    """M, N, K and the row strides, in floats, from a program's arguments "M N K [--lda n] ..."."""
    words = arguments.split()
    sizes = dict(zip("MNK", map(int, words[:3])))
    given = {name[2:]: int(value) for name, value in zip(words[3::2], words[4::2])}
    return {**sizes, "lda": sizes["K"], "ldb": sizes["N"], "ldc": sizes["N"], **given}


def predicted(lesson: str, problem: Dict[str, int]) -> float:
    """Passes for each FMA of a warp, if 32 rows that start in g different banks take 32 / g passes."""
    return OTHER[lesson] + sum(loads * math.gcd(problem[name], LINE)
                               for name, loads in WARP_LOADS[lesson].items())


def counted(run: dict, problem: Dict[str, int], multiprocessors: int) -> float:
    """Busy cycles of L1 for each FMA of a warp: L1's share of its peak times the cycles."""
    fmas = problem["M"] * problem["N"] * problem["K"] / 32 / multiprocessors
    return run["l1_percent"] / 100 * run["cycles"] / fmas


def part(*_, argument: str, **__) -> str:
    """One row for each run of lesson ARGUMENT. A dash stands for what was not measured."""
    lesson = argument
    if lesson not in WARP_LOADS:
        raise Trouble(f"docs/generate/strides.py has no model of '{lesson}'; it has {', '.join(WARP_LOADS)}")
    data = read(NAME)
    if data is None:
        return "Not measured.\n"
    rows: List[List[str]] = []
    for run in data["runs"]:
        if run["lesson"] != lesson:
            continue
        problem = strides(run["arguments"])
        cells = [f"`{run['arguments']}`", *(f"{problem[name] / LINE:g}" for name in WARP_LOADS[lesson]),
                 f"{run['tflops']:.3f}"]
        if "cycles" in run:
            cells += [f"{run['cycles'] / 1e6:.1f}", f"{run['l1_percent']:.1f} %",
                      f"{counted(run, problem, data['multiprocessors']):.1f}"]
        else:
            cells += ["–"] * 3
        rows.append([*cells, f"{predicted(lesson, problem):.1f}"])
    head = ["arguments", *(f"{name} in lines" for name in WARP_LOADS[lesson]), "TFLOP/s", "10⁶ cycles",
            "L1 busy", "L1 cycles per FMA of a warp", "model"]
    return table(head, rows)


KINDS = {"strides": part}
