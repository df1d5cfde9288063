"""The cost model of lessons 00 to 07: wavefronts of the unit of L1 cache and shared memory, by type of access, and the
percentage of the peak that they allow."""
from typing import Any, Dict, List, NamedTuple, Tuple

from ladder.lib.output import colour

FULL_SPEED = 0.25  # wavefronts per multiply-add of a warp: a multiprocessor starts one and four of these in a cycle
_KINDS: Tuple[Tuple[str, Tuple[str, ...], str], ...] = (
    ("cache lines of global loads", ("global_load",), "lines"),
    ("cp.async copies", ("async_store",), "wavefronts"),
    ("shared stores", ("fused_store",), "wavefronts"),
    ("shared reads, as nvcc fuses them", ("fused_load", "matrix_load"), "wavefronts"),
    ("shared reads as the source has them", ("shared_load",), "wavefronts"))
_SOURCE = _KINDS[-1][0]  # not what a GPU executes, so not in the sums
_LEGEND = """\
each         for each of the %d multiply-adds of a warp (32 lanes together)
cache lines  each takes a wavefront of the L1 cache, which is one unit with shared memory; stores
             of C are not counted
ceiling      at full speed, a cycle has 4 multiply-adds of a warp and 1 wavefront: 0.25 for each"""


class Part(NamedTuple):
    """A type of access, or one array's part of it (name: "of As"), with its requests and wavefronts."""
    name: str
    requests: int
    wavefronts: int


class Wavefronts(NamedTuple):
    """The wavefronts of a run. parts: each sum, followed by its parts."""
    multiply_adds: float  # of warps
    parts: List[Part]
    total: int
    ceiling: float  # percent of the FP32 peak; 0 for a kernel that is not FP32

    @property
    def each(self) -> float:
        """Wavefronts per multiply-add of a warp."""
        return self.total / self.multiply_adds


def wavefronts(report: Dict[str, Any]) -> Wavefronts:
    """The wavefronts in an explain program's report. multiply_adds is 0 if tensor cores do them or none were counted."""
    multiply_adds = 0 if report["totals"]["tensor_fma"] else report["totals"]["fma"] / 32
    parts: List[Part] = []
    total = 0
    for name, kinds, unit in _KINDS:
        arrays: Dict[str, Tuple[int, int]] = {}
        for row in report["arrays"]:
            for traffic in (row[kind] for kind in kinds if kind in row):
                before = arrays.get(row["array"], (0, 0))
                arrays[row["array"]] = (before[0] + traffic["requests"], before[1] + traffic.get(unit, 0))
        found = [Part("  of " + array, *figures) for array, figures in sorted(arrays.items())]
        whole = Part(name, sum(part.requests for part in found), sum(part.wavefronts for part in found))
        if not found or name == _SOURCE and whole[1:] in [part[1:] for part in parts]:
            continue
        parts += [whole, *(found if len(found) > 1 and name != _SOURCE else [])]
        total += whole.wavefronts if name != _SOURCE else 0
    single = multiply_adds and total and not report["totals"]["fma64"]
    return Wavefronts(multiply_adds, parts, total, 100 * FULL_SPEED * multiply_adds / total if single else 0)


def as_lines(found: Wavefronts, title: str, legend: bool = True) -> List[str]:
    """A table; [] if there are no multiply-adds to divide by."""
    if not found.multiply_adds:
        return []
    head = "%-40s%14s%13s%15s%18s" % (title, "requests", "wavefronts", "requests each", "wavefronts each")
    out = [colour(head, "bold")]
    for part in found.parts:
        out.append("%-40s%14d%13d%15.4g%18.4g" % (part.name, part.requests, part.wavefronts,
                                                  part.requests / found.multiply_adds,
                                                  part.wavefronts / found.multiply_adds))
    out.append("%-40s%14s%13d%15s%18.4g" % ("all wavefronts", "", found.total, "", found.each))
    if found.ceiling:
        out.append("the ceiling: %g / %.4g = %.3g %% of the peak%s" % (
            FULL_SPEED, found.each, found.ceiling, ", no limit" if found.ceiling >= 100 else ""))
    return out + [colour(each, "dim") for each in (_LEGEND % found.multiply_adds).split("\n") if legend]
