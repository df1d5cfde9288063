"""Makes all mutants of a source, operator by operator."""
import functools
import re
from typing import Callable, Dict, Iterator, List, NamedTuple, Set, Tuple

from ladder.mutation.tokens import Source

# Names of one group can replace each other.
GROUPS = [group.split() for group in (
    "M N K", "lda ldb ldc", "BM BN BK", "WM WN", "TM TN", "STEP_M STEP_N", "ROWS COLS", "rows cols",
    "row col", "row0 col0", "r c", "r0 c0", "m0 n0", "m n k", "x y", "As Bs", "A B", "a b",
    "cur free", "alpha beta")]
_RELATIONS = {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
              "==": ["!="], "!=": ["=="]}
_MARKS = {"logic": {"&&": ["||"], "||": ["&&"]},
          "arithmetic": {"%": ["/"], "/": ["%"], "+": ["-"], "-": ["+"], "*": ["+"]},
          "assignment": {"+=": ["-=", "="], "-=": ["+=", "="], "*=": ["="]}}
_BARRIERS = ("__syncthreads", "__syncwarp", "__pipeline_wait_prior", "__pipeline_commit")
_MEMBERS = ("M", "lda", "x", "A", "alpha")  # the groups of names that follow a dot
_TYPES = ("int", "int64_t", "Acc", "Input", "auto", "float4", "Vector", "const")
_ENDS = "&& || ? : = += -= return"
# Positions in a tile or a warp and numbers of stages are below 256 in any type.
_SMALL = frozenset("r0 c r m0 n0 i m n j s warp cur zeros step buffer".split())


class Mutant(NamedTuple):
    """One edit: text[start:end] becomes new. edit: a description that does not depend on the line number."""
    operator: str
    start: int
    end: int
    new: str
    line: int
    column: int
    edit: str

    def apply(self, text: str) -> str:
        """The edited source; every line keeps its number."""
        lost = text.count("\n", self.start, self.end) - self.new.count("\n")
        return text[:self.start] + self.new + "\n" * lost + text[self.end:]


Edit = Tuple[int, int, str, str]  # start, end, new text, description
Operator = Callable[[Source], Iterator[Edit]]
OPERATORS: Dict[str, Operator] = {}


def operator(function: Operator) -> Operator:
    OPERATORS[function.__name__.rstrip("_").replace("_", " ")] = function
    return function


def _replace(s: Source, first: int, last: int, new: str) -> Edit:
    old = " ".join(s.piece(first, last).split())
    return s.tokens[first].start, s.tokens[last].end, new, f"'{old}' becomes '{new}'"


@operator
def relation(s: Source) -> Iterator[Edit]:
    for i, token in enumerate(s.tokens):
        if s.relational(i):
            for new in _RELATIONS[token.text]:
                yield _replace(s, i, i, new)
        elif token.text == "!" and token.kind == "mark":
            yield token.start, token.end, "", "'!' dropped"


def _marks(table: Dict[str, List[str]], s: Source) -> Iterator[Edit]:
    for i, token in enumerate(s.tokens):
        if token.kind == "mark" and token.text in table and s.spaced(i):
            for new in table[token.text]:
                yield _replace(s, i, i, new)


OPERATORS.update({name: functools.partial(_marks, table) for name, table in _MARKS.items()})


def _headers(s: Source, *keywords: str) -> Iterator[Tuple[int, int]]:
    """The brackets of each if (...), for (...) or while (...)."""
    for i, token in enumerate(s.tokens):
        if token.text in keywords and token.kind == "name":
            begin = i + 1 + (s.word(i + 1) == "constexpr")
            if s.word(begin) == "(":
                yield begin, s.pairs[begin]


def _arguments(s: Source) -> Iterator[Tuple[int, int]]:
    """The first and last token of each index and each call argument in a body."""
    declared: Set[int] = set()
    for statement in s.statements:
        at = statement.first
        while statement.declares and at < statement.last and s.word(at) != "=":
            declared.add(at)
            at += 1
    for i, token in enumerate(s.tokens):
        call = token.text == "(" and (s.is_name(i - 1) or s.word(i - 1) in (">", ">>>"))
        index = token.text == "[" and (s.is_name(i - 1) or s.word(i - 1) == "]")
        if not s.depths[i] or s.pairs.get(i, i) <= i + 1 or not (call or index):
            continue
        if s.word(i - 1) in ("if", "for", "while", "alignas", "sizeof") or (index and i in declared):
            continue
        first = i + 1
        while first < s.pairs[i]:
            last = s.right(first - 1, "")
            yield first, last
            first = last + 2


@operator
def one_off(s: Source) -> Iterator[Edit]:
    """One more or one less: after a relation, as an index and as an argument."""
    places = [(i + 1, s.right(i, _ENDS)) for i in range(len(s.tokens)) if s.relational(i)]
    for first, last in places + list(_arguments(s)):
        if first == last and s.tokens[first].kind == "number":
            continue  # a constant
        for sign in "+-":
            yield _replace(s, first, last, f"{s.piece(first, last)} {sign} 1")


@operator
def swapped(s: Source) -> Iterator[Edit]:
    """Another name of the same group."""
    for group in GROUPS:
        for i, token in enumerate(s.tokens):
            if token.text not in group or not s.depths[i] or s.word(i + 1) == "(":
                continue
            member = s.word(i - 1) == "."
            if s.word(i - 1) in _TYPES or group[0] != "As" and (group[0] in _MEMBERS) != member:
                continue
            for new in group:
                if new != token.text:
                    yield _replace(s, i, i, new)


@operator
def condition(s: Source) -> Iterator[Edit]:
    """A condition, or one part of it, is always true or always false."""
    for begin, end in _headers(s, "if", "while"):
        for new in ("true", "false"):
            yield _replace(s, begin + 1, end - 1, new)
    for i, token in enumerate(s.tokens):
        if token.text == "?":
            for new in ("true", "false"):
                yield _replace(s, s.left(i, "= += -= return :"), i - 1, new)
        elif token.text in ("&&", "||", "|") and s.spaced(i):
            new = {"&&": "true", "||": "false", "|": "0"}[token.text]
            stop = _ENDS + (" |" if new == "0" else "")
            yield _replace(s, s.left(i, stop), i - 1, new)
            if s.word(s.right(i, stop) + 1) != token.text:  # else it is the next one's left side
                yield _replace(s, i + 1, s.right(i, stop), new)


@operator
def statement(s: Source) -> Iterator[Edit]:
    """Drops a statement."""
    for each in s.statements:
        if each.depth and not each.declares and (s.word(each.first) != "return" or
                                                 each.last == each.first + 1):
            start, end, new, _ = _replace(s, each.first, each.last, ";")
            yield start, end, new, f"'{' '.join(s.text[start:end].split())}' dropped"


@operator
def constant(s: Source) -> Iterator[Edit]:
    for i, token in enumerate(s.tokens):
        if token.kind == "number" and token.text.isdigit():
            value = int(token.text)
            for new in sorted({value + 1, max(value - 1, 0), value * 2} - {value}):
                yield _replace(s, i, i, str(new))


@operator
def narrowed(s: Source) -> Iterator[Edit]:
    """A type, or an index, of fewer bits."""
    for i, token in enumerate(s.tokens):
        line = s.line(token.start)
        if token.text == "int64_t":
            yield _replace(s, i, i, "int")
        elif token.text == "int" and s.is_name(i + 1) and "k < BK" not in line:
            if s.word(i + 1) in _SMALL and "ld" not in line:
                continue
            for new in ("short", "unsigned char"):
                start, end, _, description = _replace(s, i, i, new)
                yield start, end, new, f"{description} of {s.word(i + 1)}"
    for first, last in _arguments(s):
        piece = s.piece(first, last)
        if s.word(first - 1) == "[" and re.search(r" .*ld|int64_t|BM \* BN", piece):
            for new in ("int", "short"):
                yield _replace(s, first, last, f"{new}({piece})")


def _counted(s: Source, end: int, first: int, second: int) -> Iterator[Edit]:
    """Edits of the condition between two semicolons and of the step after the second."""
    depth = 0
    # A counter that grows by one, or whose bound is a multiple of the step, meets the bound.
    misses = s.word(second + 2) == "+=" and re.search(r"p\.|ld|rows", s.piece(first, second))
    for i in range(first, second):
        depth += (s.word(i) == "(") - (s.word(i) == ")")
        if s.word(i) == "<" and s.relational(i) and not depth:
            for new in ("==", "!=") if misses else ("==",):
                yield _replace(s, i, i, new)
    if s.word(second + 1) == "++":
        yield _replace(s, second + 1, end - 1, f"{s.word(second + 2)} += 2")
    elif s.word(second + 2) == "+=":
        yield _replace(s, second + 1, end - 1, f"{s.piece(second + 1, end - 1)} * 2")


@operator
def loop(s: Source) -> Iterator[Edit]:
    """A loop that compares its counter with == or !=, has twice the step, or ends after one iteration."""
    for begin, end in _headers(s, "for"):
        semicolons = [i for i in range(begin, end) if s.word(i) == ";"]
        if len(semicolons) == 2:  # else it is for (each : all)
            yield from _counted(s, end, *semicolons)
        where = f" in 'for {' '.join(s.piece(begin, end).split())}'"
        last = next((each.last for each in s.statements if each.first == end + 1), 0)
        if s.word(end + 1) == "{":
            place = s.tokens[s.pairs[end + 1]].start
            yield place, place, "break; ", "'break;' at the end of the body" + where
        elif last:
            yield (s.tokens[end + 1].start, s.tokens[last].end, f"{{ {s.piece(end + 1, last)} break; }}",
                   "'break;' after the body" + where)


@operator
def barrier(s: Source) -> Iterator[Edit]:
    """A barrier, a wait or a commit under a condition. (Dropped ones are dropped statements.)"""
    for i, token in enumerate(s.tokens):
        if token.text in _BARRIERS and s.depths[i]:
            for test in ("threadIdx.x % 64 < 32", "threadIdx.x % 2 == 0", "blockIdx.x == 0"):
                yield token.start, token.start, f"if ({test}) ", f"{token.text}() only if {test}"


def _left_out(s: Source) -> List[Tuple[int, int]]:
    """Places that no edit may touch: main(), types, knobs and code that only the compiler reads."""
    places = []
    for i, token in enumerate(s.tokens):
        first = last = -1
        if token.text in ("static_assert", "alignas", "__launch_bounds__") and s.word(i + 1) == "(":
            first, last = i, s.pairs[i + 1]
        elif token.text == "main" and s.word(i + 1) == "(":
            first, last = i - 1, s.pairs[s.pairs[i + 1] + 1]
        elif token.text == "template":
            first, last = i, next(j for j in range(i + 2, len(s.tokens)) if s.word(j) == ">")
        if last >= 0:
            places.append((first, last))
    for each in s.statements:  # a knob's other numbers are variants, not bugs
        knob = each.depth == 0 and re.fullmatch(r"constexpr int \w+ = \d+;", s.piece(each.first, each.last))
        if knob or s.word(each.first) in ("using", "namespace", "extern"):
            places.append((each.first, each.last))
    return [(s.tokens[first].start, s.tokens[last].end) for first, last in places]


def _ordered(s: Source) -> List[Tuple[str, Edit]]:
    """All edits in the order of their places, without duplicates."""
    places = _left_out(s)
    found: Dict[Tuple[int, int, str], Tuple[str, Edit]] = {}
    for name, function in OPERATORS.items():
        for edit in function(s):
            if not any(first <= edit[0] and edit[1] <= last for first, last in places):
                found.setdefault(edit[:3], (name, edit))
    return sorted(found.values(), key=lambda each: each[1][:2])


def mutants(text: str) -> List[Mutant]:
    """All mutants of a source in the order of their places, each with a unique description."""
    s = Source(text)
    times: Dict[str, int] = {}
    found = []
    for name, (start, end, new, description) in _ordered(s):
        edit = f"{name}: {description} in `{s.line(start)}`"
        times[edit] = times.get(edit, 0) + 1
        if times[edit] > 1:
            edit += f" ({times[edit]})"
        found.append(Mutant(name, start, end, new, text.count("\n", 0, start) + 1,
                            start - text.rfind("\n", 0, start), edit))
    return found
