"""Facts about a gemm.cu: a lesson, a practice file or an edited copy."""
import functools
import pathlib
import re
from dataclasses import dataclass, field
from typing import Mapping, Tuple

ROOT = pathlib.Path(__file__).resolve().parents[3]
# The types that the suite supports: of inputs, of sums, and of the output if it differs.
TYPES = ("float_float", "double_double", "half_float", "int_int", "half_float_half", "e4m3_float",
         "e4m3_float_bf16")
_FOLDER = re.compile(r"[0-9][0-9]_[A-Za-z0-9_]+", re.ASCII)
_KNOB = re.compile(r"^(?:constexpr int|using) (\w+) = ([\w:]+);", re.M)
_NEEDS = re.compile(r"sm_([1-9][0-9]+a)")


@dataclass(frozen=True)
class Facts:
    """Facts about one source. A missing fact is ""."""
    source: pathlib.Path
    text: str = field(repr=False)
    name: str  # of the folder: 02_coalesced; 02.3 in practice/
    knobs: Mapping[str, str] = field(hash=False)  # "BM": "64", "Input": "float": those with plain values, in order
    idea: str  # the first sentence of the header
    change: str  # the changes from its predecessor, from the header
    predecessor: str  # the name of the lesson that it is derived from; "" for the first
    needs: str  # the only architecture that it runs on, such as 90a
    fault: str  # what is wrong with the header; such a source is not built

    @property
    def number(self) -> str:
        return self.name[:2]

    @property
    def folder(self) -> str:
        """The folder relative to the checkout, such as beyond/09_any_shape; an absolute path for a copy elsewhere."""
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
        """The type of sums, and of C unless Output is set."""
        return self.knobs.get("Acc", "")

    @property
    def output(self) -> str:
        """The element type of C."""
        return self.knobs.get("Output", self.acc)

    @property
    def types(self) -> str:
        """The types, as in half_float, for parts that are compiled once for each of TYPES. float_float for unknown
        types, for which the compiler will report an error."""
        types = "_".join([self.input, self.acc, *([self.output] if self.output != self.acc else [])])
        return types if types in TYPES else "float_float"

    @property
    def tiles(self) -> Tuple[str, ...]:
        """The names of the knobs that are tile sizes or numbers of products of pieces, which counts.txt and the suite
        use."""
        return tuple(name for name, value in self.knobs.items()
                     if re.fullmatch(r"B[MNK]|W[MN]|T[MN]|MMA|PATCH|PRODUCTS", name) and value.isdigit())

    @property
    def not_on_cpu(self) -> str:
        """The architecture that it needs if the CPU backend cannot emulate it, else ""."""
        return "" if self.needs in ("", "90", "90a") else f"sm_{self.needs}"

    @property
    def suite(self) -> str:
        """The cases of the suite that it must pass, in Catch2's notation; "" for all."""
        return "~[grid]~[.]" if self.beyond else ""


def _header(text: str) -> Tuple[str, str, str, str]:
    """Idea, predecessor and change from the comment on top, and the text after "Needs:", which may be in the next
    comment, since in practice/ a task comes first."""
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
    """The facts about a file; text: its content, if it need not be read. Raises OSError."""
    text = text or path.read_text(encoding="utf-8", errors="surrogateescape")
    idea, predecessor, change, needs = _header(text)
    known = _NEEDS.fullmatch(needs)
    fault = "" if known or not needs else f"'Needs: {needs}' names no architecture; expected one as in 'Needs: sm_90a'"
    return Facts(path, text, path.parent.name, dict(_KNOB.findall(text)), idea, change, predecessor,
                 known[1] if known else "", fault)


@functools.lru_cache(maxsize=None)
def every() -> Tuple[Facts, ...]:
    """The lessons in order, then those in beyond/. Ignores folders with other names, such as a copy whose name has a
    space."""
    paths = [*sorted(ROOT.glob("[0-9][0-9]_*/gemm.cu")), *sorted(ROOT.glob("beyond/[0-9][0-9]_*/gemm.cu"))]
    return tuple(facts_of(path) for path in paths if _FOLDER.fullmatch(path.parent.name))


def find(name: str) -> Facts:
    """The facts about the lesson with this name, such as 02_coalesced. Raises KeyError."""
    for facts in every():
        if facts.name == name:
            return facts
    raise KeyError(name)
