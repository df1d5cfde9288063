"""What a gemm.cu asks of a card, and whether its static_asserts hold, as far as the source shows it."""
import re
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

from ladder.lessons.arrays import BYTES, DYNAMIC, Shape, evaluate, knobs, shared_shapes, with_headers
from ladder.lessons.facts import Facts

THREADS = 1024  # of a block, on every card
STATIC = 48 * 1024  # bytes of shared memory in arrays whose size the source states
_ASSERT = re.compile(r"^( *)static_assert\((.+?), \"", re.M)
_TEMPLATE = re.compile(r"^template <([^>]*)>\n[^\n]*?(\w+)\([^;{]*?\)\s*\{\n(.*?)^\}", re.M | re.S)
_LAUNCH = re.compile(r"<<<[^,>]+,[^,>]+,\s*(\w[^,>]*?)(?:,[^>]*)?>>>")


class Demand(NamedTuple):
    """threads of a block, bytes of its shared memory: 0 if the source does not show them. broken: the first
    static_assert that does not hold, or the limit of every card that is exceeded; "" if there is none."""
    threads: int
    shared: int
    broken: str


def demand(facts: Facts) -> Demand:
    """What the kernel of a source needs."""
    known = {**knobs(with_headers(facts.text)), "Input": BYTES.get(facts.input, 4), "Acc": BYTES.get(facts.acc, 4)}
    shapes = shared_shapes(facts.text, "", {"A": known["Input"], "C": BYTES.get(facts.output, 4)})
    threads, fixed = known.get("NUM_THREADS", 0), sum(_bytes(shape) for name, shape in shapes.items() if name != DYNAMIC)
    broken = next((words for words, values in _asserts(facts.text, known, shapes) if _fails(words, values)), "")
    if not broken and "NUM_THREADS" in known and not 0 < threads <= THREADS:
        broken = f"{threads} threads a block"
    if not broken and fixed > STATIC:
        broken = f"{fixed} bytes of static shared memory"
    return Demand(threads, fixed + _dynamic(facts.text, known, shapes), broken)


def _bytes(shape: Shape) -> int:
    return shape.period or sum(field.bytes for field in shape.fields)


def _dynamic(text: str, known: Dict[str, int], shapes: Dict[str, Shape]) -> int:
    """The bytes of dynamic shared memory that the launch asks for."""
    launch, shape = _LAUNCH.search(text), shapes.get(DYNAMIC)
    if not launch or not shape:
        return 0
    named = re.search(rf"\b{re.escape(launch[1])} = ([^;]+);", text)
    words = re.sub(r"\bsizeof\((?!Input|Acc)\w+\)", str(_bytes(shape)), named[1] if named else launch[1])
    return evaluate(words, known) or 0


def _fails(words: str, values: Dict[str, int]) -> bool:
    """Whether a condition is known to be false. One that divides by zero is; one with unknown names is not."""
    value = evaluate(words, values)
    names = set(re.findall(r"[A-Za-z_]\w*", words)) - {"sizeof", "int", "ceil_div"}
    return value == 0 or value is None and names <= set(values)


def _asserts(text: str, known: Dict[str, int], shapes: Dict[str, Shape]) -> Iterator[Tuple[str, Dict[str, int]]]:
    """Each static_assert's condition with the values of names; one in a template once for each array that a call of it
    names last, as in load_tile(..., As), and for each type of a Vector."""
    for indent, words in _ASSERT.findall(text):
        if not indent:
            yield words, known
    for parameters, name, body in _TEMPLATE.findall(text):
        conditions = [words for _, words in _ASSERT.findall(body)]
        sizes = re.findall(r"\bint (\w+)", parameters)
        for dims in _passed(text, name, shapes) if conditions and len(sizes) == 2 else []:
            for vector in (16, known["Input"]):
                values = {**known, **dict(zip(sizes, dims)), "Vector": vector}
                values.update(_locals(body, values))
                yield from ((words, values) for words in conditions)


def _passed(text: str, name: str, shapes: Dict[str, Shape]) -> List[List[int]]:
    """The rows and columns of the shared arrays that calls of a function pass as their last argument."""
    fields = {field.name: field.dims for shape in shapes.values() for field in shape.fields}
    calls = re.findall(rf"\b{name}(?:<[^;()]*>)?\([^;]*?(\w+)(?:\[\w+\])*\);", text)
    return [fields[array][-2:] for array in dict.fromkeys(calls) if len(fields.get(array, [])) >= 2]


def _locals(body: str, values: Dict[str, int]) -> Dict[str, int]:
    """The constants that a function declares, in order."""
    found: Dict[str, int] = {}
    for group in re.findall(r"^ *constexpr int ([^;]+);", body, re.M):
        for name, words in re.findall(r"(\w+) = ([^,]+)", group):
            value: Optional[int] = evaluate(words, {**values, **found})
            if value is not None:
                found[name] = value
    return found
