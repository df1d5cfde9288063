"""Which source a figure was measured with."""
import hashlib
import pathlib
import re

_PART = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.S)


def source_hash(path: pathlib.Path) -> str:
    """16 hexadecimal digits of a source's SHA-256, without its comments, and with one space for each gap: a
    better comment does not outdate what was measured. Raises OSError."""
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    code = _PART.sub(lambda part: " " if part[0].startswith("/") else part[0], text)
    return hashlib.sha256(" ".join(code.split()).encode("utf-8", "surrogateescape")).hexdigest()[:16]
