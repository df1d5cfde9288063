"""A gemm.cu by function, and the diff of two of them in hunks that keep to one function each where they can."""
import difflib
import itertools
import re
from typing import List, NamedTuple, Sequence, Tuple

HEADER, KNOBS = "header", "knobs"
_CONTEXT = 3  # lines around a change that are shown
_SLACK = 1.1  # a diff by function may have so many times the lines of one that knows no functions
_NAME = re.compile(r"(?:struct|class)\s+(\w+)|(\w+)\((?!\()")


class Line(NamedTuple):
    """A line of a diff. kind: "+", "-" or " "; name: the declaration that it belongs to."""
    kind: str
    text: str
    name: str


class Hunk(NamedTuple):
    """A hunk of a unified diff. names: of the declarations that it changes; place: "-1,6 +1,7"."""
    names: Tuple[str, ...]
    place: str
    lines: Tuple[Line, ...]


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


Named = Sequence[Tuple[str, str]]  # lines, each with the declaration that it belongs to


def _named(text: str) -> Named:
    lines = text.splitlines()
    return list(zip(lines, declarations("\n".join(lines))))


def _compared(old: Named, new: Named) -> List[Line]:
    """The lines of a diff that knows no functions."""
    found: List[Line] = []
    matcher = difflib.SequenceMatcher(None, [text for text, _ in old], [text for text, _ in new])
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            found += [Line(" ", *each) for each in new[c:d]]
        else:
            found += [Line("-", *each) for each in old[a:b]] + [Line("+", *each) for each in new[c:d]]
    return found


def _by_function(old: Named, new: Named) -> List[Line]:
    """The lines of a diff where a line is equal only to one of the same function."""
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
    """How many lines are added and deleted."""
    return sum(line.kind != " " for line in lines)


def difference(old: str, new: str) -> List[Line]:
    """All lines of two texts, in order: those of both once."""
    left, right = _named(old), _named(new)
    whole, split = _compared(left, right), _by_function(left, right)
    return split if changed(split) <= changed(whole) * _SLACK else whole


class _Block(NamedTuple):
    """Changed lines that will be a hunk: lines[start:end], with those between them."""
    start: int
    end: int
    names: Tuple[str, ...]


def _blocks(lines: Sequence[Line], apart: bool) -> List[_Block]:
    """apart: each in one declaration. Else two with fewer than two lines between them are one."""
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
    """How many of the first lines are context of these declarations."""
    return len(list(itertools.takewhile(lambda line: line.kind == " " and line.name in names, lines[:_CONTEXT])))


def hunks(lines: Sequence[Line], apart: bool = False) -> List[Hunk]:
    """Of a unified diff. apart: for readers, each hunk has lines of one declaration only. Else for patch and git apply:
    a hunk has a line of context or more on each side, and as many before a change as behind it unless the file begins
    or ends there, for with fewer on one side patch takes it for the beginning or the end of the file."""
    found: List[Hunk] = []
    blocks = _blocks(lines, apart)
    at = [0, 0]  # lines of the old and of the new text in front of those that are counted
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
            start_line = base + (length > 0)  # of no lines: the one that they would follow
            place.append(f"{sign}{start_line}" + ("" if length == 1 else f",{length}"))
        found.append(Hunk(names, " ".join(place), shown))
    return found
