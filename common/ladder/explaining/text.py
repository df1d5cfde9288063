"""The report as text: totals, findings and what to do next; source.py has the annotated source."""
import pathlib
import textwrap
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ladder.explaining.diagnosis import Finding, diagnose
from ladder.explaining.source import Line, annotated, lines_of
from ladder.explaining.wavefronts import Wavefronts, as_lines, wavefronts
from ladder.lessons import find
from ladder.lib.lessons import lessons
from ladder.lib.output import colour

# Readable labels of groups of totals. A group's name is a prefix in JSON: NAME_requests and so on.
_GROUPS = {
    "global_load": "global load: requests of a warp", "async_load": "cp.async load: requests of a warp",
    "global_store": "global store: requests of a warp", "global_atomic": "global atomic: requests of a warp",
    "shared_load": "shared load: requests", "fused_load": "shared load, as nvcc fuses them: requests",
    "matrix_load": "fragment load (LDSM): requests", "shared_store": "shared store: requests",
    "fused_store": "shared store, as nvcc fuses them: requests", "async_store": "cp.async store: requests",
    "shared_atomic": "shared atomic: requests", "bulk_load": "TMA load: boxes", "bulk_store": "TMA store: boxes"}
_PARTS = {"_sectors": "sectors of 32 bytes", "_sectors_per_request": "sectors per request",
          "_lines": "cache lines of 128 bytes", "_lines_per_request": "cache lines per request",
          "_wavefronts": "wavefronts", "_wavefronts_ideal": "wavefronts for the distinct words"}
LABELS = {
    **{name + "_requests": label for name, label in _GROUPS.items()},
    **{name + part: "  " + label for name in _GROUPS for part, label in _PARTS.items()},
    "async_lookups": "  lookups in the L1 cache", "bulk_filled": "  bytes of shared memory filled",
    "barriers_per_block": "barriers per block",
    "arrivals_per_thread": "mbarrier arrivals per thread",
    "tensor_instructions": "tensor core instructions", "wgmma": "  of warpgroups (wgmma), four each",
    "fma": "multiply-adds of threads (FFMA)", "fma64": "  of doubles (DFMA)",
    "tensor_fma": "multiply-adds on tensor cores", "bytes_asked": "global bytes requested",
    "bytes_moved": "global bytes moved", "intensity": "arithmetic intensity (FLOP per byte moved)"}
# The kinds of accesses that a lesson changes, as in the keys of arrays.
_CHANGES = {"01": ("global_load",), "02": ("global_load", "shared_load", "shared_store"), "03": ("shared_load",),
            "04": ("global_load", "shared_store"), "05": ("shared_load",), "06": ("shared_load",),
            "07": ("global_load",), "08": ("shared_load",)}
_LEGEND = {
    "fused_": "as nvcc fuses them      accesses to neighbours joined into one of 8 or 16 bytes, as in nvcc's code",
    "ideal": "for the distinct words  each word once per request, 32 to a wavefront: no layout needs fewer"}


class Explained(NamedTuple):
    """A run. name: for display; report: the program's JSON object; note: on the fused figures, often empty."""
    name: str
    report: Dict[str, Any]
    note: str = ""

    @property
    def totals(self) -> Dict[str, float]:
        return self.report["totals"]

    @property
    def findings(self) -> List[Finding]:
        return diagnose(self.report["arrays"])

    @property
    def wavefronts(self) -> Wavefronts:
        return wavefronts(self.report)

    @property
    def lines(self) -> List[Line]:
        return lines_of(self.report)


def as_json(own: Explained, other: Optional[Explained]) -> Dict[str, Any]:
    """The JSON object of ./ladder explain --json."""
    result = {**own.report, "lesson": own.name, "note": own.note,
              "diagnosis": [finding.text for finding in own.findings],
              "wavefronts": {"all": own.wavefronts.total, "ceiling_percent": own.wavefronts.ceiling,
                             "of": [part._asdict() for part in own.wavefronts.parts]}}
    if other:
        result["against"] = {"name": other.name, **other.totals}
    return result


def _figure(key: str, value: float) -> str:
    return ("%.2f" if key.endswith(("_per_request", "_per_thread")) or key == "intensity" else "%.0f") % value


def _fused_alike(totals: Dict[str, float], key: str) -> bool:
    """Whether all figures of a key's group, fused_load or fused_store, equal those of shared_load or shared_store."""
    group = key.split("_")[1]
    return all(totals["fused_%s_%s" % (group, part)] == totals["shared_%s_%s" % (group, part)]
               for part in ("requests", "wavefronts"))


def rows(own: Explained, other: Optional[Explained]) -> List[Tuple[str, str, str, float]]:
    """The totals worth showing: key, figure, the other run's figure, and the ratio (0 if the other has none)."""
    found = []
    runs = [own, other] if other else [own]
    for key, value in own.totals.items():
        before = other.totals[key] if other else 0
        if value == before == 0:
            continue
        if key.startswith("fused_") and all(_fused_alike(each.totals, key) for each in runs):
            continue
        found.append((key, _figure(key, value), _figure(key, before), value / before if before > 0 else 0))
    return found


def _totals(own: Explained, other: Optional[Explained]) -> List[str]:
    head = "%-42s%20s" % ("Totals", own.name)
    out = [colour(head + ("%20.19s%12s" % (other.name, "ratio") if other else ""), "bold")]
    legend: Dict[str, str] = {}
    for key, figure, before, ratio in rows(own, other):
        legend.update({part: text for part, text in _LEGEND.items() if part in key})
        line = "%-42s%20s" % (LABELS[key], figure)
        if other:
            line += "%20s%12s" % (before, "%.3gx" % ratio if ratio else "new" if own.totals[key] else "gone")
        out.append(line)
    return out + [colour(text, "dim") for text in legend.values()]


def _warps(warps: Sequence[int]) -> str:
    """The warps in words: "warp 8", "warps 0 to 7"."""
    if len(warps) > 1 and warps[-1] - warps[0] == len(warps) - 1:
        return "warps %d to %d" % (warps[0], warps[-1])
    return "warp%s %s" % ("s" if len(warps) > 1 else "", ", ".join(map(str, warps)))


def _place(row: Dict[str, Any]) -> str:
    """A line of the kernel's source, or the file and line of a header."""
    return "%s:%d" % (pathlib.Path(row["file"]).name, row["line"]) if "file" in row else "line %d" % row["line"]


def _barriers(report: Dict[str, Any]) -> List[str]:
    """The mbarriers by the line that initialises them: completed phases, arrivals and bytes per phase, who waited."""
    rows = report.get("split_barriers", [])
    head = "mbarriers          number    phases  arrivals each   bytes each   waited for"
    out = [colour(head, "bold")] if rows else []
    for row in rows:
        phases = row["phases"] or 1
        waits = ["at %s, by %s" % (_place(each), _warps(each["warps"])) for each in row["waits"]]
        out.append("%-15s%10d%10d%15.4g%13.0f   %s" % (
            _place(row), row["barriers"], row["phases"], row["arrivals"] / phases, row["bytes"] / phases,
            ("\n" + " " * 66).join(waits or ["by no warp"])))
    return out


def _diagnosis(explained: Explained, title: str, coloured: bool) -> List[str]:
    out = [colour(title, "bold")]
    for finding in explained.findings:
        mark = "  +" if finding.good else "  -"
        if coloured:
            mark = colour(mark, "green" if finding.good else "red")
        out.append(mark + textwrap.fill(finding.text, 98, initial_indent=" " * 4, subsequent_indent=" " * 6,
                                        break_long_words=False, break_on_hyphens=False)[3:])
    return out


def _changed_line(own: Explained, lesson: str) -> int:
    """The most expensive of the lines that a lesson changes; 0 if there is none."""
    costs: Dict[int, float] = {}
    for row in own.report["arrays"]:
        for traffic in (row[kind] for kind in _CHANGES.get(lesson[:2], ()) if kind in row):
            # A wavefront moves up to 128 bytes, so it weighs as much as four sectors.
            cost = traffic.get("sectors", 0) / 4 + traffic.get("wavefronts", 0)
            costs[row["line"]] = costs.get(row["line"], 0) + cost
    return max(costs, key=lambda line: costs[line], default=0)


def _next(own: Explained) -> List[str]:
    """What the next lesson changes, and the command that shows it; else the most expensive line."""
    following = next((name for name in lessons() if own.name in lessons() and name > own.name), "")
    line = _changed_line(own, following)
    worst = next((finding for finding in own.findings if not finding.good), None)
    if line:
        text = "%s changes line %d: %s ./ladder explain %s --against %s shows the effect." % (
            following, line, find(following).idea, following[:2], own.name[:2])
    elif worst and worst.line:
        text = "line %d wastes the most %s" % (worst.line, "wavefronts" if worst.shared else "sectors")
    elif own.lines:
        dearest = max(own.lines, key=lambda each: each.cost[0] / 4 + each.cost[1])
        text = "line %d costs the most" % dearest.number
    else:
        return []
    if own.name in lessons() and not line:
        text += "; exercises: %s/README.md" % own.name
    return textwrap.fill(text, 98, initial_indent=colour("Next", "bold") + "  ", subsequent_indent=" " * 6,
                         break_long_words=False, break_on_hyphens=False).split("\n")


def text(own: Explained, other: Optional[Explained], strides: Sequence[str]) -> str:
    """The report in at most 100 columns. strides: those to mention, as in "lda = 65". Raises OSError if the source
    cannot be read."""
    report = own.report
    head = ", ".join(["%s, M N K = %d %d %d" % (colour(own.name, "bold"), report["M"], report["N"], report["K"]),
                      *strides]) + ":"
    for launch in report["launches"]:
        head += " " if len(report["launches"]) == 1 else "\n  %s(): " % launch["kernel"]
        head += "%d block%s of %d threads, %d bytes of shared memory each" % (
            launch["blocks"], "" if launch["blocks"] == 1 else "s", launch["threads"], launch["shared_bytes"])
    parts = [[head], annotated(report, own.findings, other.name if other else "", other.lines if other else []),
             _totals(own, other), _barriers(report), as_lines(own.wavefronts, "Wavefronts"),
             as_lines(other.wavefronts, "Wavefronts of " + other.name, not own.wavefronts.multiply_adds) if other else [],
             _diagnosis(own, "Diagnosis", True)]
    if other:
        parts[-1] += _diagnosis(other, "Diagnosis of " + other.name, False)
    parts += [[own.note] if own.note else [], _next(own)]
    parts.append([colour("Not modelled: cache hits, latency, occupancy, registers and spills "
                         "(docs/learn/cpu_backend.md).", "dim")])
    return "\n\n".join("\n".join(part) for part in parts if part)
