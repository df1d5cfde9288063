"""lessons BUILD BACKEND [ARCHITECTURE...]: CMake runs this when it configures. It writes BUILD/lessons.cmake, and the
edited copies of lessons to BUILD/copies/TARGET/gemm.cu. BACKEND: cpu or gpu; architectures in CMake's notation.
lessons edit LESSON LINE...: prints a lesson with an edit, given as lines in the notation of edits.py.

lessons.cmake sets lists of targets:
  LADDER_LESSONS, LADDER_BEYOND        the lessons of this build, by name
  LADDER_LEFT_OUT                      the lessons that it cannot have; LADDER_WHY_NAME says why
  LADDER_PRACTICE                      practice.NAME for files in practice/
  LADDER_VARIANTS, _FAULTS, _EXERCISES edited copies; if one cannot be made, LADDER_WHY_TARGET says why
For each target it sets SOURCE, LESSON, NEEDS (90a), TYPES (float_float), KNOBS (BM=64 BN=64), TILES (64,16), SUITE (the
cases that it must pass; empty: all) and MARKS, with names like LADDER_SOURCE_02_coalesced. LADDER_WATCHED lists the
files that all this is read from.
"""
import pathlib
import re
import sys
from typing import Iterable, List, Tuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from ladder.lessons import EditError, Facts, every, facts_of  # noqa: E402
from ladder.lessons.copies import Copy, exercises, faults, files, make, variants, write  # noqa: E402
from ladder.lessons.facts import ROOT  # noqa: E402
from ladder.lessons.needs import lacks  # noqa: E402

_PRACTICE = re.compile(r"[0-9][0-9]_[A-Za-z0-9_]+|[0-9][0-9]\.[0-9]+", re.ASCII)


class Lists:
    """The text of lessons.cmake."""

    def __init__(self, build: pathlib.Path, gpu: bool, architectures: List[str]):
        self.build, self.gpu, self.architectures = build, gpu, architectures
        self.lines: List[str] = []

    def set(self, name: str, value: str) -> None:
        self.lines.append(f"set(LADDER_{name} [==[{value}]==])")

    def target(self, name: str, facts: Facts, source: pathlib.Path, lesson: str, marks: Iterable[str] = ()) -> None:
        tiles = list(dict.fromkeys(facts.knobs[knob] for knob in facts.tiles if knob in ("BM", "BN", "BK")))
        knobs = " ".join(f"{knob}={facts.knobs[knob]}" for knob in facts.tiles)
        for what, value in (("SOURCE", str(source)), ("LESSON", lesson), ("NEEDS", facts.needs), ("TYPES", facts.types),
                            ("KNOBS", knobs), ("TILES", ",".join(tiles)), ("SUITE", facts.suite),
                            ("MARKS", ";".join(marks))):
            self.set(f"{what}_{name}", value)

    def lacks(self, facts: Facts) -> str:
        """Why this build cannot have the lesson; "" if it can."""
        if self.gpu:
            return lacks(facts.needs, self.architectures)
        return f"it needs {facts.not_on_cpu}, which the CPU backend cannot emulate" if facts.not_on_cpu else ""

    def lessons(self) -> None:
        found: Tuple[List[str], ...] = ([], [], [])
        for facts in every():
            why = facts.fault or self.lacks(facts)
            self.target(facts.name, facts, facts.source, facts.name)
            self.set("WHY_" + facts.name, why)
            found[2 if why else 1 if facts.beyond else 0].append(facts.name)
        for name, names in zip(("LESSONS", "BEYOND", "LEFT_OUT"), found):
            self.set(name, ";".join(names))

    def practice(self) -> List[pathlib.Path]:
        paths = [path for path in sorted(ROOT.glob("practice/*/gemm.cu")) if _PRACTICE.fullmatch(path.parent.name)]
        for path in paths:
            name = "practice." + path.parent.name
            self.target(name, facts_of(path), path, name)
        self.set("PRACTICE", ";".join("practice." + path.parent.name for path in paths))
        return paths

    def copies(self, name: str, found: List[Copy]) -> None:
        """Writes the copies."""
        kept = []
        for copy in found:
            if self.lacks(copy.lesson) and not copy.fault:
                continue
            kept.append(copy.target)
            path = self.build / "copies" / copy.target / "gemm.cu"
            self.target(copy.target, copy.facts, path, copy.lesson.name, copy.marks)
            self.set("WHY_" + copy.target, copy.fault)
            write(path, copy.facts.text)
        self.set(name, ";".join(kept))


def edit(word: str, lines: List[str]) -> int:
    for facts in every():
        if word in (facts.name, facts.number):
            copy = make("", facts, lines)
            if copy.fault:
                print(copy.fault, file=sys.stderr)
                return 1
            print(copy.facts.text, end="")
            return 0
    print(f"lessons: no lesson called {word}", file=sys.stderr)
    return 1


def main(arguments: List[str]) -> int:
    if arguments[:1] == ["edit"] and len(arguments) > 2:
        return edit(arguments[1], arguments[2:])
    if len(arguments) < 2 or arguments[1] not in ("cpu", "gpu"):
        print("usage: lessons BUILD cpu|gpu [ARCHITECTURE...]; lessons edit LESSON LINE...", file=sys.stderr)
        return 2
    build = pathlib.Path(arguments[0])
    lists = Lists(build, arguments[1] == "gpu", arguments[2:])
    try:
        lists.lessons()
        watched = [facts.source for facts in every()] + lists.practice() + files()
        for name, found in (("VARIANTS", variants()), ("FAULTS", faults()), ("EXERCISES", exercises())):
            lists.copies(name, found)
        lists.set("WATCHED", ";".join(map(str, watched)))
        write(build / "lessons.cmake", "\n".join(lists.lines) + "\n")
    except (EditError, OSError, ValueError, KeyError) as error:
        print(f"lessons: {type(error).__name__ + ': ' if isinstance(error, KeyError) else ''}{error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
