"""The notation for edits of a source, line by line. An edit is one of

  BM=8                      a knob: sets the value in "constexpr int BM = ...;" or "using BM = ...;"
  - row * p.lda + k         a piece of text, which must occur exactly once ...
  + row * p.K + k           ... is replaced with this text

  - if (row < p.M) {        Several lines with "- " are one piece of several lines, indented as in the
  -   sum();                source; the same holds for "+ ". A line with only "-" or "+" stands for an
  + {                       empty line.
  +   sum();

  - __syncthreads();        Without "+" the text is removed but its line ends stay, so that later lines keep
                            their numbers. A single "+" does the same; it separates the piece from another
                            "-" that is the next edit.

Edits are applied one after the other. If they use half and the source does not include cuda_fp16.h, the include is
added.

A file of named edits consists of paragraphs with a heading and edits, separated by empty lines. # starts a comment:

  01-03,05 lda: A is read as if its rows were not apart
  - p.lda, p.M - row0
  + p.K, p.M - row0

  06 no_pad [counts shared_store 2]: rows of As without padding
  PAD=0

A heading is "LESSONS name: what it does", or "LESSONS name [mark, mark]: ..." if the file's reader supports marks.
LESSONS are numbers and ranges of numbers.
"""
import re
from typing import Iterable, List, NamedTuple, Sequence, Tuple, Union

_KNOB = re.compile(r"([A-Za-z_]\w*)=(\S.*)", re.ASCII)
_HEADING = re.compile(r"([0-9]{2}(?:[-,][0-9]{2})*) (\w+)(?: \[([^\]]+)\])?: (\S.*)", re.ASCII)
_INCLUDE = '#include "common/lesson.h"\n'


class EditError(ValueError):
    """An edit cannot be parsed, or does not match exactly once; the message is one line."""


class Edit(NamedTuple):
    """One edit: knob and new for a knob, old and new for a replacement, which may have several lines."""
    knob: str
    old: str
    new: str

    def __str__(self) -> str:
        """The edit in the notation."""
        if self.knob:
            return f"{self.knob}={self.new}"
        return "\n".join([*("- " + line for line in self.old.split("\n")),
                          *("+ " + line for line in self.new.split("\n"))])


class Named(NamedTuple):
    """A paragraph of a file of named edits."""
    lessons: str  # as written, 01-03,05
    name: str
    what: str
    marks: Tuple[str, ...]
    edits: Tuple[Edit, ...]
    line: int  # of the heading, from 1

    def numbers(self, known: Iterable[str]) -> List[str]:
        """The known lesson numbers, such as 02, that the heading selects. Raises EditError if the heading has an
        unknown number."""
        known, found = sorted(known), []
        for part in self.lessons.split(","):
            first, last = part[:2], part[-2:]
            for number in (first, last):
                if number not in known:
                    raise EditError(f"{self.name}: there is no lesson {number}")
            found += [number for number in known if first <= number <= last]
        return found


def parse_edits(lines: Union[str, Iterable[str]]) -> List[Edit]:
    """Edits from a text or its lines. Raises EditError."""
    found: List[Edit] = []
    old: List[str] = []
    new: List[str] = []

    def finish() -> None:
        if old:
            if not "".join(old).strip():
                raise EditError("an edit replaces nothing: '- ' has no text")
            found.append(Edit("", "\n".join(old), "\n".join(new or [""] * len(old))))
        old.clear()
        new.clear()

    for line in lines.split("\n") if isinstance(lines, str) else lines:
        knob = _KNOB.fullmatch(line)
        if line == "-" or line.startswith("- "):
            if new:
                finish()
            old.append(line[2:])
        elif old and (line == "+" or line.startswith("+ ")):
            new.append(line[2:])
        elif knob:
            finish()
            found.append(Edit(knob[1], "", knob[2].strip()))
        elif line.strip():
            raise EditError(f"not an edit: '{line}'; expected NAME=VALUE, or '- OLD' and then '+ NEW'")
    finish()
    return found


def parse_table(text: str, name: str) -> List[Named]:
    """The named edits of a file. name: the file's name in error messages. Raises EditError."""
    found: List[Named] = []
    heading, at, body = None, 0, []  # type: ignore

    def finish() -> None:
        if heading:
            try:
                edits = tuple(parse_edits(body))
            except EditError as error:
                raise EditError(f"{name}:{at}: {heading[2]}: {error}") from None
            if not edits:
                raise EditError(f"{name}:{at}: {heading[2]} edits nothing")
            marks = tuple(mark.strip() for mark in (heading[3] or "").split(",") if mark.strip())
            found.append(Named(heading[1], heading[2], heading[4], marks, edits, at))

    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line.startswith("#"):
            continue
        if not line.strip():
            finish()
            heading, body = None, []
        elif heading:
            body.append(line)
        else:
            heading, at = _HEADING.fullmatch(line), number
            if not heading:
                raise EditError(f"{name}:{number}: not a heading: '{line}'; expected one like '01-03,05 lda: what'")
    _check_names(found, name)
    return found


def _check_names(found: Sequence[Named], name: str) -> None:
    seen = set()
    for each in found:
        if (each.lessons, each.name) in seen:
            raise EditError(f"{name}:{each.line}: {each.lessons} {each.name} occurs twice")
        seen.add((each.lessons, each.name))


def _once(count: int, edit: str) -> None:
    if count != 1:
        raise EditError(f"matches {count} times, not once: {edit}")


def _apply_one(text: str, edit: Edit) -> str:
    if edit.knob:
        matches = list(re.finditer(rf"^((?:constexpr int|using) {re.escape(edit.knob)} = )[^;\n]*;", text, re.M))
        _once(len(matches), str(edit))
        return text[:matches[0].end(1)] + edit.new + text[matches[0].end() - 1:]
    count = text.count(edit.old)
    _once(count, edit.old.replace("\n", "\\n"))
    return text.replace(edit.old, edit.new)


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text after the edits. Raises EditError if one does not match exactly once."""
    edits = list(edits)
    for edit in edits:
        text = _apply_one(text, edit)
    if any(re.search(r"\bhalf\b", edit.new) for edit in edits) and "cuda_fp16.h" not in text:
        text = text.replace(_INCLUDE, "#include <cuda_fp16.h>\n" + _INCLUDE, 1)
    return text
