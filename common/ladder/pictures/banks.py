"""Picture of requests to shared memory: a grid of 32 banks, which lane accesses which word, and which wavefront serves
it."""
import re
from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple

from .run import Choice, Request, Run, groups_of
from .svg import (LINE, MARGIN, PALETTE, Drawing, box, by_key, lane_label, plural, shown)
from .words import lanes_of, verb_of

BANKS = 32
WORD = 4  # bytes
CELL = 22  # pixels
LEFT = 124  # room for the name of a row's first element
STORES = ("store", "copy", "atomic")
READS = ("load", "fragment")
NO_WAVEFRONT = -1
MATRIX = 8  # lanes of a fragment that are drawn: each names a row of its first 8 x 8 matrix


@dataclass
class Cell:
    """Words that the same lanes touch in the same wavefront."""
    word: int  # the first, counted from the array's beginning
    count: int
    layer: int
    lanes: List[int]
    served: int  # the wavefront, from 0


class Panel:
    """One request in the grid of banks."""

    def __init__(self, run: Run, group: List[Request]) -> None:
        self.run, self.group, self.request = run, group, group[0]
        self.shape = run.shapes.get(self.request.array)
        self.others: List[int] = []  # lines that do the same to the array and are not drawn
        self.whole = self.request.kind != "fragment"  # whether all lanes are drawn
        self.words = self._words()
        self.all_cells: List[Cell] = []
        self.cells = self._cells()
        self.rows = sorted({(cell.word // BANKS, cell.layer) for cell in self.cells})
        self.many = self.request.wavefronts > 1 and self.request.wavefront_of is not None
        lines = [len(self._label(cell)) for cell in self.cells]
        self.cell_height = 15 * max(lines) + 4

    def _words(self) -> Dict[int, Dict[int, List[int]]]:
        """The lanes that access each word, by wavefront. Words are counted from the array's beginning."""
        touched: Dict[int, Dict[int, List[int]]] = {}
        request = self.request
        for lane in request.lanes:
            for i in range(max(1, request.size // WORD)):
                served = request.wavefront_of[lane][i] if request.wavefront_of else NO_WAVEFRONT
                word = touched.setdefault(request.at[lane] // WORD + i, {})
                word.setdefault(served, []).append(lane)
        return touched

    def _cells(self) -> List[Cell]:
        """Groups neighbouring words of one row that the same lanes access in one wavefront. A word in several
        wavefronts is drawn once for each, in layers of its row."""
        cells: Dict[Tuple[int, int], Cell] = {}
        for word in sorted(self.words):
            for layer, (served, lanes) in enumerate(sorted(self.words[word].items())):
                if not self.whole and lanes[0] >= MATRIX:
                    continue
                before = cells.get((word // BANKS, layer))
                wide = (before is not None and before.word + before.count == word
                        and before.lanes == lanes and before.served == served)
                if before is not None and wide and self.request.size > WORD:
                    before.count += 1
                else:
                    cells[word // BANKS, layer] = cell = Cell(word, 1, layer, lanes, served)
                    self.all_cells.append(cell)
        return self.all_cells

    def _label(self, cell: Cell) -> List[str]:
        if not self.whole and len(cell.lanes) == 1 and cell.count > 3:
            return [f"lane {cell.lanes[0]}, w{cell.served + 1}"]
        lines = lane_label(cell.lanes, CELL * cell.count)
        return lines + [f"w{cell.served + 1}"] if self.many else lines

    def is_like(self, other: "Panel") -> bool:
        """Whether another line makes the same kind of request to the same array."""
        mine, its = self.request, other.request
        return (mine.kind, mine.size, self.run.array(mine)) == (its.kind, its.size, self.run.array(its))

    @property
    def banks(self) -> int:
        return len({word % BANKS for word in self.words})

    def name(self) -> str:
        """The array, with the structure that it is in: tiles[0].As."""
        name = self.shape.array(self.request.at[self.request.lanes[0]]) if self.shape else ""
        return name or self.request.array

    def has_padding(self) -> bool:
        """Whether a row of banks that the request accesses contains padding."""
        return self.shape is not None and any(self.shape.is_pad((row * BANKS + bank) * WORD)
                                              for row, _ in self.rows for bank in range(BANKS))

    def counted_label(self) -> Optional[Tuple[str, int]]:
        """A label such as "0 +3", naming one lane and counting the others, and their number; None if there is none."""
        for cell in self.cells:
            match = re.fullmatch(r"(\d+ \+(\d+))( w\d+)?", " ".join(self._label(cell)))
            if match:
                return match[1], int(match[2])
        return None

    def title(self) -> str:
        return (f"{self.name()} {verb_of(self.request)} at line {self.request.line}: "
                f"{plural(self.request.wavefronts, 'wavefront')}")

    def about(self) -> str:
        text = (f"{plural(len(self.words), 'word')} in {plural(self.banks, 'bank')}, served in "
                f"{plural(self.request.wavefronts, 'wavefront')}")
        if len(self.group) > 1:
            text += f"; the first of {len(self.group)} such requests"
        if self.others:
            text += f"; the same array at line{'s' if len(self.others) > 1 else ''} " + ", ".join(
                map(str, self.others))
        return text + self._why()

    def _why(self) -> str:
        """The reason why a copy takes more wavefronts than its destination needs."""
        request = self.request
        most = max(len(words) for words in by_key((w % BANKS, w) for w in self.words).values())
        if request.kind == "fragment":
            return f"; drawn: lanes 0 to {MATRIX - 1}, the {MATRIX} rows of the first {MATRIX} × {MATRIX} matrix"
        if request.kind != "copy" or request.wavefronts <= max(most, len(request.lanes) * request.size / 128):
            return ""
        return ("; copies also read from these banks, which hold the L1 cache, and lanes conflict there"
                if request.size < 16 else "; the two halves of some sectors are written separately")

    def sentence(self) -> str:
        request = self.request
        return (f"{lanes_of(request)} {verb_of(request, True)} {request.size} bytes of {self.name()} each: "
                f"{plural(len(self.words), 'word')} in {plural(self.banks, 'bank')}, "
                f"{plural(request.wavefronts, 'wavefront')}.")

    def draw(self, d: Drawing) -> None:
        d.text(MARGIN, d.y + LINE, self.title(), "b")
        d.y += LINE
        d.paragraph(self.about(), gap=0)
        d.y += LINE
        d.code(MARGIN, self.run.code(self.request.line), CELL * BANKS + LEFT)
        left, d.y = MARGIN + LEFT, d.y + 22
        d.text(left - 8, d.y - 4, "bank", "s e")
        for bank in range(BANKS):
            d.text(left + (bank + 0.5) * CELL, d.y - 4, str(bank), "s m")
        before: Optional[int] = None
        most = 6 if self.whole else MATRIX
        for place in shown(self.rows, most, 1):
            if place is None:
                d.text(left, d.y + 13, f"⋮ {len(self.rows) - most + 1} more rows of banks", "s")
                d.y += 18
                before = None
                continue
            row, layer = place
            if self.whole and before is not None and row > before + 1:
                d.text(left - 8, d.y + 11, "⋮", "s e")
                d.y += 14
            self._draw_row(d, row, layer, left)
            before = row
            d.y += self.cell_height
        d.y += 6

    def _row_name(self, row: int) -> str:
        """The name of a row of banks: its first element, or for a fragment the rows of the array that are drawn."""
        words = [row * BANKS] if self.whole else [cell.word for cell in self.cells if cell.word // BANKS == row]
        names = [self.shape.name(word * WORD).split(".")[-1] if self.shape else "" for word in words]
        if not all(names):
            return f"byte {row * BANKS * WORD}"
        return ", ".join(names if self.whole else (name.rpartition("[")[0] for name in names))

    def _draw_row(self, d: Drawing, row: int, layer: int, left: float) -> None:
        top, height = d.y, self.cell_height
        d.text(left - 8, top + height / 2 + 4, "again" if layer else self._row_name(row), "s e")
        d.path("idle", [box(left, top, BANKS * CELL, height)])
        if self.shape:
            d.hatch("x", [box(left + bank * CELL, top, CELL, height) for bank in range(BANKS)
                          if self.shape.is_pad((row * BANKS + bank) * WORD)])
        here = [(cell, box(left + cell.word % BANKS * CELL, top, cell.count * CELL, height))
                for cell in self.cells if (cell.word // BANKS, cell.layer) == (row, layer)]
        for served, pieces in sorted(by_key((max(cell.served, 0), area) for cell, area in here).items()):
            d.fill(served, pieces)
        inside = {cell.word % BANKS + i for cell, _ in here for i in range(1, cell.count)}
        d.path("grid", [box(left, top, BANKS * CELL, height)]
               + [f"M{left + bank * CELL} {top:.0f}v{height}" for bank in range(1, BANKS)
                  if bank not in inside])
        d.path("cell", [area for _, area in here])
        for cell, _ in here:
            lines = self._label(cell)
            middle = left + (cell.word % BANKS + cell.count / 2) * CELL
            y = top + (height - 15 * len(lines)) / 2 + 12
            for i, words in enumerate(lines):
                tight = cell.count == 1 and re.fullmatch(r"w\d\d", words)
                d.text(middle, y + 15 * i, words, "m", CELL - 2 if tight else 0)


def _draw(run: Run, choice: Choice, kinds: Tuple[str, ...], doing: str) -> Tuple[Drawing, str, str]:
    panels: List[Panel] = []
    for group in groups_of(run, "shared", choice, kinds):
        panel = Panel(run, group)
        like = next((p for p in panels if choice.line is None and p.is_like(panel)), None)
        if like is not None:
            like.others.append(panel.request.line)
        else:
            panels.append(panel)
    title = f"{run.lesson}: how warp {run.warp} {doing} shared memory, bank by bank"
    if run.changed:
        title += f", with {run.changed}"
    d = Drawing()
    d.heading(title)
    legend = "In the cells: the lanes that access the word together."
    if any(panel.many for panel in panels):
        legend += (" w1, w2, …: the wavefront that serves the word. A wavefront serves one word per bank."
                   f" Colours and hatches repeat after {PALETTE} wavefronts.")
    counted = next(filter(None, (panel.counted_label() for panel in panels)), None)
    if counted:
        label, others = counted
        legend += f" {label}: lane {label.split()[0]} and {'one other' if others == 1 else f'{others} others'}."
    if any(cell.layer for panel in panels for cell in panel.cells):
        legend += " Again: the same words in another wavefront."
    if any(panel.has_padding() for panel in panels):
        legend += " Hatched without a lane: padding."
    if any(panel.many and panel.request.kind in ("load", "store") and panel.request.size < 16
           for panel in panels):
        legend += " The accesses are those of the source; nvcc may fuse neighbouring ones into wider ones."
    d.paragraph(legend)
    for panel in panels:
        panel.draw(d)
    with_change = f"With {run.changed}: " if run.changed else ""
    return d, title, with_change + " ".join(panel.sentence() for panel in panels)


def draw_stores(run: Run, choice: Choice) -> Tuple[Drawing, str, str]:
    """The drawing of stores to shared memory, its title, and a description. Raises NothingToDraw."""
    return _draw(run, choice, STORES, "writes")


def draw_reads(run: Run, choice: Choice) -> Tuple[Drawing, str, str]:
    """The same for reads."""
    return _draw(run, choice, READS, "reads")
