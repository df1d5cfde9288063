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


def hash_of(text: str) -> str:
    """A hash of a source's code lines. Changed comments do not change it, other line breaks do."""
    code = "\n".join(line for _, line in code_lines(text))
    return hashlib.sha256(code.encode()).hexdigest()[:16]


def instructions(name: str) -> Tuple[Dict[int, Made], str]:
    """By line number the instructions of a lesson, and the command that made them; none if the data is of other code or
    if there is no data, as for lessons beyond the ladder."""
    path, text = FOLDER / f"{name}.json", find(name).text
    data = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    if data.get("code") != hash_of(text):
        return {}, ""
    numbers = [number for number, _ in code_lines(text)]
    return {numbers[int(at)]: Made([tuple(each) for each in row.get("ptx", [])],
                                   [tuple(each) for each in row.get("sass", [])])
            for at, row in data["lines"].items()}, data["made"]
