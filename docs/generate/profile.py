"""The part "profile" of a lesson's README: Nsight Compute's figures of the previous lesson and of this one.
common/ladder/lib/metrics.py has the metrics' names; `./ladder profile --collect` measures them."""
from typing import Callable, Dict, List, NamedTuple, Optional

from .results import CUBE, NOT_MEASURED, lessons, load_profile, number, table

Values = Dict[str, float]
WARP = 32


class Row(NamedTuple):
    """title: in the table. value: computes the figure from a lesson's values; KeyError if one was not measured."""
    title: str
    value: Callable[[Values], float]
    percent: bool = False


def multiply_adds() -> int:
    return CUBE[0] * CUBE[1] * CUBE[2]


def pipe(values: Values) -> float:
    """Utilization of the busier of the two pipes that multiply, in percent of the cycles."""
    found = [values[key] for key in ("fma_percent", "tensor_percent") if key in values]
    # If a GPU does not count a pipe's cycles, its instructions serve instead.
    for cycles, instructions in (("fma_percent", "fma_issue_percent"),
                                 ("tensor_percent", "tensor_hmma_percent"),
                                 ("tensor_percent", "tensor_issue_percent")):
        if cycles not in values and instructions in values:
            found.append(values[instructions])
    if not found:
        raise KeyError("fma_percent")
    return max(found)


def stall(reason: str, cause: str) -> Row:
    return Row(f"waiting for {cause}", lambda v: v["stall_" + reason])


FIRST = [
    Row("time, ms", lambda v: v["time_ns"] / 1e6),
    Row("[sectors][sector] per global load request",
        lambda v: v["load_sectors"] / v["load_requests"]),
    Row("wavefronts of shared loads per FMA of a warp",
        lambda v: v["load_wavefronts"] / (multiply_adds() / WARP)),
]
STALLS = [
    stall("long_scoreboard", "global memory's answer (long scoreboard)"),
    stall("short_scoreboard", "shared memory's answer (short scoreboard)"),
    stall("mio_throttle", "shared memory's queue (MIO throttle)"),
    stall("lg_throttle", "global memory's queue (LG throttle)"),
    stall("barrier", "the block's barrier (barrier)"),
]
# Also shown for lessons that use tensor cores, which wait for little else.
TENSOR_STALLS = [
    stall("wait", "an earlier instruction (fixed latency)"),
    stall("math_pipe_throttle", "a pipe that multiplies (math pipe throttle)"),
]
LAST = [
    Row("busy: FMA pipe (08: tensor cores)", pipe, percent=True),
    Row("busy: issue slots", lambda v: v["issue_percent"], percent=True),
    Row("occupancy achieved", lambda v: v["occupancy_percent"], percent=True),
]
MOST_STALLS = 3  # rows per table


def value_of(row: Row, values: Optional[Values]) -> Optional[float]:
    """The row's figure, None if it was not measured."""
    try:
        return row.value(values) if values else None
    except (KeyError, ZeroDivisionError):
        return None


def cell(row: Row, values: Optional[Values]) -> str:
    value = value_of(row, values)
    if value is None:
        return NOT_MEASURED
    if row.percent:
        return f"{value:.0f} %" if value >= 10 else f"{value:.1f} %"
    return f"{value:.2f}" if abs(value) < 1 else number(value)


def worst_stalls(columns: List[Optional[Values]]) -> List[Row]:
    """The most frequent reasons to wait in any of the columns, in the order of STALLS."""
    def worst(row: Row) -> float:
        return max((value_of(row, values) or 0) for values in columns)
    chosen = sorted(STALLS, key=worst, reverse=True)[:MOST_STALLS]
    return [row for row in STALLS if row in chosen]


def profile(_, lesson: str, **__) -> str:
    """Two columns: the previous lesson and this one."""
    measured = load_profile()
    names = lessons()
    index = names.index(lesson)
    shown = names[max(index - 1, 0):index + 1]
    columns = [measured.get(name) for name in shown]
    if not measured.get(lesson):
        return "Not measured.\n"
    of_tensor_cores = TENSOR_STALLS if measured[lesson].get("tensor_percent", 0) > 1 else []
    rows = [[row.title if of_tensor_cores else row.title.replace(" (08: tensor cores)", ""),
             *(cell(row, values) for values in columns)]
            for row in [*FIRST, *worst_stalls(columns), *of_tensor_cores, *LAST]]
    return table([f"{CUBE[0]}³ on one NVIDIA H200", *(name[:2] for name in shown)], rows) + "\n" + (
        "[What the rows mean](../docs/learn/questions.md#what-do-the-rows-of-a-profile-mean). "
        f"More: `./ladder profile {lesson[:2]}`.\n")


KINDS = {"profile": profile}
