"""Survivors that are known, and why: tests/lessons/variants/survivors.json.

"equivalent" are no bugs and left out of the score, "open" are bugs that no test catches yet. Each entry
has "lesson" (a name, or "*"), "edit" (an edit in words, where "..." stands for any text) and "reason".
"""
import json
import re
from typing import Dict, List, NamedTuple, Optional, Sequence

from ladder import MACHINE, ROOT, die, lessons
from ladder.mutation.operators import Mutant

FILE = ROOT / "tests" / "lessons" / "variants" / "survivors.json"
KINDS = ("equivalent", "open")


class Entry(NamedTuple):
    kind: str
    lesson: str
    edit: str
    reason: str

    def fits(self, lesson: str, edit: str) -> bool:
        pattern = ".*".join(map(re.escape, self.edit.split("...")))
        return self.lesson in ("*", lesson) and bool(re.fullmatch(pattern, edit))


def read() -> List[Entry]:
    """The file's entries; none if there is no file. What is no entry ends the command."""
    if not FILE.exists():
        return []
    try:
        table = json.loads(FILE.read_text(encoding="utf-8"))
        return [Entry(kind, *(str(each[key]) for key in ("lesson", "edit", "reason")))
                for kind in KINDS for each in table[kind]]
    except (ValueError, KeyError, TypeError) as error:
        die(MACHINE, "%s is damaged: %s" % (FILE.relative_to(ROOT), " ".join(repr(error).split())))


def find(entries: Sequence[Entry], lesson: str, edit: str) -> Optional[Entry]:
    return next((each for each in entries if each.fits(lesson, edit)), None)


def stale(entries: Sequence[Entry], every: Dict[str, List[Mutant]]) -> List[Entry]:
    """Entries that no mutant of these lessons fits, though they speak of one of them, or of all."""
    return [each for each in entries
            if (each.lesson in every or each.lesson == "*" and len(every) == len(lessons())) and
            not any(each.fits(lesson, mutant.edit) for lesson in every for mutant in every[lesson])]
