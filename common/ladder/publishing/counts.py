"""Figures of runs: the memory traffic of each source line, and the counts of Nsight Compute and the CPU backend."""
import functools
import pathlib
import re
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from ladder.explaining.diagnosis import diagnose
from ladder.explaining.source import lines_of
from ladder.lessons import find
from ladder.lib.lessons import ROOT
from ladder.publishing.instructions import Made, instructions
from ladder.publishing.markdown import coloured

COUNTERS = ROOT / "docs" / "results" / "counters.md"


class Cell(NamedTuple):
    """A line's figures of one memory. each: sectors or wavefronts per request; share: of all of them, 0 to 1."""
    requests: int
    each: float
    share: float


class Line(NamedTuple):
    number: int
    code: str  # HTML
    cells: List[Optional[Cell]]  # of global and of shared memory
    made: Optional[Made]  # its PTX and SASS


class Listing(NamedTuple):
    """A source with its figures. remarks: (good, text) of each finding; compiled: the command that made PTX and SASS, ""
    if there are none; kernel: "" for the one for whole tiles."""
    lines: List[Line]
    counted: bool
    remarks: List[Tuple[bool, str]]
    title: str
    compiled: str
    kernel: str


def listing(name: str, report: Dict[str, Any]) -> Listing:
    """report: the JSON object of explain, {} if the CPU backend does not run the lesson."""
    codes = _split(coloured(find(name).text.rstrip("\n"), "cuda"))
    rows = {line.number: line for line in lines_of(report)} if report else {}
    sums = [sum(line.cost[i] for line in rows.values()) for i in (0, 1)]
    made, compiled, kernel = instructions(name)
    lines = []
    for number, code in enumerate(codes, 1):
        row = rows.get(number)
        cells = [Cell(row.requests[i], row.cost[i] / row.requests[i], row.cost[i] / max(sums[i], 1))
                 if row and row.requests[i] else None for i in (0, 1)]
        lines.append(Line(number, code, cells, made.get(number)))
    remarks = [(finding.good, finding.text) for finding in diagnose(report["arrays"])] if report else []
    title = f"M = N = K = {report['M']}" if report else ""
    return Listing(lines, bool(report), remarks, title, compiled, kernel)


def _split(code: str) -> List[str]:
    """Splits the HTML of code into lines; closes and reopens elements that span several lines."""
    lines, opened = [], ""
    for line in code.rstrip("\n").split("\n"):
        text = opened + line
        tags = re.findall(r"<span[^>]*>|</span>", text)
        left: List[str] = []
        for tag in tags:
            if tag == "</span>":
                left.pop()
            else:
                left.append(tag)
        opened = "".join(left)
        lines.append(text + "</span>" * len(left))
    return lines


class Counter(NamedTuple):
    """A counter: by the CPU backend, by the hardware, and why they differ if they do."""
    name: str
    counted: int
    measured: int
    why: str


@functools.lru_cache(maxsize=None)
def _tables(path: pathlib.Path) -> Tuple[Dict[str, List[List[str]]], Dict[str, str]]:
    """The tables of counters.md by the first cell of their heads, and its notes."""
    tables: Dict[str, List[List[str]]] = {}
    table: List[List[str]] = []
    for line in path.read_text(encoding="utf-8").splitlines() + [""]:
        if line.startswith("|"):
            table.append([cell.strip() for cell in line.strip("|").split("|")])
        elif table:
            tables[table[0][0]] = table
            table = []
    return tables, {row[0]: row[-1] for row in tables.get("note", [])[2:]}


def counters(name: str) -> Tuple[str, List[Counter]]:
    """The size and the counters of a lesson in docs/results/counters.md; none where it was not measured."""
    tables, notes = _tables(COUNTERS)
    table = tables.get(name, [])
    rows = []
    for row in table[2:]:
        found = re.fullmatch(r"(\d+)(?: ([+-]\d+)(?: (\[\d+\]))?)?", row[1])
        if found:
            counted = int(found[1])
            rows.append(Counter(row[0], counted, counted + int(found[2] or 0), notes.get(found[3] or "", "")))
    return (table[0][1] if table else ""), rows


def plain(markdown: str) -> str:
    """A note of counters.md without backticks and links."""
    return re.sub(r"`|\[([^]]*)\]\([^)]*\)", lambda found: found[1] or "", markdown)
