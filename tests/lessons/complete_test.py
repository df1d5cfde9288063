"""Checks that every lesson has all of its files and table rows. A failure names what a new lesson lacks."""
import dataclasses
import json
import pathlib
import re
import unittest
from typing import List

from ladder.lessons import EditError, every
from ladder.lessons.copies import table
from ladder.lessons.facts import ROOT, Facts

COUNTS = ROOT / "tests" / "lessons" / "counts" / "counts.txt"
PLANTED = ROOT / "tests" / "lessons" / "planted.txt"
JUDGING = ROOT / "common" / "ladder" / "judging"


def planted(number: str) -> bool:
    numbers = [facts.number for facts in every()] + [number]
    return any(number in each.numbers(numbers) for each in table(PLANTED))


def missing(facts: Facts) -> List[str]:
    """What a lesson lacks, one line each."""
    readme = facts.source.parent / "README.md"
    exercises = JUDGING / "exercises" / (facts.number + ".json")
    header = facts.text.splitlines()[:1]
    before = [each.name for each in every() if each.number < facts.number and (facts.beyond or not each.beyond)]
    required = {
        f"{facts.folder}/README.md, which begins with '# {facts.name}'":
            readme.is_file() and readme.read_text(encoding="utf-8").startswith("# " + facts.name),
        f"{facts.folder}/gemm.cu: a header '// {facts.name}: IDEA', with what it changes in the lesson before":
            bool(header and header[0].startswith(f"// {facts.name}: ") and facts.idea and facts.change and
                 (facts.predecessor in before if facts.beyond else [facts.predecessor] == (before or [""])[-1:])),
        f"{facts.folder}/gemm.cu: " + (facts.fault or "using Input and using Acc"):
            not facts.fault and facts.types.startswith(f"{facts.input}_{facts.acc}"),
        f"a row '{facts.name} ...' in {COUNTS.relative_to(ROOT)}":
            bool(facts.not_on_cpu) or bool(re.search(rf"^{facts.name} ", COUNTS.read_text(encoding="utf-8"), re.M)),
        f"its exercises: {exercises.relative_to(ROOT)}":
            exercises.is_file() and json.loads(exercises.read_text(encoding="utf-8"))["lesson"] == facts.name,
        "its task in common/ladder/judging/climb.json":
            not facts.predecessor or
            facts.name in json.loads((JUDGING / "climb.json").read_text(encoding="utf-8"))["climbs"],
        f"a planted bug in {PLANTED.relative_to(ROOT)}":
            bool(facts.not_on_cpu) or planted(facts.number),
    }
    return [what for what, there in required.items() if not there]


class Complete(unittest.TestCase):
    def test_every_lesson(self) -> None:
        lacking = [f"{facts.name} lacks {what}" for facts in every() for what in missing(facts)]
        self.assertFalse(lacking, "\n" + "\n".join(lacking))

    def test_numbers_are_consecutive(self) -> None:
        self.assertEqual([facts.number for facts in every()], [f"{at:02}" for at in range(len(every()))])

    def test_an_empty_lesson_lacks_everything(self) -> None:
        name = f"{len(every()):02}_made_up"
        new = dataclasses.replace(every()[0], source=ROOT / name / "gemm.cu", name=name, text="", idea="", change="",
                                  knobs={}, predecessor="16_other")
        self.assertEqual(len(missing(new)), 7, missing(new))

    def test_tables_name_lessons_that_exist(self) -> None:
        numbers = [facts.number for facts in every()]
        for path in sorted(pathlib.Path(ROOT / "tests").rglob("*.txt")):
            if path.name not in ("planted.txt", "variants.txt", "faults.txt"):
                continue
            for each in table(path):
                try:
                    self.assertTrue(each.numbers(numbers))
                except EditError as error:
                    self.fail(f"{path.name}:{each.line}: {error}")
