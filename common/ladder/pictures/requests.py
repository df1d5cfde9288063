"""Picture of requests to global memory: which elements the lanes of a warp access, and in which 32-byte sectors they
are."""
from typing import Dict, List, Set, Tuple

from .run import SECTOR, Choice, Request, Run, groups_of
from .svg import (CHAR, LINE, MARGIN, WIDTH, Drawing, box, lane_label, plural, shown, spans,
                  wrap)
from .words import lanes_of, verb_of

HALF = (WIDTH - 3 * MARGIN) // 2
ROW = 19  # height of a row of elements in pixels
LEFT = 58  # room for "row 123"
Place = Tuple[int, int]  # row and column


class Panel:
    """The elements around one request, and their place on the drawing."""

    def __init__(self, run: Run, group: List[Request]) -> None:
        self.run, self.group, self.request = run, group, group[0]
        self.element = run.element[self.request.array]
        self.lanes = self._lanes(self.request)
        rows = sorted({row for row, _ in self.lanes})
        self.rows = shown(rows, 9, 2)
        self.row_count = len(rows)
        columns = [col for _, col in self.lanes]
        self.column_count = len(set(columns))
        self.sectors = self._sectors()
        starts = [self._columns(row, sector)
                  for row, sectors in self.sectors.items() for sector in sectors]
        first, last = min(s for s, _ in starts), max(e for _, e in starts)
        per_sector = SECTOR // self.element
        if last - first < 2 * per_sector:
            last = min(last + per_sector, run.ld[self.request.array])
        self.first = max(first, 0)
        self.pixels = self._pixels()
        most = int((WIDTH - 2 * MARGIN - LEFT) / self.pixels)
        self.hidden = max(0, last - self.first - most)
        self.last = min(last, self.first + most)

    def _lanes(self, request: Request) -> Dict[Place, List[int]]:
        """The lanes that touch each element."""
        touched: Dict[Place, List[int]] = {}
        for lane in request.lanes:
            for byte in range(0, max(request.size, self.element), self.element):
                place = self.run.position(request.array, request.at[lane] + byte)
                touched.setdefault(place, []).append(lane)
        return touched

    def _sectors(self) -> Dict[int, Set[int]]:
        """The sectors of each row."""
        sectors: Dict[int, Set[int]] = {}
        for row, col in self.lanes:
            byte = (row * self.run.ld[self.request.array] + col) * self.element
            sectors.setdefault(row, set()).add(byte // SECTOR)
        return sectors

    def _columns(self, row: int, sector: int) -> Place:
        """The columns of a row that a sector covers: first, and one past the last."""
        first = sector * SECTOR // self.element - row * self.run.ld[self.request.array]
        return first, first + SECTOR // self.element

    def _pixels(self) -> float:
        """Width of an element."""
        widest = max(len(lane_label(lanes, 34)[0]) for lanes in self.lanes.values())
        per_lane = max(1, self.request.size // self.element)
        return max(CHAR * widest + 6, 21) / per_lane

    @property
    def width(self) -> float:
        return max(HALF, LEFT + (self.last - self.first) * self.pixels)

    def title(self) -> str:
        request = self.request
        return (f"{request.array} {verb_of(request)} at line {request.line}: "
                f"{plural(request.sectors, 'sector')}")

    def about(self) -> str:
        asked = len(self.request.lanes) * self.request.size
        text = f"{asked} bytes requested, {request_bytes(self.request)} moved"
        distinct = sum(map(len, self.sectors.values()))
        if distinct < self.request.sectors:
            text += f" ({distinct} sectors, {self.request.sectors - distinct} of them twice)"
        if len(self.group) > 1:
            text += f"; the first of {len(self.group)} such requests"
        return text

    def about_lines(self) -> List[str]:
        return wrap(self.about(), int(self.width / 6.4))

    def wasteful(self) -> bool:
        """Whether a sector that is drawn has elements that no lane touches."""
        return sum(map(len, self.sectors.values())) * SECTOR > len(self.lanes) * self.element

    def later(self) -> bool:
        """Whether a later request touches elements that are drawn."""
        return any(row in self.rows and self.first <= col < self.last and (row, col) not in self.lanes
                   for request in self.group[1:] for row, col in self._lanes(request))

    def sentence(self) -> str:
        request = self.request
        return (f"{lanes_of(request)} {verb_of(request, True)} {request.size} bytes of "
                f"{request.array} each: {plural(self.row_count, 'row')} and "
                f"{plural(self.column_count, 'column')}, in "
                f"{plural(request.sectors, 'sector')} of 32 bytes.")

    def height(self) -> float:
        rows = sum(0.8 if row is None else 1 for row in self.rows)
        return (2 + len(self.about_lines())) * LINE + 24 + ROW * rows + 18

    def draw(self, d: Drawing, x: float, y: float) -> None:
        d.text(x, y + LINE, self.title(), "b")
        d.y = y + LINE
        for line in self.about_lines():
            d.y += LINE
            d.text(x, d.y, line, "s")
        d.y += LINE
        d.code(x, self.run.code(self.request.line), self.width)
        top = d.y + 24
        left = x + LEFT
        step = SECTOR // self.element
        for col in range(self.first, self.last, step):
            if (col - self.first) // step % max(1, int(45 / (step * self.pixels)) + 1) == 0:
                d.text(left + (col - self.first) * self.pixels, top - 5, f"{col}", "s")
        d.text(x, top - 5, "column", "s")
        for row in self.rows:
            if row is None:
                d.text(left + 4, top + 11, f"⋮ {self.row_count - len(self.rows) + 1} more rows", "s")
                top += ROW * 0.8
            else:
                d.text(left - 8, top + 14, f"row {row}", "s e")
                self._draw_row(d, row, left, top)
                top += ROW
        if self.hidden:
            d.text(left, top + 14, f"… {plural(self.hidden, 'more column')} not shown", "s")

    def _draw_row(self, d: Drawing, row: int, left: float, top: float) -> None:
        def area(first: int, last: int) -> str:
            first, last = max(first, self.first), min(last, self.last)
            width = (last - first) * self.pixels
            return box(left + (first - self.first) * self.pixels, top, width, ROW) if width > 0 else ""
        touched = {col for r, col in self.lanes if r == row}
        d.path("idle", [area(self.first, self.last)])
        others = {col for request in self.group[1:] for r, col in self._lanes(request) if r == row}
        d.path("rest", [area(a, b + 1) for a, b in spans(others - touched)])
        moved = set()
        for sector in self.sectors.get(row, ()):
            moved.update(range(*self._columns(row, sector)))
        d.hatch("x", [area(a, b + 1) for a, b in spans(moved - touched)])
        d.fill(0, [area(a, b + 1) for a, b in spans(touched)])
        if self.pixels >= 8:
            d.path("grid", [f"M{(left + i * self.pixels):.1f} {top:.1f}v{ROW}"
                            for i in range(1, self.last - self.first)])
        self._draw_lanes(d, row, left, top)
        d.path("edge", [area(*self._columns(row, sector)) for sector in sorted(self.sectors[row])])

    def _draw_lanes(self, d: Drawing, row: int, left: float, top: float) -> None:
        """The numbers of the lanes, each in the middle of the elements that they touch together."""
        columns = sorted(col for r, col in self.lanes if r == row)
        begin = 0
        borders = []
        for i, col in enumerate(columns):
            lanes = self.lanes[row, columns[begin]]
            ends = (i + 1 == len(columns) or columns[i + 1] != col + 1
                    or self.lanes[row, columns[i + 1]] != lanes)
            if not ends:
                continue
            if self.first <= columns[begin] and col < self.last:
                at = left + (columns[begin] - self.first) * self.pixels
                width = (col + 1 - columns[begin]) * self.pixels
                borders.append(box(at, top, width, ROW))
                d.text(at + width / 2, top + 14, " ".join(lane_label(lanes, width)), "m")
            begin = i + 1
        d.path("cell", borders)


def place(d: Drawing, panels: List[Panel]) -> None:
    """Panels in their order, two of half the width beside each other."""
    rest = list(panels)
    while rest:
        panel = rest.pop(0)
        beside = next((p for p in rest if p.width <= HALF), None) if panel.width <= HALF else None
        top = d.y
        panel.draw(d, MARGIN, top)
        height = panel.height()
        if beside is not None:
            rest.remove(beside)
            beside.draw(d, 2 * MARGIN + HALF, top)
            height = max(height, beside.height())
        d.y = top + height
    d.y -= 8


def request_bytes(request: Request) -> int:
    return SECTOR * request.sectors


def draw_requests(run: Run, choice: Choice) -> Tuple[Drawing, str, str]:
    """The drawing, its title, and a description. Raises NothingToDraw."""
    panels = [Panel(run, group) for group in groups_of(run, "global", choice)]
    order = "ABC"
    panels.sort(key=lambda p: (order.find(p.request.array), p.request.line, -p.request.size))
    title = f"{run.lesson}: the global memory that one request of warp {run.warp} accesses"
    d = Drawing()
    d.heading(title)
    legend = "In the cells: the lanes of the warp. Thick outlines: sectors of 32 bytes, which always move whole."
    if any(panel.wasteful() for panel in panels):
        legend += " Hatched: bytes that move although no lane requests them."
    if any(panel.later() for panel in panels):
        legend += " Grey: elements that later requests of this line access."
    d.paragraph(legend)
    d.y += 4
    place(d, panels)
    return d, title, " ".join(panel.sentence() for panel in panels)
