"""Edited copies of lessons that the build makes: variants, faults, and the reference edits of exercises.

  tests/lessons/variants.txt       NN_name.NAME      as correct as the lesson
  tests/ladder/faults/faults.txt   fault.NAME        lessons that misbehave
  common/ladder/judging/exercises  exercise.NN.I     the edit of an exercise (exercise.NN.I.OTHER)
"""
import contextlib
import json
import pathlib
from dataclasses import dataclass, replace
from typing import Dict, Iterable, Iterator, List, Tuple

from ladder.lessons.edits import EditError, Named, apply, parse_edits, parse_table
from ladder.lessons.facts import ROOT, Facts, every, facts_of

VARIANTS = ROOT / "tests" / "lessons" / "variants.txt"
FAULTS = ROOT / "tests" / "ladder" / "faults" / "faults.txt"
EXERCISES = ROOT / "common" / "ladder" / "judging" / "exercises"


@dataclass(frozen=True)
class Copy:
    """A copy of a lesson. If an edit does not match, fault says so, and facts are the lesson's."""
    target: str  # the build's name for it
    lesson: Facts
    marks: Tuple[str, ...]
    facts: Facts
    fault: str = ""


def make(target: str, lesson: Facts, edits: Iterable[str], marks: Iterable[str] = ()) -> Copy:
    """The copy of a lesson with edits, given as lines."""
    try:
        facts = facts_of(lesson.source, apply(lesson.text, parse_edits(edits)))
    except EditError as error:
        return Copy(target, lesson, tuple(marks), lesson, f"{lesson.name}: {error}")
    return Copy(target, lesson, tuple(marks), replace(facts, name=lesson.name))


def _of_table(path: pathlib.Path, prefix: str) -> Iterator[Copy]:
    lessons: Dict[str, Facts] = {facts.number: facts for facts in every()}
    for each in table(path):
        try:
            numbers = each.numbers(lessons)
        except EditError as error:
            raise EditError(f"{path.relative_to(ROOT).as_posix()}:{each.line}: {error}") from None
        for number in numbers:
            lines = "\n".join(map(str, each.edits)).split("\n")
            yield make(f"{prefix or lessons[number].name}.{each.name}", lessons[number], lines, each.marks)


def table(path: pathlib.Path) -> List[Named]:
    """The named edits of a file of the checkout; none if there is no such file."""
    return parse_table(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix()) if path.exists() else []


def _of_exercises(path: pathlib.Path) -> Iterator[Copy]:
    data = json.loads(path.read_text(encoding="utf-8"))
    lessons = {facts.name: facts for facts in every()}
    if data["lesson"] not in lessons:
        raise EditError(f"{path.name}: there is no lesson {data['lesson']}")
    lesson = lessons[data["lesson"]]
    for each in data["exercises"]:
        marks = []
        if each.get("suite"):
            marks.append("suite")
        if not each.get("built", True):
            marks.append("not built")
        if each.get("edit"):
            yield make("exercise." + each["id"], lesson, each["edit"], marks)
        others = [one for kind in ("more", "alike", "wrong") for one in each.get(kind, {}).items()]
        for name, edits in others:
            yield make(f"exercise.{each['id']}.{name}", lesson, edits, [mark for mark in marks if mark != "suite"])


def variants() -> List[Copy]:
    return list(_of_table(VARIANTS, ""))


def faults() -> List[Copy]:
    return list(_of_table(FAULTS, "fault"))


def exercises(number: str = "[0-9][0-9]") -> List[Copy]:
    """The reference edits of exercises. number: only those of this lesson."""
    return [copy for path in sorted(EXERCISES.glob(number + ".json")) for copy in _of_exercises(path)]


def files() -> List[pathlib.Path]:
    """The files from which the copies are made, besides the lessons."""
    return [VARIANTS, FAULTS, *sorted(EXERCISES.glob("[0-9][0-9].json"))]


def write(path: pathlib.Path, text: str) -> None:
    """Writes a copy. A file with the same content is left alone, so it keeps its modification time."""
    data = text.encode("utf-8", "surrogateescape")
    with contextlib.suppress(OSError):
        if path.read_bytes() == data:
            return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
