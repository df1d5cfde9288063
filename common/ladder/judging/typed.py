"""Reads answers as people type them: 1 048 576, 1,024, 1,5, 2^20, 3/4, 2.78 %, 1e-2, 4 KB, 32 sectors.

The name of a question, such as "bytes" or "... in percent", decides which units its answer may have.
"""
import math
import re
from typing import List

from ladder.judging.figures import Value

OUTCOMES = ("right", "wrong", "error")  # how a run can end
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_UNIT = re.compile(r"(?<![a-zA-Z])[a-zA-Z][a-zA-Z ]*$", re.ASCII)
_BYTES = {"k": 1, "m": 2, "g": 3}


def _plain(word: str) -> List[float]:
    """The value of a number, quotient or power; [] for other words, two values if a comma is ambiguous."""
    if "," in word:
        both = [word.replace(",", ".")] if re.fullmatch(r"[^,]*,[^,.]*", word) else []
        both += [word.replace(",", "")] if re.fullmatch(r"[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?", word, re.ASCII) else []
        return [value for each in both for value in _plain(each)]
    found = re.fullmatch(rf"({_NUMBER})(?:\s*(/|\^|\*\*)\s*({_NUMBER}))?", word, re.ASCII)
    if not found:
        return []
    first, second = float(found[1]), float(found[3] or 1)
    try:
        value = first / second if found[2] == "/" else first ** second
    except (OverflowError, ZeroDivisionError):
        return []
    return [value] if isinstance(value, float) and math.isfinite(value) else []


def _bytes_in(unit: str) -> List[float]:
    """The factor of a unit such as KiB; both meanings of KB."""
    found = re.fullmatch("([kmg])(i?)b?(?:ytes?)?", unit.replace(" ", ""))
    power = _BYTES[found[1]] if found else 0
    return [] if not found else [1024.0 ** power] if found[2] else [1024.0 ** power, 1000.0 ** power]


def readings(word: str, question: str) -> List[float]:
    """The numbers that an answer to a question may mean; [] if it is not a number."""
    names = {name.rstrip("s") for name in re.findall("[a-z]+", question.lower())}
    word = re.sub(r"(?<=\d)[\s_'](?=\d{3}(?!\d))", "", word.strip().replace("\u00a0", " ").replace("\u202f", " "))
    percent = word.endswith("%")
    word = word[:-1].rstrip() if percent else word
    factors = [1.0]
    found = _UNIT.search(word)
    if found and not percent:
        unit = found[0].lower().split()
        if not all(each.rstrip("s") in names for each in unit):
            factors = _bytes_in("".join(unit)) if "byte" in names else []
        word = word[:found.start()].rstrip()
    if "percent" in names:
        factors = [1.0] if percent else [*factors, 100.0]  # 1/36 and 0.0278 are 2.78 percent
    elif percent:
        factors = [0.01]
    return [value * factor for value in _plain(word) for factor in factors]


def unreadable(word: str, question: str, outcome: bool = False) -> str:
    """What the answer should be, such as "a number", if it is unreadable; else "". outcome: the question asks how a run
    ends."""
    if outcome:
        return "" if _said(word) in OUTCOMES else "right, wrong or error"
    return "" if readings(word, question) else "a number"


def _said(word: str) -> str:
    return word.strip().strip(".\"'").lower()


def same(value: Value, word: str, question: str, digits: int = 3, within: float = 0.0) -> bool:
    """Whether an answer equals the value. A number may be rounded to this many digits or more; with digits 0 it must be
    exact. within: a relative tolerance."""
    if isinstance(value, str):
        return _said(word) == value.lower()
    size = abs(value)
    unit = 10.0 ** (math.floor(math.log10(size)) - digits + 1) if size and digits else 0.0
    slack = max(0.5 * unit, within * size) * (1 + 1e-9) + 1e-9 * size
    return any(abs(found - value) <= slack for found in readings(word, question))
