"""A source's code: its text without comments, and a hash that identifies the code of a figure."""
import hashlib
import re
from typing import List, Tuple

_PART = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.S)


def without_comments(text: str) -> str:
    """C++ code with a space for each comment, also for one of several lines. Knows that // and /* in strings are not
    comments."""
    return _PART.sub(lambda part: " " if part[0].startswith("/") else part[0], text)


def code_lines(text: str) -> List[Tuple[int, str]]:
    """The lines with code, without // comments: their numbers and texts. Changed comments leave the texts as they are."""
    lines = [(number, without_comments(line).strip()) for number, line in enumerate(text.split("\n"), 1)]
    return [(number, line) for number, line in lines if line]


def code_hash(text: str) -> str:
    """16 hexadecimal digits of the SHA-256 of a source's code, with one space for each gap, so that changed comments or
    indentation do not make measurements and pictures stale."""
    code = " ".join(without_comments(text).split())
    return hashlib.sha256(code.encode("utf-8", "surrogateescape")).hexdigest()[:16]
