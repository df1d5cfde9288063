"""The diff of a lesson against the one before it, side by side and by function, with the differing words marked."""
import difflib
import functools
import html
import itertools
import json
import pathlib
import re
from typing import Dict, Iterator, List, NamedTuple, Tuple

from ladder.lessons import find
from ladder.lessons.functions import HEADER, changed, declarations, difference
from ladder.lib.lessons import below

REASONS = pathlib.Path(__file__).with_name("changes.json")  # lesson's number -> declaration -> a sentence on its change
_CONTEXT = 3  # unchanged lines to show around a change
_WORD = re.compile(r"\w+|\s+|[^\w\s]")


class Row(NamedTuple):
    """Lines side by side: their numbers (0 if there is none) and their HTML. same: they are equal."""
    old: int
    before: str
    new: int
    after: str
    same: bool


class Change(NamedTuple):
    """What changes in one declaration. why: the text about it; runs: groups of rows; equal lines between the groups are
    omitted."""
    name: str
    why: str
    runs: List[List[Row]]


@functools.lru_cache(maxsize=None)
def sentences() -> Dict[str, Dict[str, str]]:
    return dict(json.loads(REASONS.read_text(encoding="utf-8")))


def caption(name: str, declaration: str) -> str:
    """The sentence on what a lesson changes in a declaration of the one below it; "" if there is none."""
    return sentences().get(find(name).number, {}).get(declaration, "")


def _marked(before: str, after: str) -> Tuple[str, str]:
    """Two lines as HTML with <del> and <ins> around the words that differ."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < 0.55:  # completely different lines, where marks would only be noise
        return html.escape(before), html.escape(after)
    left, right = "", ""
    for kind, a, b, c, d in matcher.get_opcodes():
        was, becomes = (html.escape("".join(part)) for part in (old[a:b], new[c:d]))
        left += was if kind == "equal" or not was else f"<del>{was}</del>"
        right += becomes if kind == "equal" or not becomes else f"<ins>{becomes}</ins>"
    return left, right


Numbered = List[Tuple[int, str]]  # lines with their numbers in the file


def _rows(old: Numbered, new: Numbered) -> Iterator[Row]:
    matcher = difflib.SequenceMatcher(None, [line for _, line in old], [line for _, line in new], autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        for before, after in itertools.zip_longest(old[a:b], new[c:d], fillvalue=(0, "")):
            left, right = html.escape(before[1]), html.escape(after[1])
            if kind == "replace" and before[0] and after[0]:
                left, right = _marked(before[1], after[1])
            yield Row(before[0], left, after[0], right, kind == "equal")


def _runs(rows: List[Row]) -> List[List[Row]]:
    """Rows that differ, with some lines around them."""
    near = {at + step for at, row in enumerate(rows) if not row.same for step in range(-_CONTEXT, _CONTEXT + 1)}
    runs: List[List[Row]] = []
    for at in sorted(at for at in near if 0 <= at < len(rows)):
        if not runs or at - 1 not in near:
            runs.append([])
        runs[-1].append(rows[at])
    return runs


def _grouped(text: str) -> Dict[str, Numbered]:
    """The lines of a source by declaration."""
    groups: Dict[str, Numbered] = {}
    lines = text.rstrip("\n").split("\n")
    for number, (line, name) in enumerate(zip(lines, declarations(text)), 1):
        groups.setdefault(name, []).append((number, line))
    return groups


def count(name: str) -> int:
    """The number of added and deleted lines, as in ./ladder diff."""
    return changed(difference(find(below(name)).text, find(name).text))


def changes(name: str) -> List[Change]:
    """The changes from the lesson before to this one, by declaration: first those of this file in order, then removed
    ones. [] for the first lesson."""
    if not below(name):
        return []
    old, new = _grouped(find(below(name)).text), _grouped(find(name).text)
    found = []
    for group in dict.fromkeys([*new, *old]):
        rows = list(_rows(old.get(group, []), new.get(group, [])))
        if any(not row.same and not (group == HEADER and _comment(row)) for row in rows):
            found.append(Change(group, caption(name, group), _runs(rows)))
    return found


def _comment(row: Row) -> bool:
    """Whether neither side has code."""
    return all(not code or code.startswith("//") for code in (row.before, row.after))
