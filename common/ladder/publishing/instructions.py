"""The PTX and SASS of each line of a lesson, from docs/results/instructions, which
common/measure/counters/instructions.py writes."""
import hashlib
import json
from typing import Dict, List, NamedTuple, Tuple

from ladder.lessons import find
from ladder.lessons.code import code_lines
from ladder.lib.lessons import ROOT

FOLDER = ROOT / "docs" / "results" / "instructions"


class Made(NamedTuple):
    """The instructions of a line: the first of each opcode, and how many have that opcode."""
    ptx: List[Tuple[str, int]]
    sass: List[Tuple[str, int]]

    @property
    def counts(self) -> Tuple[int, int]:
        return sum(count for _, count in self.ptx), sum(count for _, count in self.sass)


class Compiled(NamedTuple):
    """A lesson's kernel as nvcc compiles it. kernel: with its template arguments, "" for the one for whole tiles."""
    lines: Dict[int, Made] = {}  # by line number
    command: str = ""
    kernel: str = ""


def hash_of(text: str) -> str:
    """A hash of a source's code lines. Changed comments do not change it, other line breaks do."""
    code = "\n".join(line for _, line in code_lines(text))
    return hashlib.sha256(code.encode()).hexdigest()[:16]


def instructions(name: str) -> Compiled:
    """The instructions of a lesson's kernel; none if there is no data or if it is of other code."""
    path, text = FOLDER / f"{name}.json", find(name).text
    data = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    if data.get("code") != hash_of(text):
        return Compiled()
    numbers = [number for number, _ in code_lines(text)]
    lines = {numbers[int(at)]: Made(*([tuple(each) for each in row.get(kind, [])] for kind in ("ptx", "sass")))
             for at, row in data["lines"].items()}
    return Compiled(lines, data["made"], data.get("kernel", ""))
