"""The part "strides LESSON" of docs/learn/row_strides.md: the load of the L1 cache by row stride in lessons 00 and 01,
measured (docs/results/stride-h200.json) and by a model."""
import math
from typing import Dict, List

from .results import Trouble, read, table

NAME = "stride-h200.json"
LINE = 32  # floats per cache line, which is also the number of banks
# Wavefronts per FMA of a warp that do not depend on strides. Lesson 00: B. Lesson 01: reads of As and Bs, stores.
OTHER = {"00_naive": 1.0, "01_shared_tile": 9.0 + 2.0}
WARP_LOADS = {"00_naive": {"lda": 1.0}, "01_shared_tile": {"lda": 1 / 32, "ldb": 1 / 32}}  # per FMA


def strides(arguments: str) -> Dict[str, int]:
    """M, N, K and the row strides in floats, from a program's arguments "M N K [--lda n] ..."."""
    each = arguments.split()
    sizes = dict(zip("MNK", map(int, each[:3])))
    given = {name[2:]: int(value) for name, value in zip(each[3::2], each[4::2])}
    return {**sizes, "lda": sizes["K"], "ldb": sizes["N"], "ldc": sizes["N"], **given}


def predicted(lesson: str, problem: Dict[str, int]) -> float:
    """Wavefronts per FMA of a warp, if 32 rows that start in 32 / g different banks take g wavefronts."""
    return OTHER[lesson] + sum(loads * math.gcd(problem[name], LINE)
                               for name, loads in WARP_LOADS[lesson].items())


def counted(run: dict, problem: Dict[str, int], multiprocessors: int) -> float:
    """Busy cycles of L1 per FMA of a warp: L1's utilization times the cycles."""
    fmas = problem["M"] * problem["N"] * problem["K"] / 32 / multiprocessors
    return run["l1_percent"] / 100 * run["cycles"] / fmas


def part(*_, argument: str, **__) -> str:
    """One row per run of lesson ARGUMENT. A dash means not measured."""
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
