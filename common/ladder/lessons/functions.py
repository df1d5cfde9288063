"""Splits a gemm.cu into functions, and makes the diff of two of them with hunks that contain one function each where
possible."""
import difflib
import itertools
import re
from typing import List, NamedTuple, Sequence, Tuple

HEADER, KNOBS = "header", "knobs"
_CONTEXT = 3  # unchanged lines to show around a change
_SLACK = 1.1  # a diff by function may have this many times the lines of a plain diff
_NAME = re.compile(r"(?:struct|class)\s+(\w+)|(\w+)\((?!\()")


class Line(NamedTuple):
    """A line of a diff. kind: "+", "-" or " "; name: the declaration that contains it."""
    kind: str
    text: str
    name: str


class Hunk(NamedTuple):
    """A hunk of a unified diff. names: the declarations that it changes; place: such as "-1,6 +1,7"."""
    names: Tuple[str, ...]
    place: str
    lines: Tuple[Line, ...]


def declarations(text: str) -> List[str]:
    """The declaration that contains each line: a function as name(), HEADER, or KNOBS."""
    names: List[str] = []
    lines = text.split("\n")
    start = 0
    while start < len(lines):
        end = start + 1  # a declaration ends at an empty line before a line without indentation
        while end < len(lines) and not (lines[end - 1] == "" and re.match(r"\S", lines[end])):
            end += 1
        names += [_declared(lines[start:end], start == 0)] * (end - start)
        start = end
    return names


def _declared(lines: List[str], first: bool) -> str:
    """The name of the declaration in these lines."""
    if first or any(line.startswith("#include") for line in lines):
        return HEADER
    code = re.sub(r"//.*|#.*|__\w+__(?:\((?:[^()]|\([^()]*\))*\))?|alignas\(\w+\)", "", "\n".join(lines))
    code = re.sub(r"\s*template\s*<[^{;(]*?>\s*(?=\w+ \w)", "", code).strip()
    found = None if code.startswith(("constexpr int", "using", "static_assert")) else _NAME.search(code)
    return (found[1] or found[2] + "()") if found else KNOBS


Named = Sequence[Tuple[str, str]]  # lines, each with the declaration that contains it


def _named(text: str) -> Named:
    lines = text.splitlines()
    return list(zip(lines, declarations("\n".join(lines))))


def _compared(old: Named, new: Named) -> List[Line]:
    """The lines of a plain diff."""
    found: List[Line] = []
    matcher = difflib.SequenceMatcher(None, [text for text, _ in old], [text for text, _ in new])
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            found += [Line(" ", *each) for each in new[c:d]]
        else:
            found += [Line("-", *each) for each in old[a:b]] + [Line("+", *each) for each in new[c:d]]
    return found


def _by_function(old: Named, new: Named) -> List[Line]:
    """The lines of a diff that matches lines only within the same function."""
    found: List[Line] = []
    before, after = ([(name, list(lines)) for name, lines in itertools.groupby(named, lambda each: each[1])]
                     for named in (old, new))
    matcher = difflib.SequenceMatcher(None, [name for name, _ in before], [name for name, _ in after], autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            for (_, left), (_, right) in zip(before[a:b], after[c:d]):
                found += _compared(left, right)
        else:
            found += [Line("-", *each) for _, lines in before[a:b] for each in lines]
            found += [Line("+", *each) for _, lines in after[c:d] for each in lines]
    return found


def changed(lines: Sequence[Line]) -> int:
    """The number of added and deleted lines."""
    return sum(line.kind != " " for line in lines)


def difference(old: str, new: str) -> List[Line]:
    """All lines of two texts in order. Lines that both have occur once."""
    left, right = _named(old), _named(new)
    whole, split = _compared(left, right), _by_function(left, right)
    return split if changed(split) <= changed(whole) * _SLACK else whole


class _Block(NamedTuple):
    """The changed lines of a future hunk: lines[start:end], which may have unchanged lines between them."""
    start: int
    end: int
    names: Tuple[str, ...]


def _blocks(lines: Sequence[Line], apart: bool) -> List[_Block]:
    """The blocks of changed lines. apart: a block must not span declarations. Otherwise, blocks with fewer than two
    lines between them are joined."""
    blocks: List[_Block] = []

    def kind(each: Tuple[int, Line]) -> Tuple[bool, str]:
        return each[1].kind == " ", each[1].name if apart and each[1].kind != " " else ""

    for (same, _), group in itertools.groupby(enumerate(lines), kind):
        if same:
            continue
        places = list(group)
        new = _Block(places[0][0], places[-1][0] + 1, tuple(dict.fromkeys(line.name for _, line in places)))
        if blocks:
            gap = new.start - blocks[-1].end
            if gap <= 2 * _CONTEXT and new.names == blocks[-1].names or gap < 2 and not apart:
                before = blocks.pop()
                new = _Block(before.start, new.end, tuple(dict.fromkeys(before.names + new.names)))
        blocks.append(new)
    return blocks


def _own(lines: Sequence[Line], names: Tuple[str, ...]) -> int:
    """The number of lines at the beginning that are context within these declarations."""
    return len(list(itertools.takewhile(lambda line: line.kind == " " and line.name in names, lines[:_CONTEXT])))


def hunks(lines: Sequence[Line], apart: bool = False) -> List[Hunk]:
    """The hunks of a unified diff.

    apart: for readers; each hunk has lines of one declaration only. Otherwise the hunks are for patch and git apply.
    Then each hunk has at least one line of context on each side, and as many before a change as after it, except at the
    beginning and the end of the file. If one side had fewer, patch would take it for the beginning or the end of the
    file."""
    found: List[Hunk] = []
    blocks = _blocks(lines, apart)
    at = [0, 0]  # number of lines in the old and in the new text before lines[counted]
    counted = 0
    for number, (start, end, names) in enumerate(blocks):
        if apart:
            before, behind = _own(lines[:start][::-1], names), _own(lines[end:], names)
        else:
            before = (start - blocks[number - 1].end) // 2 if number else _CONTEXT
            behind = (blocks[number + 1].start - end) // 2 if number + 1 < len(blocks) else _CONTEXT
            before = behind = min(_CONTEXT, before, behind)
        first, last = max(0, start - before), min(len(lines), end + behind)
        for line in lines[counted:first]:
            at = [at[0] + (line.kind != "+"), at[1] + (line.kind != "-")]
        counted = first
        shown = tuple(lines[first:last])
        place = []
        for sign, base, other in (("-", at[0], "+"), ("+", at[1], "-")):
            length = sum(line.kind != other for line in shown)
            start_line = base + (length > 0)  # if there are no lines: the number of the line before them
            place.append(f"{sign}{start_line}" + ("" if length == 1 else f",{length}"))
        found.append(Hunk(names, " ".join(place), shown))
    return found
