"""Each number that the lessons' pages attribute to ./ladder explain is among those that it prints."""
import re
import unittest
from typing import Iterator, List, NamedTuple

from explained import LESSONS, counted
from ladder.explaining.text import Explained, text
from ladder.lessons import ROOT, find

COMMAND = re.compile(r"`\./ladder\s+explain\s+(\d\d)(?:\s+256\s+256\s+256)?(?:\s+--against\s+(\d\d))?`")
# Table rows from another source that the page names, nvcc.
NOT_COUNTED = re.compile(r"instructions of a thread|… of them \[FMAs\]|values of A that|registers|on a \[?multiprocessor")
# Further numbers in the text, which follow from the counts.
IN_TEXT = {"00": "32 wavefronts for A, 1 for B, 33 in all: 0.76 %", "01": "13 wavefronts: 1.9 %, of 524 288",
           "03": "0.5 of 0.625 wavefronts", "04": "36.4 %, 0.625, 0.5"}


class Claim(NamedTuple):
    """A part of a page and the lessons that its command counts."""
    number: str
    against: str
    text: str


def claims() -> Iterator[Claim]:
    """The paragraph of each such command and the table after it."""
    for lesson in LESSONS:
        page = (ROOT / find(lesson).folder / "README.md").read_text(encoding="utf-8").split("\n## Exercises\n")[0]
        for match in COMMAND.finditer(page):
            paragraph, table, *_ = re.split(r"\n\n", page[match.end():] + "\n\n")
            rows = [row for row in table.split("\n")[2:] if table.startswith("|") and not NOT_COUNTED.search(row)]
            yield Claim(match[1], match[2] or "", "\n".join([paragraph, *rows]))
    for number, sentence in IN_TEXT.items():
        yield Claim(number, "", sentence)


def numbers(claim: str) -> List[str]:
    """The numbers in a text without thousands separators. Leaves out sizes, widths and numbers of lessons."""
    claim = re.sub(r"\]\([^)]*\)|`[^`]*`|\b0\d\b|256³|M = N = K = 256|16 bytes|\d+ FMAs each|4 banks", " ", claim)
    claim = re.sub(r"(?<=\d) (?=\d{3}(?!\d))", "", claim).replace(" / ", "/")
    return re.findall(r"\d+/\d+|\d+(?:\.\d+)?", claim)


def shown(number: str, printed: List[float]) -> bool:
    """Whether a number is among those printed, rounded to its digits."""
    if "/" in number:
        over, under = map(int, number.split("/"))
        return over / under in printed
    digits = len(number.partition(".")[2])
    return any(round(value, digits) == float(number) for value in printed)


class CountedTest(unittest.TestCase):
    def printed(self, number: str, against: str) -> List[float]:
        names = [next(name for name in LESSONS if name[:2] == each) for each in (number, against) if each]
        runs = [Explained(name, counted(name, 256, 256, 256)) for name in names]
        output = text(runs[0], runs[1] if len(runs) > 1 else None, [])
        totals = output[re.search(r"(?m)^Totals ", output).start():]  # type: ignore  # after the source listing
        return [float(each) for each in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", totals.split("\nDiagnosis\n")[0])]

    def test_each_number_is_printed(self) -> None:
        found = list(claims())
        self.assertEqual({each.number for each in found}, {find(lesson).number for lesson in LESSONS})
        missing = [f"{each.number}: {number}" for each in found for number in numbers(each.text)
                   if not shown(number, self.printed(each.number, each.against))]
        self.assertEqual(missing, [])
        self.assertGreater(sum(len(numbers(each.text)) for each in found), 90)
