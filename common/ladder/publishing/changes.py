"""The diff of a lesson to the one before it, side by side: by function, with the words marked that differ."""
import difflib
import functools
import html
import json
import pathlib
import re
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

from ladder.lessons import find
from ladder.lib.lessons import below

TOLD = pathlib.Path(__file__).with_name("changes.json")  # lesson's number -> declaration -> what changes in it, and why
HEADER, KNOBS = "header", "knobs"
_CONTEXT = 3  # lines around a change that are shown
_WORD = re.compile(r"\w+|\s+|[^\w\s]")
_NAME = re.compile(r"(?:struct|class)\s+(\w+)|(\w+)\((?!\()")


class Row(NamedTuple):
    """Lines beside each other: their numbers, 0 where there is none, and their HTML. same: they are equal."""
    old: int
    before: str
    new: int
    after: str
    same: bool


class Change(NamedTuple):
    """What changes in one declaration. told: the sentence on it; runs: of rows, between which equal lines are left
    out."""
    name: str
    told: str
    runs: List[List[Row]]


@functools.lru_cache(maxsize=None)
def sentences() -> Dict[str, Dict[str, str]]:
    return dict(json.loads(TOLD.read_text(encoding="utf-8")))


def declarations(text: str) -> List[str]:
    """For each line the declaration that it belongs to: a function as name(), HEADER, or KNOBS."""
    names: List[str] = []
    lines = text.split("\n")
    start = 0
    while start < len(lines):
        end = start + 1  # declarations end at an empty line that nothing indented follows
        while end < len(lines) and not (lines[end - 1] == "" and re.match(r"\S", lines[end])):
            end += 1
        names += [_declared(lines[start:end], start == 0)] * (end - start)
        start = end
    return names


def _declared(lines: List[str], first: bool) -> str:
    """The name of what some lines declare."""
    if first or any(line.startswith("#include") for line in lines):
        return HEADER
    code = re.sub(r"//.*|#.*|__\w+__(?:\((?:[^()]|\([^()]*\))*\))?|alignas\(\w+\)", "", "\n".join(lines))
    code = re.sub(r"\s*template\s*<[^{;(]*?>\s*(?=\w+ \w)", "", code).strip()
    found = None if code.startswith(("constexpr int", "using", "static_assert")) else _NAME.search(code)
    return (found[1] or found[2] + "()") if found else KNOBS


def _marked(before: str, after: str) -> Tuple[str, str]:
    """Two lines as HTML with <del> and <ins> around the words that differ."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < 0.4:  # other lines altogether: marks would only be noise
        return html.escape(before), html.escape(after)
    left, right = "", ""
    for kind, a, b, c, d in matcher.get_opcodes():
        was, becomes = (html.escape("".join(words)) for words in (old[a:b], new[c:d]))
        left += was if kind == "equal" or not was else f"<del>{was}</del>"
        right += becomes if kind == "equal" or not becomes else f"<ins>{becomes}</ins>"
    return left, right


def _rows(old: List[str], new: List[str]) -> Iterator[Row]:
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            for at in range(b - a):
                code = html.escape(new[c + at])
                yield Row(a + at + 1, code, c + at + 1, code, True)
            continue
        for at in range(max(b - a, d - c)):
            before: Optional[str] = old[a + at] if a + at < b else None
            after: Optional[str] = new[c + at] if c + at < d else None
            if before is not None and after is not None:
                left, right = _marked(before, after)
            else:
                left, right = html.escape(before or ""), html.escape(after or "")
            yield Row(a + at + 1 if before is not None else 0, left, c + at + 1 if after is not None else 0, right, False)


def _runs(rows: List[Row]) -> List[List[Row]]:
    """Rows that differ, with some lines around them."""
    near = {at + step for at, row in enumerate(rows) if not row.same for step in range(-_CONTEXT, _CONTEXT + 1)}
    runs: List[List[Row]] = []
    for at in sorted(at for at in near if 0 <= at < len(rows)):
        if not runs or at - 1 not in near:
            runs.append([])
        runs[-1].append(rows[at])
    return runs


def changes(name: str) -> List[Change]:
    """What a lesson changes in the one below it, by declaration, in the order of its file; [] for the first."""
    if not below(name):
        return []
    before, after = find(below(name)).text, find(name).text
    old, new = declarations(before), declarations(after)
    groups: Dict[str, List[Row]] = {}
    last = HEADER
    for row in _rows(before.rstrip("\n").split("\n"), after.rstrip("\n").split("\n")):
        if row.new:
            last = new[row.new - 1]
        elif old[row.old - 1] in new or old[row.old - 1] not in groups and not row.new:
            last = old[row.old - 1]
        groups.setdefault(last, []).append(row)
    told = sentences().get(find(name).number, {})
    return [Change(group, told.get(group, ""), _runs(rows)) for group, rows in groups.items()
            if any(not row.same for row in rows)]
