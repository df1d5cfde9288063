"""Facts of a gemm.cu: of the lessons, of those in beyond/, of practice files and edited copies."""
import functools
import pathlib
import re
from dataclasses import dataclass, field
from typing import Mapping, Tuple

ROOT = pathlib.Path(__file__).resolve().parents[3]
# What the suite is written for: the types of inputs and of sums, and of the output where it has a type of its own.
TYPES = ("float_float", "double_double", "half_float", "int_int", "half_float_half")
_FOLDER = re.compile(r"[0-9][0-9]_[A-Za-z0-9_]+", re.ASCII)
_KNOB = re.compile(r"^(?:constexpr int|using) (\w+) = ([\w:]+);", re.M)
_NEEDS = re.compile(r"sm_([1-9][0-9]+a)")


@dataclass(frozen=True)
class Facts:
    """Facts of one source. What it does not state is ""."""
    source: pathlib.Path
    text: str = field(repr=False)
    name: str  # of the folder: 02_coalesced; 02.3 in practice/
    knobs: Mapping[str, str] = field(hash=False)  # "BM": "64", "Input": "float": those with plain values, in order
    idea: str  # the first sentence of the header
    change: str  # what it changes in its predecessor, from the header
    predecessor: str  # the lesson that it is changed from, by name; of the first none
    needs: str  # the one architecture that it runs on, as 90a
    fault: str  # what is wrong with its header; such a source is not built

    @property
    def number(self) -> str:
        return self.name[:2]

    @property
    def folder(self) -> str:
        """Relative to the checkout, as beyond/09_any_shape; of a copy elsewhere the absolute one."""
        folder = self.source.parent
        return folder.relative_to(ROOT).as_posix() if ROOT in folder.parents else str(folder)

    @property
    def beyond(self) -> bool:
        return self.folder.startswith("beyond/")

    @property
    def input(self) -> str:
        """The element type of A and B."""
        return self.knobs.get("Input", "")

    @property
    def acc(self) -> str:
        """The type of sums, and of C unless it has one of its own."""
        return self.knobs.get("Acc", "")

    @property
    def output(self) -> str:
        """The element type of C."""
        return self.knobs.get("Output", self.acc)

    @property
    def types(self) -> str:
        """All as in half_float, for what is compiled once for each of TYPES; float_float for what is none of them, of
        which the compiler will say what is wrong."""
        types = "_".join([self.input, self.acc, *([self.output] if "Output" in self.knobs else [])])
        return types if types in TYPES else "float_float"

    @property
    def tiles(self) -> Tuple[str, ...]:
        """The names of the knobs that are sizes of tiles, or numbers of products of pieces, as counts.txt and the suite
        use them."""
        return tuple(name for name, value in self.knobs.items()
                     if re.fullmatch(r"B[MNK]|W[MN]|T[MN]|MMA|PATCH|PRODUCTS", name) and value.isdigit())

    @property
    def not_on_cpu(self) -> str:
        """What it needs that the CPU backend cannot stand in for; "" if nothing."""
        return "" if self.needs in ("", "90", "90a") else f"sm_{self.needs}"

    @property
    def suite(self) -> str:
        """Which cases of the suite it has to pass, in Catch2's notation; "" stands for all."""
        return "~[grid]~[.]" if self.beyond else ""


def _header(text: str) -> Tuple[str, str, str, str]:
    """Idea, predecessor and change, from the comment on top, and the words behind "Needs:", which may stand in the
    next one: in practice/ a task comes first."""
    lines = []
    found = re.search(r"^// Needs:(.*)$", text.partition("#include")[0], re.M)
    needs = found[1].strip() if found else ""
    for line in text.splitlines():
        if not line.startswith("//") or line.startswith("// Build:"):
            break
        if not line.startswith("// Needs:"):
            lines.append(line[2:].strip())
    found = re.match(r"\w+: (.*?)\s*(?:Changed from (?:nothing|(\w+)): (.*))?$", " ".join(lines))
    return (found[1], found[2] or "", found[3] or "", needs) if found else ("", "", "", needs)


def facts_of(path: pathlib.Path, text: str = "") -> Facts:
    """Facts of a file; text: what to take for its content, if it is not to be read. Raises OSError."""
    text = text or path.read_text(encoding="utf-8", errors="surrogateescape")
    idea, predecessor, change, needs = _header(text)
    known = _NEEDS.fullmatch(needs)
    fault = "" if known or not needs else f"'Needs: {needs}' names no architecture; expected as in 'Needs: sm_90a'"
    return Facts(path, text, path.parent.name, dict(_KNOB.findall(text)), idea, change, predecessor,
                 known[1] if known else "", fault)


@functools.lru_cache(maxsize=None)
def every() -> Tuple[Facts, ...]:
    """The lessons in order, then those in beyond/. A folder that only looks like one, as a copy whose name
    has a blank, is none."""
    paths = [*sorted(ROOT.glob("[0-9][0-9]_*/gemm.cu")), *sorted(ROOT.glob("beyond/[0-9][0-9]_*/gemm.cu"))]
    return tuple(facts_of(path) for path in paths if _FOLDER.fullmatch(path.parent.name))


def find(name: str) -> Facts:
    """Facts of the lesson called 02_coalesced. Raises KeyError."""
    for facts in every():
        if facts.name == name:
            return facts
    raise KeyError(name)
