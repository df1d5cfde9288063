"""Diagnoses the memory accesses of a kernel in plain English."""
import math
from typing import Any, Dict, List, NamedTuple, Tuple

Row = Dict[str, Any]  # of "arrays" in an explain program's JSON


class Finding(NamedTuple):
    """A sentence: "A read at line 30: 32 lanes, 32 sectors: uncoalesced"."""
    good: bool
    text: str
    line: int = 0  # 0: of the whole kernel
    shared: bool = False  # about shared memory, not global memory
    waste: float = 0  # sectors or wavefronts beyond those needed


def _number(value: float) -> str:
    return "%.0f" % value if abs(value - round(value)) < 0.05 else "%.1f" % value


def _plural(value: float, unit: str, ending: str = "s") -> str:
    return "%s %s%s" % (_number(value), unit, "" if _number(value) == "1" else ending)


def _subject(row: Row, verb: str) -> str:
    """"A read at line 30", with the width of wide accesses."""
    text = "%s %s at line %d" % (row["array"], verb, row["line"])
    return text + " (%d bytes a lane)" % row["size"] if row["size"] > 4 else text


def _global(row: Row, kind: str, verb: str) -> List[Finding]:
    traffic = row.get(kind)
    if not traffic or not traffic["bytes"]:
        return []
    requests = traffic["requests"]
    sectors = traffic["sectors"] / requests
    asked = max(1.0, traffic["bytes"] / 32 / requests)
    needed = max(1.0, traffic["ideal"] / requests)
    torn = row.get("async_lookups", 0) < row.get("async_load", {}).get("sectors", 0)
    # A row that begins in the middle of a sector needs one more.
    good = sectors < max(1.5 * needed, math.ceil(needed - 0.01) + 1.05) and not torn
    if not good:
        finding = "%s (%s would do)" % (
            "source and destination are 16 bytes apart within sectors, so some are loaded twice" if torn else
            "uncoalesced", _plural(math.ceil(needed - 0.01), "sector"))
    elif sectors < 0.6 * asked:
        finding = "broadcast" if sectors < 1.05 else "lanes share sectors"
    else:
        finding = "coalesced"
    lanes = traffic["bytes"] / row["size"] / requests
    text = "%s: %s, %s: %s" % (_subject(row, verb), _plural(lanes, "lane"), _plural(sectors, "sector"), finding)
    return [Finding(good, text, row["line"], False, 0 if good else traffic["sectors"] - needed * requests)]


def _needed(row: Row, traffic: Dict[str, int]) -> float:
    """The wavefronts that accesses of this width take without conflicts: four for 16 bytes a lane, and fewer if lanes
    read the same word."""
    return max(traffic["ideal"], min(traffic["bytes"] / 128, traffic["requests"] * row["size"] / 4))


def ways(row: Row, kind: str) -> float:
    """The ratio of a row's wavefronts to those it would take without bank conflicts."""
    traffic = row.get(kind)
    return traffic["wavefronts"] / _needed(row, traffic) if traffic and traffic["ideal"] else 1.0


def fused_away(row: Row, kind: str) -> bool:
    """Whether nvcc fuses the accesses into wider ones without bank conflicts."""
    fused = row.get(kind.replace("shared", "fused"), {}) if kind.startswith("shared") else {}
    return (0 < fused.get("requests", 0) < row[kind]["requests"] and
            fused["wavefronts"] < 1.2 * max(fused["ideal"], fused["bytes"] / 128))


def _shared(row: Row, kind: str, verb: str) -> List[Finding]:
    conflict = ways(row, kind)
    if conflict < 1.2:
        return []  # diagnose() reports these in one sentence
    traffic = row[kind]
    requests, needed = traffic["requests"], _needed(row, traffic)
    text = "%s: %s-way bank conflict (%s per request, %s without conflicts)" % (
        _subject(row, verb), _number(conflict),
        _plural(traffic["wavefronts"] / requests, "wavefront"), _number(needed / requests))
    good = fused_away(row, kind)
    if good:
        text += ", gone where nvcc fuses them into wider accesses"
    return [Finding(good, text, row["line"], True, 0 if good else traffic["wavefronts"] - needed)]


def _copy(row: Row) -> List[Finding]:
    """cp.async copies can also conflict in the banks of their source, which is in the L1 cache. Copies of 16 bytes need
    extra wavefronts for sectors that cannot be written together."""
    traffic = row.get("async_store")
    if not traffic:
        return []
    requests, needed = traffic["requests"], _needed(row, traffic)
    if traffic["wavefronts"] < 1.2 * needed:
        return []
    text = "%s: %s per request, %s %s" % (
        _subject(row, "filled by cp.async"), _plural(traffic["wavefronts"] / requests, "wavefront"),
        _number(needed / requests),
        "if rows had the same offset modulo 128 bytes in both memories" if row["size"] == 16 else
        "if lanes shared no bank, of the source or of the destination")
    return [Finding(False, text, row["line"], True, traffic["wavefronts"] - needed)]


def _bulk(row: Row, kind: str, verb: str) -> List[Finding]:
    """TMA boxes; at best, each row covers whole sectors."""
    traffic = row.get(kind)
    if not traffic:
        return []
    boxes, sectors = traffic["requests"], traffic["sectors"]
    good = sectors < 1.1 * traffic["ideal"]
    text = "%s %s at line %d: %s, %s each: %s" % (
        row["array"], verb, row["line"], _plural(boxes, "box", "es"), _plural(sectors / boxes, "sector"),
        "whole sectors" if good else
        "rows begin inside sectors (%s would do)" % _number(traffic["ideal"] / boxes))
    zeros = 1 - traffic["bytes"] / row["bulk_filled"] if kind == "bulk_load" else 0
    if zeros > 0.005:
        text += "; %s %% of the filled bytes are zeros from outside the matrix" % _number(100 * zeros)
    return [Finding(good, text, row["line"], False, 0 if good else sectors - traffic["ideal"])]


_GLOBAL: Tuple[Tuple[str, str], ...] = (
    ("global_load", "read"), ("async_load", "copied by cp.async"), ("global_store", "written"))
_BULK: Tuple[Tuple[str, str], ...] = (("bulk_load", "copied by TMA"), ("bulk_store", "written by TMA"))
_SHARED: Tuple[Tuple[str, str], ...] = (
    ("shared_load", "read"), ("matrix_load", "read as fragments"), ("shared_store", "store"))


def diagnose(arrays: List[Row]) -> List[Finding]:
    """All findings, the most wasteful first (by sectors or wavefronts beyond those needed)."""
    found: List[Finding] = []
    for row in arrays:
        for kind, verb in _GLOBAL:
            found += _global(row, kind, verb)
        for kind, verb in _BULK:
            found += _bulk(row, kind, verb)
        for kind, verb in _SHARED:
            found += _shared(row, kind, verb)
        found += _copy(row)
    found.sort(key=lambda finding: -finding.waste)
    used = sum(kind in row for row in arrays for kind in [*dict(_SHARED), "async_store"])
    reported = sum(finding.shared for finding in found)
    if used > reported:
        subject = "Other shared accesses" if reported else "Shared memory"
        found.append(Finding(True, subject + ": no bank conflicts", 0, True))
    return found
