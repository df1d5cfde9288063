"""The hand-written bugs of tests/lessons/planted.txt, which explains at its top how to write one."""
from typing import Container, List, NamedTuple, Tuple

from ladder import ROOT, die, MACHINE
from ladder.lessons import Edit, EditError, apply, every, parse_table

TABLE = ROOT / "tests" / "lessons" / "planted.txt"
HEADERS = ("common/hopper.h", "common/tensor_map.h", "common/stream_memory.h")  # shared by lessons; each includes those after it


class Planted(NamedTuple):
    """One bug in one lesson."""
    lesson: str
    name: str
    what: str
    marks: Tuple[str, ...]
    edits: Tuple[Edit, ...]

    @property
    def few(self) -> bool:
        """Whether ./ladder test always judges it."""
        return "few" in self.marks

    @property
    def gpu(self) -> bool:
        """Whether only tests on a GPU can catch it."""
        return "gpu" in self.marks

    def apply(self, text: str) -> str:
        """The edited source. An edited header is inlined. Raises EditError."""
        header = next((mark for mark in self.marks if mark in HEADERS), "")
        if not header:
            return apply(text, self.edits)
        for name in HEADERS[:HEADERS.index(header) + 1]:
            include = f'#include "{name}"\n'
            if include in text:
                code = (ROOT / name).read_text(encoding="utf-8").replace("#pragma once\n", "")
                text = text.replace(include, apply(code, self.edits) if name == header else code)
            elif name == header:
                raise EditError(f"{header} is not included")
        return text


def planted() -> List[Planted]:
    """All planted bugs, by lesson. One that cannot be parsed or does not fit its lesson ends the command."""
    try:
        table = parse_table(TABLE.read_text(encoding="utf-8"), TABLE.name)
        found = []
        for facts in every():
            for each in table:
                if facts.number in each.numbers([other.number for other in every()]):
                    if set(each.marks) - {"few", "gpu", *HEADERS}:
                        raise EditError(f"{TABLE.name}:{each.line}: the marks are few, gpu, {', '.join(HEADERS)}")
                    one = Planted(facts.name, each.name, each.what, each.marks, each.edits)
                    try:
                        one.apply(facts.text)
                    except EditError as error:
                        raise EditError(f"{TABLE.name}:{each.line}: {facts.number} {each.name} {error}") from None
                    found.append(one)
        return found
    except (OSError, EditError) as error:
        die(MACHINE, str(error))


def chosen(lessons: Container[str], few: bool, gpu: bool) -> List[Planted]:
    """The bugs of some lessons, by name; few: only those with that mark; gpu: only those with that mark, else none of
    them."""
    return [each for each in planted() if each.lesson in lessons and (each.few or not few) and each.gpu == gpu]
