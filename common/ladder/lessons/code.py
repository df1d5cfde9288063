"""A source's code: its text without comments, and the hash that says which code a figure belongs to."""
import hashlib
import re

_PART = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.S)


def without_comments(text: str) -> str:
    """A source of C++ with a blank for each comment; // and /* in strings are none. Comments of several
    lines take their line ends along."""
    return _PART.sub(lambda part: " " if part[0].startswith("/") else part[0], text)


def code_hash(text: str) -> str:
    """16 hexadecimal digits of the SHA-256 of a source's code, with one space for each gap: a better
    comment or another indentation does not outdate what was measured or drawn."""
    code = " ".join(without_comments(text).split())
    return hashlib.sha256(code.encode("utf-8", "surrogateescape")).hexdigest()[:16]
