"""Picture of who computes which elements of C: blocks in C, warps in the block tile, lanes in the warp tile. Based on
the run's stores to C."""
from typing import Dict, Iterable, List, Sequence, Set, Tuple

from .run import Choice, NothingToDraw, Request, Run, nearest_lines
from .svg import LINE, MARGIN, WIDTH, Drawing, box, by_key, plural, spans

Place = Tuple[int, int]  # row and column of C
Area = Tuple[int, int, int, int]  # first row, first column, rows, columns
ROOM = WIDTH - 2 * MARGIN
RULER = 60  # pixels beside a rectangle, for its rows


def owners(run: Run, requests: Iterable[Request]) -> Dict[Tuple[int, int], Set[Place]]:
    """The elements of C that each (warp, lane) stored."""
    own: Dict[Tuple[int, int], Set[Place]] = {}
    element = run.element["C"]
    for request in requests:
        for lane in request.lanes:
            places = own.setdefault((request.warp, lane), set())
            for byte in range(0, request.size, element):
                places.add(run.position("C", request.at[lane] + byte))
    return own


def areas(places: Set[Place]) -> List[Area]:
    """Places as rectangles: runs of columns that repeat in the rows below."""
    by_run: Dict[Tuple[int, int], List[int]] = by_key(
        (span, row) for row in {r for r, _ in places}
        for span in spans(c for r, c in places if r == row))
    return sorted((first, left, last - first + 1, right - left + 1)
                  for (left, right), rows in by_run.items() for first, last in spans(rows))


def bounds(places: Iterable[Place]) -> Area:
    rows, columns = zip(*places)
    return (min(rows), min(columns), max(rows) - min(rows) + 1, max(columns) - min(columns) + 1)


def size_of(area: Area) -> str:
    return f"{area[2]} × {area[3]}"


class Scale:
    """Maps a rectangle of C to the drawing: x and y are the pixels of a column and of a row."""

    def __init__(self, area: Area, left: float, top: float, x: float, y: float) -> None:
        self.area, self.left, self.top, self.x, self.y = area, left, top, x, y

    def box(self, area: Area) -> str:
        return box(self.left + (area[1] - self.area[1]) * self.x,
                   self.top + (area[0] - self.area[0]) * self.y, area[3] * self.x, area[2] * self.y)


def _label(d: Drawing, scale: Scale, area: Area, words: str, css: str = "m") -> None:
    """Words in the middle of a rectangle, if they fit."""
    if area[3] * scale.x >= 6.9 * len(words) + 2 and area[2] * scale.y >= 13:
        d.text(scale.left + (area[1] - scale.area[1] + area[3] / 2) * scale.x,
               scale.top + (area[0] - scale.area[0] + area[2] / 2) * scale.y + 4.5, words, css)


def _rulers(d: Drawing, scale: Scale) -> None:
    """The first and last row and column beside a rectangle."""
    row, col, rows, columns = scale.area
    right, bottom = scale.left + columns * scale.x, scale.top + rows * scale.y
    d.text(scale.left, scale.top - 4, f"column {col}", "s")
    if columns * scale.x > 110:
        d.text(right, scale.top - 4, f"{col + columns - 1}", "s e")
    d.text(scale.left - 6, scale.top + 12, f"row {row}", "s e")
    if rows * scale.y > 30:
        d.text(scale.left - 6, bottom - 2, f"{row + rows - 1}", "s e")


def _draw_areas(d: Drawing, scale: Scale, parts: Dict[int, List[Area]], chosen: int, word: str,
                grid: Sequence[str] = ()) -> None:
    """Numbered parts of a rectangle, one of them marked."""
    d.path("idle", [scale.box(scale.area)])
    d.path("rest", [scale.box(a) for number in parts if number % 2 for a in parts[number]])
    d.fill(1, [scale.box(a) for a in parts[chosen]])
    d.path("grid", grid)
    d.path("cell", [scale.box(a) for number in parts for a in parts[number]])
    for number in sorted(parts):
        for area in parts[number]:
            wide = word and area[3] * scale.x > 8 * len(word) + 24
            _label(d, scale, area, f"{word} {number}" if wide else str(number),
                   "m b" if number == chosen else "m")
    d.path("edge", [scale.box(scale.area)])
    d.path("mark", [scale.box(a) for a in parts[chosen]])
    _rulers(d, scale)


def _draw_block(d: Drawing, warps: Dict[int, Set[Place]], run: Run, block: Area) -> None:
    """The block's tile with its warps; beside it, C with its blocks."""
    top = d.y + 18
    pixels = min(8.0, 440 / block[3], 210 / block[2])
    scale = Scale(block, MARGIN + RULER, top, pixels, pixels)
    _draw_areas(d, scale, {warp: areas(places) for warp, places in warps.items()}, run.warp, "warp")
    rows, columns = run.sizes[:2]
    small = min(220 / columns, block[2] * pixels / rows)
    whole = Scale((0, 0, rows, columns), MARGIN + RULER + 440 + RULER + 20, top, small, small)
    blocks = by_key((request.block, place) for request in run.stores
                    for places in owners(run, [request]).values() for place in places)
    _draw_areas(d, whole, {number: [bounds(places)] for number, places in blocks.items()}, 0, "block")
    d.text(whole.left, top + rows * small + LINE, "C and its blocks", "s")
    d.y = top + max(block[2] * pixels, rows * small + LINE) + 8


def _column(tile: Area) -> float:
    """Pixels of a column of a warp's tile."""
    return min(26.0, (ROOM - RULER) / tile[3], max(330 / tile[2], 4.0))


def _draw_lanes(d: Drawing, tile: Area, parts: Dict[int, List[Area]], lane: int, word: str = "",
                left: float = MARGIN + RULER) -> None:
    """A warp's tile, or a piece of it, with the lanes in it."""
    x = y = _column(tile)
    if tile[2] == 1 or tile[3] == 1:
        x, y = max(x, 22.0), max(y, 14.0)
    scale = Scale(tile, left, d.y + 18, x, y)
    rows, columns = tile[2:]
    grid: List[str] = []
    if x >= 8 and not word:
        grid = [f"M{scale.left + i * x:.1f} {scale.top:.1f}v{rows * y:.1f}" for i in range(1, columns)]
        grid += [f"M{scale.left:.1f} {scale.top + i * y:.1f}h{columns * x:.1f}" for i in range(1, rows)]
    _draw_areas(d, scale, parts, lane, word, grid)
    d.y = scale.top + tile[2] * y + 8


def _sweeps(run: Run, stores: List[Request]) -> List[List[Request]]:
    """A warp's stores in parts; a new part begins where a store goes back up or to other columns."""
    parts: List[List[Request]] = []
    last = (0, 0)
    for request in stores:
        row, col = run.position("C", request.at[request.lanes[0]])
        if not parts or row < last[0] or col != last[1]:
            parts.append([])
        parts[-1].append(request)
        last = (row, col)
    return parts


def _pieces(places: Set[Place]) -> str:
    """What one lane stores, in words."""
    parts = areas(places)
    if len(places) == 1:
        return "1 element"
    if len({part[2:] for part in parts}) > 1:
        return f"{len(places)} elements"
    if len(parts) == 1:
        return f"{size_of(parts[0])} elements"
    return f"{len(parts)} pieces of {size_of(parts[0])} elements"


def draw_tiles(run: Run, choice: Choice) -> Tuple[Drawing, str, str]:
    """The drawing, its title, and a description. Raises NothingToDraw."""
    stores = [r for r in run.stores if r.block == 0 and choice.line in (None, r.line)]
    mine = [r for r in stores if r.warp == run.warp]
    if not mine:
        hint = ""
        if choice.line is not None:
            hint = f" at line {choice.line}; {nearest_lines(choice.line, {r.line for r in run.stores})}"
        raise NothingToDraw(f"warp {run.warp} of {run.lesson} stores nothing to C{hint}")
    own = owners(run, stores)
    warps: Dict[int, Set[Place]] = {}
    for (warp, _), places in own.items():
        warps.setdefault(warp, set()).update(places)
    lanes = {lane: places for (warp, lane), places in own.items() if warp == run.warp}
    block = bounds(place for places in warps.values() for place in places)
    tile = bounds(warps[run.warp])
    lane = 9 if 9 in lanes else min(lanes)
    title = f"{run.lesson}: who stores which elements of C"
    parts = {number: areas(places) for number, places in lanes.items()}
    pieces = _pieces(lanes[lane])
    about = f"Warp {run.warp} stores {size_of(tile)} elements"
    d = Drawing()
    d.heading(title)
    d.paragraph(f"A block stores {size_of(block)} elements of C (rows × columns) with "
                f"{plural(len(warps), 'warp')}. Hatched: warp {run.warp} in block 0.")
    if tile[3] == 1:  # a column has room beside the block's tile
        d.paragraph(f"{about}; beside it, its lanes. Hatched: lane {lane}, which stores {pieces}.")
    top = d.y
    _draw_block(d, warps, run, block)
    if tile[3] == 1:
        below, d.y = d.y, top
        _draw_lanes(d, tile, parts, lane, left=MARGIN + RULER + 330)
        d.y = max(d.y, below)
    elif len(parts[lane]) <= 8:
        d.paragraph(f"{about}. In the cells: its lanes. Hatched: lane {lane}, which stores {pieces}.")
        _draw_lanes(d, tile, parts, lane)
    else:
        sweeps = [owners(run, sweep) for sweep in _sweeps(run, mine)]
        first = {number: areas(places) for (_, number), places in sweeps[0].items()}
        part = bounds(p for places in sweeps[0].values() for p in places)
        right = MARGIN + 2 * RULER + tile[3] * _column(tile) + 20
        beside = right + part[3] * _column(part) <= WIDTH - MARGIN
        d.paragraph(f"{about}, in the order of the numbers; {'beside them' if beside else 'below'}, part 0 with its "
                    f"lanes. Hatched: part 0 and lane {lane}.")
        top = d.y
        _draw_lanes(d, tile, {i: [bounds(p for places in sweep.values() for p in places)]
                              for i, sweep in enumerate(sweeps)}, 0, "part")
        below, d.y = d.y, top if beside else d.y
        _draw_lanes(d, part, first, lane, left=right if beside else MARGIN + RULER)
        d.y = max(d.y, below)
    return d, title, (f"The {plural(len(warps), 'warp')} of a block store {size_of(block)} elements of C (rows × columns). "
                      f"Warp {run.warp} stores {size_of(tile)} of them; its lane {lane} stores {pieces}.")
