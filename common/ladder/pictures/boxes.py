"""Pictures of the layout of a TMA box in shared memory, and of the operands that wgmma reads. Shared memory is drawn in
lines of 128 bytes (all 32 banks) with eight places of 16 bytes each."""
from typing import Dict, Iterator, List, Tuple

from .run import Choice, NothingToDraw, Run
from .svg import LINE, MARGIN, Drawing, box

UNIT = 16  # bytes that a swizzle moves as a whole
PLACES = 8
CELL, HEIGHT = 38, 19  # pixels of a unit
LEFT = 84  # room for the name of a line
MOST = 16  # lines to draw in a panel
Cells = Dict[int, Dict[int, Tuple[str, int]]]  # by line and place: a label and a fill


def swizzled(address: int, swizzle: int) -> int:
    """The swizzled address that TMA and wgmma use for an address. The place depends on the line's number."""
    return address ^ ((address >> 7) & (swizzle // UNIT - 1)) << 4 if swizzle else address


def _name(run: Run, place: List) -> str:
    """The array at [array, offset], with its element."""
    shape = run.shapes.get(place[0])
    return (shape.name(place[1]) if shape else "") or f"{place[0]} + {place[1]}"


def _lines(d: Drawing, left: float, names: Dict[int, str], cells: Cells) -> float:
    """Draws lines of places from the drawing's y on; returns the y below them. names: the lines to draw, with names."""
    top = d.y
    for place in range(PLACES):
        d.text(left + LEFT + (place + 0.5) * CELL, top + 12, str(place), "s m")
    y, before = top + 18, None
    for line, name in names.items():
        if before is not None and line != before + 1:
            d.text(left + LEFT, y + 13, "⋮", "s")
            y += HEIGHT
        d.text(left + LEFT - 6, y + 14, name, "s e")
        d.path("idle", [box(left + LEFT, y, PLACES * CELL, HEIGHT)])
        for place, (label, fill) in sorted(cells.get(line, {}).items()):
            d.fill(fill, [box(left + LEFT + place * CELL, y, CELL, HEIGHT)])
            d.text(left + LEFT + (place + 0.5) * CELL, y + 14, label, "m")
        d.path("cell", [box(left + LEFT + place * CELL, y, CELL, HEIGHT) for place in range(PLACES)])
        before, y = line, y + HEIGHT
    return y


def draw_boxes(run: Run, choice: Choice) -> Tuple[Drawing, str, str]:
    """The drawing of a box in global and in shared memory, its title, and a description. Raises NothingToDraw."""
    asks = [step for step in run.steps if step["kind"] == "ask" and choice.takes(step["line"], step["source"])
            and step["width"] <= PLACES * UNIT]
    if not asks:
        raise NothingToDraw(f"the first block of {run.lesson} requests no TMA box {choice}".rstrip())
    ask = asks[0]
    width, source, swizzle = ask["width"], ask["source"], ask["swizzle"]
    pitch = max(width, swizzle)  # a row narrower than the swizzle takes as much room as a full row
    rows = min(ask["bytes"] // width, MOST // 2 * (PLACES * UNIT // pitch))
    before: Cells = {row: {} for row in range(rows)}
    behind: Cells = {}
    start = ask["at"][1]
    for row in range(rows):
        for unit in range(width // UNIT):
            label, fill = f"{row}.{unit}", unit
            before[row][unit] = (label, fill)
            at = swizzled(start + row * pitch + unit * UNIT, swizzle)
            behind.setdefault(at // 128, {})[at // UNIT % PLACES] = (label, fill)
    title = f"{run.lesson}: a box of {source} in global and in shared memory"
    many = ask["bytes"] // width
    d = Drawing()
    d.heading(title)
    d.paragraph(f"The box has {many} rows of {width} bytes, with "
                f"{'a swizzle of %d bytes' % swizzle if swizzle else 'no swizzle'}. Cells: units of 16 bytes, as "
                f"row.unit. A line of shared memory has 128 bytes (all 32 banks), and a place has 16 bytes (4 banks).")
    d.y += 4
    top = d.y
    element = run.element.get(source, 1)
    row0, col0 = ask["row"], ask["col"]
    d.text(MARGIN + LEFT, top + LINE, f"{source}, columns {col0} to {col0 + width // element - 1}", "b")
    right = MARGIN + LEFT + PLACES * CELL + 30
    d.text(right + LEFT, top + LINE, f"shared memory, from {_name(run, ask['at'])} on", "b")
    d.y = top + LINE + 4
    y = _lines(d, MARGIN, {row: f"row {row0 + row}" for row in range(rows)}, before)
    y = max(y, _lines(d, right, {line: f"byte {line * 128}" for line in sorted(behind)}, behind))
    d.y = y
    apart = {at % PLACES for at in (swizzled(start + row * pitch, swizzle) // UNIT for row in range(min(rows, PLACES)))}
    if many > rows:
        d.paragraph(f"{many - rows} more rows follow; the pattern repeats.")
    sentence = (f"A box of {many} rows of {width} bytes of {source}, "
                f"{'swizzled by %d bytes' % swizzle if swizzle else 'not swizzled'}"
                f": unit 0 of the first {min(rows, PLACES)} rows is in {len(apart)} of the {PLACES} 16-byte places of "
                f"a line of shared memory.")
    return d, title, sentence


class Operand:
    """A or B of a product, according to its descriptor ("Strides" of wgmma in the PTX manual)."""

    def __init__(self, step: dict, name: str, rows: int) -> None:
        self.name, self.array, self.start = name.upper(), step[name][0], step[name][1]
        self.leading, self.stride = step[name + "_leading"], step[name + "_stride"]
        self.swizzle, self.across = step[name + "_swizzle"], bool(step[name + "_across"])
        self.depth = step["depth"]
        self.lines = self.depth if self.across else rows  # rows of consecutive elements in memory
        self.units = rows * 2 // UNIT if self.across else 2
        self.span = self.swizzle or UNIT

    def at(self, line: int, unit: int) -> int:
        """The offset of a unit."""
        there = self.start + line % 8 * self.span
        if self.across:
            down, right = (self.stride, self.leading) if self.swizzle else (self.leading, self.stride)
            per = self.span // UNIT
            return swizzled(there + line // 8 * down + unit % per * UNIT + unit // per * right, self.swizzle)
        return swizzled(there + line // 8 * self.stride + unit * (UNIT if self.swizzle else self.leading), self.swizzle)

    def walk(self) -> Iterator[Tuple[int, int, int]]:
        """Line, unit and offset of everything that a warpgroup reads."""
        for line in range(self.lines):
            for unit in range(self.units):
                yield line, unit, self.at(line, unit)

    def text(self) -> str:
        if self.across:
            what = f"{self.lines} rows of K, {self.units} units of 8 {'columns' if self.name == 'B' else 'rows'}"
        else:
            what = f"{self.lines} {'rows' if self.name == 'A' else 'columns'}, {self.units} units of 8 along K"
        swizzle = self.swizzle or "none"
        return f"{self.name}: {what}; leading {self.leading}, stride {self.stride} bytes, swizzle {swizzle}"


def draw_operands(run: Run, choice: Choice) -> Tuple[Drawing, str, str]:
    """The drawing of the operands of the warpgroup's first product, its title, and a description. Raises
    NothingToDraw."""
    products = [step for step in run.steps if step["kind"] == "product" and step["warp"] == run.warp and
                choice.takes(step["line"], "")]
    if not products:
        raise NothingToDraw(f"warp {run.warp} of {run.lesson} starts no wgmma {choice}".rstrip())
    step = products[0]
    operands = [Operand(step, name, rows) for name, rows in (("a", 64), ("b", step["cols"])) if name in step]
    title = f"{run.lesson}: the operands that the descriptors of a product address"
    d = Drawing()
    d.heading(title)
    d.paragraph(f"The first wgmma of line {step['line']}, with a depth of {step['depth']} along K. Cells: the units "
                "that it reads, as row.unit of the operand, in lines of 128 bytes and places of 16 bytes of shared "
                "memory. Empty cells belong to other products.")
    d.y += 4
    top = d.y
    bottom = top
    sentences = []
    for number, operand in enumerate(operands):
        left = MARGIN + number * (LEFT + PLACES * CELL + 30)
        cells: Cells = {}
        for line, unit, at in operand.walk():
            cells.setdefault(at // 128, {})[at // UNIT % PLACES] = (f"{line}.{unit}", line // 8)
        drawn = sorted(cells)
        shown = drawn if len(drawn) <= MOST + 4 else drawn[:MOST] + drawn[MOST:][-4:]
        d.y = top
        d.text(left + LEFT, d.y + LINE, f"{operand.name}, from {_name(run, [operand.array, operand.start])} on", "b")
        d.text(left + LEFT, d.y + 2 * LINE, operand.text().partition("; ")[2], "s")
        d.y += 2 * LINE + 4
        bottom = max(bottom, _lines(d, left, {line: f"byte {line * 128}" for line in shown}, cells))
        sentences.append(operand.text())
    d.y = bottom
    d.paragraph("A: the next 8 rows begin one stride later. B, whose rows run across K: the next 8 rows begin one stride "
                "later, and further columns one leading offset later." if operands[-1].across else
                "The next 8 rows begin one stride later.")
    return d, title, "A product reads " + ". ".join(sentences) + "."
