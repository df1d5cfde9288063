"""The constants of a gemm.cu and their values, and the shapes of its shared arrays."""
import re
from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple

from ladder.lessons.facts import ROOT

# The sizes of types.
BYTES = {"float": 4, "half": 2, "double": 8, "int": 4, "char": 1, "e4m3": 1, "__mbarrier_t": 8, "__nv_bfloat16": 2, "bf16": 2,
         "float2": 8, "float4": 16}
DYNAMIC = "dynamic shared memory"  # the name of an extern array in a run
_KNOB = re.compile(r"^\s*constexpr\s+int\s+([^;]+);", re.M)
_NAME = r"([A-Za-z_]\w*)\s*((?:\[[^\]]*\]\s*)+)"  # of an array, with its dimensions
_ARRAYS = re.compile(rf"\b([A-Za-z_]\w*)\s+({_NAME}(?:,\s*{_NAME})*);")
_STRUCT = re.compile(r"struct\s+(?:alignas\((\w+)\)\s*)?(\w+)\s*\{([^}]*)\}")
_MEMBER = re.compile(r"static\s+constexpr\s+int\s+(\w+)\s*=\s*([^;]+);")
_ALIAS = re.compile(r"\busing\s+(\w+)\s*=\s*(\w+)((?:\[[^\]]*\])*);")
_ARITHMETIC = re.compile(r"^[\s\w(),+*/%<>=&|\-]+$")
_EITHER = re.compile(r"([^?]+)\?([^:]+):(.+)")  # ... ? ... : ...
_FUNCTIONS = {"ceil_div": lambda a, b: -(-a // b)}


@dataclass
class Field:
    """An array in shared memory, or in each element of an array of structures."""
    name: str
    offset: int  # in bytes
    element: int  # in bytes
    dims: List[int]  # the first may be 0: unknown
    pad: int = 0  # unused elements at the end of a row

    @property
    def bytes(self) -> int:
        size = self.element
        for dim in self.dims:
            size *= dim
        return size


@dataclass
class Shape:
    """The layout of one shared array. period: bytes of a structure, 0 if there is none."""
    fields: List[Field]
    outer: str = ""  # the array of structures
    period: int = 0

    def locate(self, offset: int) -> Optional[Tuple[str, Field, int]]:
        """The array with all indices except the last, its field, and the last index; or None."""
        prefix = ""
        if self.period:
            prefix = f"{self.outer}[{offset // self.period}]."
            offset %= self.period
        for f in self.fields:
            inside = offset - f.offset
            if not 0 <= inside < (f.bytes or 1 << 40):
                continue
            index, indices = inside // f.element, []
            for dim in reversed(f.dims[1:]):
                indices.append(index % dim)
                index //= dim
            indices.append(index)
            before = "".join(f"[{i}]" for i in reversed(indices[1:]))
            return f"{prefix}{f.name}{before}", f, indices[0]
        return None

    def name(self, offset: int) -> str:
        """The element at an offset, as in As[3][5]; "" if it is not known."""
        found = self.locate(offset)
        return f"{found[0]}[{found[2]}]" if found else ""

    def array(self, offset: int) -> str:
        """The two-dimensional array at an offset, as in As[1] of As[3][16][68], or tiles[1].As."""
        found = self.locate(offset)
        if not found:
            return ""
        return found[0].rpartition("[")[0] if len(found[1].dims) > 1 else found[0]

    def is_pad(self, offset: int) -> bool:
        found = self.locate(offset)
        return found is not None and found[1].pad > 0 and found[2] >= found[1].dims[-1] - found[1].pad


@dataclass
class Types:
    """bytes: the size of each element type. aliases: the type and dimensions that each alias stands for."""
    bytes: Dict[str, int]
    aliases: Dict[str, Tuple[str, str]]


def evaluate(words: str, known: Dict[str, int]) -> Optional[int]:
    """The value of a C++ integer expression, or None if it has unknown names. The name of a type stands for its size in
    bytes."""
    words = re.sub(r"\bsizeof\((\w+)\)", r"\1", re.sub(r"\bint\(", "(", " ".join(words.split())))
    words = re.sub(r"\bsizeof\((\w+)((?:\[\w+\])+)\)",
                   lambda found: "(" + found[1] + found[2].replace("[", " * ").replace("]", "") + ")", words)
    words = re.sub(r"\b([A-Z_]+)<[A-Z_]+>", r"\1", words)  # a variable template
    either = _EITHER.fullmatch(words)
    if either:
        which = evaluate(either[1], known)
        return None if which is None else evaluate(either[2] if which else either[3], known)
    if not _ARITHMETIC.match(words):
        return None
    try:
        return int(eval(words.replace("/", "//"), {"__builtins__": {}}, {**_FUNCTIONS, **known}))  # no . and no string
    except (SyntaxError, ZeroDivisionError, TypeError, NameError, ValueError):
        return None


def knobs(source: str, kernel: str = "", sizes: Optional[Dict[str, int]] = None) -> Dict[str, int]:
    """The integer constants of a lesson by name. kernel: the name of the kernel that ran, as in gemm_kernel<64, 128>,
    which gives the values of its integer template parameters. sizes: bytes of types, included in the result."""
    known: Dict[str, int] = dict(sizes or {})
    arguments = re.search(r"<(.*)>$", kernel)
    template = re.search(r"template\s*<([^>]*)>\s*__global__", source)
    if arguments and template:
        for parameter, value in zip(template[1].split(","), arguments[1].split(",")):
            if parameter.split()[0] == "int" and value.strip().isdigit():
                known[parameter.split()[1]] = int(value)
    for group in _KNOB.findall(source):
        for part in re.split(r",(?![^()]*\))", group):
            name, _, words = part.partition("=")
            value = evaluate(words.strip(), known)
            if value is not None:
                known.setdefault(name.strip(), value)
    return known


def _arrays(text: str) -> List[Tuple[str, str, str]]:
    """The type, name and brackets of each array that is declared."""
    return [(match[1], name, brackets) for match in _ARRAYS.finditer(text)
            for name, brackets in re.findall(_NAME, match[2])]


def _field(array: Tuple[str, str, str], types: Types, known: Dict[str, int], offset: int) -> Optional[Field]:
    kind, name, brackets = array
    words = re.findall(r"\[([^\]]*)\]", brackets)
    while kind in types.aliases:
        kind, more = types.aliases[kind]
        words += re.findall(r"\[([^\]]*)\]", more)
    dims = [evaluate(word, known) if word.strip() else 0 for word in words]
    if kind not in types.bytes or any(dim is None for dim in dims):
        return None
    pad = re.search(r"\+\s*(\w*PAD\w*)\s*$", words[-1]) if words else None
    return Field(name, offset, types.bytes[kind], dims, known.get(pad[1], 0) if pad else 0)


def _structs(source: str, types: Types, known: Dict[str, int]) -> Dict[str, Shape]:
    """The structures of arrays, by name. Assumes that fields follow each other without gaps, and that template
    parameters have the same names as the kernel's."""
    structs: Dict[str, Shape] = {}
    for align, name, body in _STRUCT.findall(source):
        fields: List[Field] = []
        inside = dict(known)
        for member, words in _MEMBER.findall(body):
            value = evaluate(words, {**types.bytes, **inside})
            if value is not None:
                inside[member] = value
        for array in _arrays(body):
            made = _field(array, types, inside, sum(f.bytes for f in fields))
            if made is None:
                break  # the offsets of the fields after it are unknown
            fields.append(made)
        step = evaluate(align or "4", known) or 4
        structs[name] = Shape(fields, period=-(-sum(f.bytes for f in fields) // step) * step)
    return structs


def with_headers(source: str) -> str:
    """A source and the headers of common/ that a lesson beyond the ladder includes, for their constants. Each may use the
    other's."""
    paths = [ROOT / path for path in re.findall(r'^#include "(common/\w+\.h)"', source, re.M) if path != "common/lesson.h"]
    return "\n".join([source, *(path.read_text(encoding="utf-8") for path in paths if path.is_file()), source])


def shared_shapes(source: str, kernel: str, element: Dict[str, int]) -> Dict[str, Shape]:
    """The shared arrays by the name that a run uses (DYNAMIC for extern ones), as far as the source shows them.
    element: bytes of an element of A, B and C."""
    source = re.sub(r"//[^\n]*", "", source)
    constants = with_headers(source)
    known = knobs(constants, kernel)
    types = Types({**BYTES, "Input": element["A"], "Acc": element["C"]},
                  {name: (kind, brackets) for name, kind, brackets in _ALIAS.findall(source)
                   if name not in ("Input", "Acc")})
    sizes = {alias: made.bytes for alias in types.aliases for made in [_field((alias, "", ""), types, known, 0)] if made}
    known = knobs(constants, kernel, {**types.bytes, **sizes})
    structs = _structs(source, types, known)
    shapes: Dict[str, Shape] = {}
    for extern, declaration in re.findall(r"(extern\s+)?(?:alignas\(\w+\)\s*)?__shared__\s+([^;]+;)",
                                          source):
        for array in _arrays(re.sub(r"alignas\(\w+\)", "", declaration)):
            key = DYNAMIC if extern else array[1]
            struct = structs.get(array[0])
            made = _field(array, types, known, 0)
            cast = re.search(rf"(\w+)\s*=\s*(\*?)\s*reinterpret_cast<(\w+)(?:<[^<>]*>)?\s*\*>\({array[1]}\)", source)
            if struct is not None and struct.fields:
                shapes[key] = Shape(struct.fields, array[1], struct.period)
            elif extern and cast and cast[3] in structs:
                struct = structs[cast[3]]
                shapes[key] = Shape(struct.fields) if cast[2] else Shape(struct.fields, cast[1], struct.period)
            elif made:
                shapes[key] = Shape([made])
    return shapes
