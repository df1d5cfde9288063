#!/usr/bin/env python3
"""edits.py [LESSON...]: judges the edits of edits.txt on the CPU backend, those of some lessons or all.

Each is planted alone in a copy of its lesson and judged as the mutants of ./ladder mutate are: by a few
random problems, the table of counts, the lesson's suite and 300 random problems. Says what rejected each,
and how many of which kind were. Exit status 1 if one was not, 2 for a bad call or a bad edits.txt.
"""
import pathlib
import re
import sys
from typing import Dict, List, NamedTuple, Tuple

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "common"))

from ladder import USAGE, Stop, die, lesson, lesson_source, lock, need, shown  # noqa: E402
from ladder.mutation.judge import REJECTED, judge_all  # noqa: E402
from ladder.mutation.programs import clean  # noqa: E402

FILE = ROOT / "tests" / "lessons" / "variants" / "edits.txt"
_HEADING = re.compile(r"(values|gpu) (\w+) (\w+): (.+)", re.ASCII)
_INCLUDE = '#include "common/lesson.h"\n'


class Planted(NamedTuple):
    """An edit of edits.txt; with edit and apply() like a mutant of ladder.mutation."""
    kind: str
    lesson: str
    name: str
    what: str
    pieces: List[Tuple[str, str]]

    @property
    def edit(self) -> str:
        return "planted: %s %s" % (self.name, self.pieces)

    def apply(self, text: str) -> str:
        """The edited source. Where it speaks of half and does not include that, it does."""
        for old, new in self.pieces:
            if text.count(old) != 1:
                die(USAGE, "%s.%s: '%s' occurs %d times" % (self.lesson, self.name, old, text.count(old)))
            text = text.replace(old, new)
        if re.search(r"\bhalf\b", "".join(new for _, new in self.pieces)) and "cuda_fp16" not in text:
            text = text.replace(_INCLUDE, "#include <cuda_fp16.h>\n" + _INCLUDE)
        return text


def read() -> List[Planted]:
    """The edits of edits.txt. What is none ends the program."""
    found: List[Planted] = []
    old = None
    for number, line in enumerate(FILE.read_text(encoding="utf-8").splitlines(), 1):
        heading = _HEADING.fullmatch(line)
        if heading and old is None:
            kind, name, edit, what = heading.groups()
            found.append(Planted(kind, name, edit, what, []))
        elif line[:2] == "- " and found and old is None:
            old = line[2:]
        elif line[:1] == "+" and old is not None:
            found[-1].pieces.append((old, line[2:]))
            old = None
        elif line and line[0] != "#":
            die(USAGE, "edits.txt:%d is no part of an edit: '%s'" % (number, shown(line)))
    return found


def judge(name: str, edits: List[Planted]) -> Dict[str, List[str]]:
    """Prints a line for each edit of a lesson. Returns the names of those rejected, and of all, by kind."""
    text = lesson_source(name).read_text(encoding="utf-8")
    for each in edits:
        each.apply(text)
    counts: Dict[str, List[str]] = {}
    for each, found in zip(edits, judge_all(name, edits, lambda _: False, 1, lambda _: None)):
        rejected = found.status == REJECTED
        print("%-8s %-18s %-24s %s" % (each.kind, name, each.name,
                                       "by " + found.by if rejected else found.status.upper()), flush=True)
        for key in (each.kind, each.kind + " rejected") if rejected else (each.kind,):
            counts.setdefault(key, []).append(each.name)
    return counts


def main(words: List[str]) -> int:
    if words in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    edits = read()
    names = sorted({lesson(word) for word in words} or {each.lesson for each in edits})
    for name in names:
        if not any(each.lesson == name for each in edits):
            die(USAGE, "edits.txt has no edit of %s" % name)
    need("test")
    lock()
    clean()
    total: Dict[str, int] = {}
    for name in names:
        for key, found in judge(name, [each for each in edits if each.lesson == name]).items():
            total[key] = total.get(key, 0) + len(found)
    for kind in sorted(key for key in total if " " not in key):
        print("%s: %d of %d rejected" % (kind, total.get(kind + " rejected", 0), total[kind]))
    return 0 if all(total.get(key + " rejected", 0) == total[key] for key in total if " " not in key) else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Stop as stop:
        print("edits.py: " + stop.message, file=sys.stderr)
        sys.exit(stop.code)
    except KeyboardInterrupt:
        sys.exit(130)
