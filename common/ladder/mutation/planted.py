"""The bugs that are planted by hand, in tests/lessons/planted.txt: how to write one stands on top of it."""
from typing import Container, List, NamedTuple, Tuple

from ladder import ROOT, die, MACHINE
from ladder.lessons import Edit, EditError, apply, every, parse_table

TABLE = ROOT / "tests" / "lessons" / "planted.txt"


class Planted(NamedTuple):
    """One bug in one lesson."""
    lesson: str
    name: str
    what: str
    few: bool  # one of those that ./ladder test judges always
    edits: Tuple[Edit, ...]

    def apply(self, text: str) -> str:
        """The edited source. Raises EditError."""
        return apply(text, self.edits)


def planted() -> List[Planted]:
    """All of them, by lessons. What cannot be read, or does not fit its lesson, ends the command."""
    try:
        table = parse_table(TABLE.read_text(encoding="utf-8"), TABLE.name)
        found = []
        for facts in every():
            for each in table:
                if facts.number in each.numbers([other.number for other in every()]):
                    if set(each.marks) - {"few"}:
                        raise EditError(f"{TABLE.name}:{each.line}: the only mark is [few]")
                    one = Planted(facts.name, each.name, each.what, "few" in each.marks, each.edits)
                    try:
                        one.apply(facts.text)
                    except EditError as error:
                        raise EditError(f"{TABLE.name}:{each.line}: {facts.number} {each.name} {error}") from None
                    found.append(one)
        return found
    except (OSError, EditError) as error:
        die(MACHINE, str(error))


def chosen(lessons: Container[str], few: bool) -> List[Planted]:
    """Those of some lessons, by name; few: of these those with that mark."""
    return [each for each in planted() if each.lesson in lessons and (each.few or not few)]
