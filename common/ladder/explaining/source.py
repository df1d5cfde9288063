"""The kernel's source with the memory traffic of each line."""
import re
from typing import Any, Collection, Dict, List, NamedTuple, Sequence, Tuple

from ladder.explaining.diagnosis import Finding
from ladder.lib.output import colour

_CODE = 45  # columns for code; the figures of longer lines go to the next row
_WIDE = (8, 11)  # columns of sectors and of wavefronts
_LONGEST = 120  # longer code is cut
GLOBAL = ("global_load", "global_store", "global_atomic", "async_load", "bulk_load", "bulk_store")
SHARED = ("shared_load", "shared_store", "shared_atomic", "matrix_load", "async_store")
_LEGEND = """\
requests    memory instructions of warps, each for up to 32 lanes
sectors     32-byte sectors per request; 32 neighbouring floats fill 4
wavefronts  cycles of the 32 banks of shared memory per request; 1 is best for 4 bytes a lane
share       this line's share of all sectors, or of all wavefronts"""


class Line(NamedTuple):
    """A line's traffic to global and to shared memory: requests of warps, and sectors or wavefronts."""
    number: int
    code: str  # without the spaces around it
    requests: Tuple[int, int]
    cost: Tuple[int, int]


def _read(report: Dict[str, Any]) -> List[str]:
    with open(report["source"], encoding="utf-8", errors="replace") as file:
        return file.read().rstrip("\n").split("\n")


def lines_of(report: Dict[str, Any]) -> List[Line]:
    """The source lines that access memory. report: an explain program's JSON object."""
    source = _read(report)

    def sums(row: Dict[str, Any], what: Tuple[str, str]) -> Tuple[int, int]:
        return (sum(row.get(kind, {}).get(what[0], 0) for kind in GLOBAL),
                sum(row.get(kind, {}).get(what[1], 0) for kind in SHARED))

    lines = []
    for row in report["lines"]:
        if 0 < row["line"] <= len(source) and "file" not in row:
            line = Line(row["line"], source[row["line"] - 1].strip(), sums(row, ("requests", "requests")),
                        sums(row, ("sectors", "wavefronts")))
            lines += [line] if any(line.requests) else []
    return lines


def _all_costs(report: Dict[str, Any]) -> Tuple[int, int]:
    return (sum(report["totals"][kind + "_sectors"] for kind in GLOBAL),
            sum(report["totals"][kind + "_wavefronts"] for kind in SHARED))


def _cells(line: Line, costs: Sequence[int], bad: Sequence[bool] = (False, False)) -> str:
    """The two groups of columns. costs: totals of all lines; bad: whether to colour each."""
    out = ""
    for requests, cost, total, is_bad, wide in zip(line.requests, line.cost, costs, bad, _WIDE):
        if not requests:
            out += " " * (15 + wide)
            continue
        each = "%*.1f" % (wide, cost / requests)
        out += "%9d%s%5.0f%%" % (requests, colour(each, "red") if is_bad else each,
                                  100 * cost / total if total else 0)
    return out.rstrip()


def _shown(source: List[str], counted: Collection[int]) -> List[range]:
    """The line numbers of the kernel and of every other function or structure with a counted line."""
    found, first = [], 1
    for last in range(1, len(source) + 1):
        if source[last - 1].startswith("}") or last == len(source):
            if any(number in counted or "__global__" in source[number - 1] for number in range(first, last + 1)):
                begins = (number for number in range(first, last)
                          if number in counted or re.match("__device__|__global__|template", source[number - 1]))
                found.append(range(next(begins, first), last + 1))
            first = last + 1
    return found


def annotated(report: Dict[str, Any], findings: List[Finding], other: str, others: List[Line]) -> List[str]:
    """The source with the figures of each line, the figures of equal lines of the other program (other, others) below
    them, and a legend; [] if no line accesses memory. Raises OSError."""
    source, lines = _read(report), {line.number: line for line in lines_of(report)}
    if not lines:
        return []
    left = list(others)
    costs, other_costs = _all_costs(report), [sum(line.cost[i] for line in others) for i in (0, 1)]
    bad = {(finding.line, finding.shared) for finding in findings if not finding.good}
    out = [colour("%51s%23s%26s" % ("", "global memory", "shared memory"), "bold"),
           colour("line  %-45s%9s%8s%6s%9s%11s%6s" % (
               "code", "requests", "sectors", "share", "requests", "wavefronts", "share"), "bold")]
    before = 0
    for number in (number for part in _shown(source, lines) for number in part):
        if 0 < before < number - 1:
            out.append("      ..." if any(source[before:number - 1]) else "")
        before = number
        code = source[number - 1]
        row = colour("%4d" % number, "dim") + "  " + (
            code if len(code) <= _LONGEST else code[:_LONGEST - 3] + "...")
        line = lines.get(number)
        if not line:
            out.append(row)
            continue
        row += "\n" + " " * (6 + _CODE) if len(code) > _CODE else " " * (_CODE - len(code))
        out.append(row + _cells(line, costs, [(number, shared) in bad for shared in (False, True)]))
        same = next((each for each in left if each.code == line.code), None)
        if same:
            left.remove(same)
            if (same.requests, same.cost) != (line.requests, line.cost):
                out.append(colour("%51s" % ("%.30s, line %d" % (other, same.number)) +
                                  _cells(same, other_costs), "dim"))
    return out + [_LEGEND]
