"""Splits a lesson's source into tokens and statements: as much C++ as the lessons' style (clang-format) needs."""
import re
from typing import Dict, Iterator, List, NamedTuple

_TOKEN = re.compile(r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/|^[ ]*\#(?:[^\n\\]|\\\n|\\.)*)
  | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
  | (?P<number>(?:0x[0-9A-Fa-f]+|[0-9]+(?:\.[0-9]*)?)[A-Za-z]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<mark><<<|>>>|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|\+\+|--|->|::|.)
""", re.X | re.S | re.M)

OPEN, CLOSE = tuple("([{"), tuple(")]}")
_DECLARES = frozenset("const constexpr static using template struct extern alignas auto typedef "
                      "namespace static_assert __device__ __global__ __host__ __shared__ int float "
                      "double half unsigned short".split())


class Token(NamedTuple):
    """kind: "name", "number", "string" or "mark". start, end: its place in the source."""
    kind: str
    text: str
    start: int
    end: int


class Statement(NamedTuple):
    """Tokens first to last, where last is the semicolon. depth: the number of enclosing braces."""
    first: int
    last: int
    declares: bool
    depth: int


def tokens(text: str) -> List[Token]:
    """The tokens of a source, without comments and preprocessor lines."""
    return [Token(str(match.lastgroup), match.group(), match.start(), match.end())
            for match in _TOKEN.finditer(text) if match.lastgroup != "space"]


class Source:
    """A source, its tokens, and which bracket closes which.

    pairs: index of an opening bracket's token -> that of the closing one, and back. Raises ValueError
    where brackets do not match.
    """

    def __init__(self, text: str):
        self.text = text
        self.tokens = tokens(text)
        self.pairs: Dict[int, int] = {}
        self.depths: List[int] = []
        stack: List[int] = []
        depth = 0
        for i, token in enumerate(self.tokens):
            depth -= token.text == "}"
            self.depths.append(depth)
            depth += token.text == "{"
            if token.kind == "mark" and token.text in OPEN:
                stack.append(i)
            elif token.kind == "mark" and token.text in CLOSE:
                if not stack:
                    raise ValueError("a closing bracket has no opening bracket")
                self.pairs[i] = stack.pop()
                self.pairs[self.pairs[i]] = i
        if stack:
            raise ValueError("an opening bracket has no closing bracket")
        self.statements = list(self._statements())

    def word(self, i: int) -> str:
        """The text of token i, "" beyond the ends."""
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def is_name(self, i: int) -> bool:
        return 0 <= i < len(self.tokens) and self.tokens[i].kind == "name"

    def piece(self, first: int, last: int) -> str:
        """The source from token first to token last."""
        return self.text[self.tokens[first].start:self.tokens[last].end]

    def line(self, place: int) -> str:
        """The source line from a place on, without its comment."""
        start = self.text.rfind("\n", 0, place) + 1
        return self.text[start:].split("\n", 1)[0].split("//")[0].strip()

    def spaced(self, i: int) -> bool:
        """Whether token i has spaces around it, as clang-format writes binary operators."""
        token = self.tokens[i]
        around = self.text[token.start - 1:token.start] + self.text[token.end:token.end + 1]
        return len(around) == 2 and around.isspace()

    def relational(self, i: int) -> bool:
        """Whether token i is a comparison, not a template bracket."""
        if self.word(i) in ("<", ">"):
            return self.spaced(i) and self.word(i - 1) != "template"
        return self.word(i) in ("<=", ">=", "==", "!=")

    def left(self, i: int, stop: str) -> int:
        """The first token of the operand that ends before token i: up to a word of stop."""
        at, ends = i - 1, {*stop.split(), *OPEN, ";", ","}
        while at >= 0 and self.word(at) not in ends:
            at = (self.pairs[at] if self.word(at) in CLOSE else at) - 1
        return at + 1

    def right(self, i: int, stop: str) -> int:
        """The last token of the operand that starts after token i."""
        at, ends = i + 1, {*stop.split(), *CLOSE, ";", ","}
        while at < len(self.tokens) and self.word(at) not in ends:
            at = (self.pairs[at] if self.word(at) in OPEN else at) + 1
        return at - 1

    def _declares(self, first: int) -> bool:
        if self.word(first) in _DECLARES or (self.is_name(first) and self.is_name(first + 1) and
                                             self.word(first) != "return"):
            return True
        mark = self.tokens[first + 1]
        return mark.text in ("*", "&") and mark.start == self.tokens[first].end

    def _statements(self) -> Iterator[Statement]:
        at, count = 0, len(self.tokens)
        while at < count:
            if self.word(at) in ("{", "}", ";", "else"):
                at += 1
            elif self.word(at) in ("if", "for", "while"):
                at = self.pairs[at + 1 + (self.word(at + 1) == "constexpr")] + 1
            else:
                last = at
                while last < count and self.word(last) != ";":
                    if self.word(last) == "{" and self.word(last - 1) == ")":
                        break  # a body, which has its own statements
                    last = (self.pairs[last] if self.word(last) in OPEN else last) + 1
                if self.word(last) == ";":
                    yield Statement(at, last, self._declares(at), self.depths[at])
                at = last + 1
