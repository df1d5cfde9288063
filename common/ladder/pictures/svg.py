"""Drawings in SVG that are readable on light and dark pages and without colour, the same bytes for the same data."""
import textwrap
from typing import Dict, Iterable, List, Sequence, Tuple
from xml.sax.saxutils import escape

WIDTH = 860  # of every picture; shown at 800 to 900 pixels
MARGIN = 16
LINE = 17  # pixels from one line of text to the next
CHAR = 6.7  # width of a digit at 12 px; of a character of code: 7.3
PALETTE = 6  # fills p0 to p5, each with a hatch of its own

_STYLE = """
svg{--bg:#fff;--ink:#1f2328;--soft:#59636e;--line:#d1d9e0;--edge:#6e7781;--idle:#f6f8fa;--rest:#dfe4ea;--p0:#a9cdf2;
--p1:#f9cf9c;--p2:#b4e2c4;--p3:#dcc3ee;--p4:#f3e79b;--p5:#f5bab3;--mark:#0550ae}
@media (prefers-color-scheme:dark){svg{--bg:#0d1117;--ink:#f0f6fc;--soft:#a3adb8;--line:#3d444d;
--edge:#8b949e;--idle:#161b22;--rest:#2d343d;--p0:#1b4f86;--p1:#7d4a10;--p2:#1c5f3d;--p3:#5d3a86;--p4:#635712;
--p5:#83312c;--mark:#79c0ff}}
text{font:12px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;fill:var(--ink)}
.h{font-size:16px;font-weight:600}.b{font-weight:600}.s{fill:var(--soft)}
.c{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.m{text-anchor:middle}.e{text-anchor:end}.bg{fill:var(--bg)}.idle{fill:var(--idle)}.rest{fill:var(--rest)}
.grid{fill:none;stroke:var(--line)}.cell{fill:none;stroke:var(--edge)}
.edge{fill:none;stroke:var(--ink);stroke-width:2}.mark{fill:none;stroke:var(--mark);stroke-width:3}
.dash{fill:none;stroke:var(--ink);stroke-width:1.5;stroke-dasharray:5 3}
.p0{fill:var(--p0)}.p1{fill:var(--p1)}.p2{fill:var(--p2)}.p3{fill:var(--p3)}.p4{fill:var(--p4)}
.p5{fill:var(--p5)}.hatch{fill:none;stroke:var(--ink);stroke-opacity:.22}
"""
# Strokes of the hatches, in a square of 8; p0 has none.
_HATCH = {"1": "M-2 2L2-2M0 8L8 0M6 10L10 6", "2": "M-2 6L2 10M0 0L8 8M6-2L10 2", "3": "M0 4H8",
          "4": "M4 0V8", "5": "M0 4H8M4 0V8", "x": "M-2 2L2-2M0 8L8 0M6 10L10 6"}


def number(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


def box(x: float, y: float, width: float, height: float) -> str:
    """A rectangle as a piece of a path."""
    return f"M{number(x)} {number(y)}h{number(width)}v{number(height)}h{number(-width)}z"


class Svg:
    """Shapes and text at places in pixels, and the file around them."""

    def __init__(self) -> None:
        self.parts: List[str] = []

    def path(self, css: str, pieces: Iterable[str]) -> None:
        data = "".join(pieces)
        if data:
            self.parts.append(f'<path class="{css}" d="{data}"/>')

    def line(self, points: Sequence[Tuple[float, float]], css: str) -> None:
        self.path(css, ["M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)])

    def rect(self, x: float, y: float, width: float, height: float, css: str) -> None:
        self.parts.append(f'<rect class="{css}" x="{number(x)}" y="{number(y)}" width="{number(width)}" '
                          f'height="{number(height)}"/>')

    def text(self, x: float, y: float, words: str, css: str = "", width: float = 0) -> None:
        """width: to which the words are squeezed or stretched; 0: none."""
        attributes = f' class="{css}"' if css else ""
        if width:
            attributes += f' textLength="{number(width)}" lengthAdjust="spacingAndGlyphs"'
        self.parts.append(f'<text x="{number(x)}" y="{number(y)}"{attributes}>{escape(words)}</text>')

    def document(self, size: Tuple[int, int], title: str, description: str, *head: str, style: str = "") -> str:
        """The whole file. title, description: read aloud in its place. head: further elements before the shapes;
        style: further rules."""
        width, height = size
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" aria-labelledby="t d">',
            f'<title id="t">{escape(title)}</title>',
            f'<desc id="d">{escape(description)}</desc>',
            f"<style>{_STYLE}{style}</style>", *head,
            f'<path class="bg" d="{box(0, 0, width, height)}"/>', *self.parts, "</svg>", ""])


class Drawing(Svg):
    """From the top down. Rectangles of one class become one path."""

    def __init__(self) -> None:
        super().__init__()
        self.hatches: set = set()
        self.y: float = MARGIN  # where the next row begins

    def fill(self, number_: int, pieces: Iterable[str]) -> None:
        """Rectangles in one of the fills, with its hatch."""
        data = "".join(pieces)
        key = number_ % PALETTE
        self.path(f"p{key}", [data])
        if key:
            self.hatch(str(key), [data])

    def hatch(self, key: str, pieces: Iterable[str]) -> None:
        data = "".join(pieces)
        if data:
            self.hatches.add(key)
            self.parts.append(f'<path fill="url(#h{key})" d="{data}"/>')

    def heading(self, title: str) -> None:
        self.y += 14
        self.text(MARGIN, self.y, title, "h")
        self.y += 10

    def paragraph(self, words: str, gap: float = 4) -> None:
        for line in wrap(words, int((WIDTH - 2 * MARGIN) / 6.1)):
            self.y += LINE
            self.text(MARGIN, self.y, line, "s")
        self.y += gap

    def code(self, x: float, words: str, width: float) -> None:
        """One line of source, cut to a width."""
        most = int(width / 7.4)
        self.text(x, self.y, words if len(words) <= most else words[:most - 1] + "…", "c")

    def finish(self, title: str, description: str, made: str) -> str:
        """The whole file. made: from what, and how."""
        hatches = "".join(
            f'<pattern id="h{key}" width="8" height="8" patternUnits="userSpaceOnUse">'
            f'<path class="hatch" d="{_HATCH[key]}"/></pattern>' for key in sorted(self.hatches))
        return self.document((WIDTH, int(self.y + MARGIN)), title, description,
                             f"<metadata>{escape(made)}</metadata>", *([f"<defs>{hatches}</defs>"] if hatches else []))


def wrap(words: str, columns: int) -> List[str]:
    return textwrap.wrap(words, columns, break_long_words=False, break_on_hyphens=False)


def lane_label(lanes: List[int], width: float) -> List[str]:
    """The lanes that touch one place, in lines of text that fit a width in pixels."""
    first, last, count = lanes[0], lanes[-1], len(lanes)
    if count == 1:
        return [str(first)]
    listed = ", ".join(map(str, lanes))
    if len(listed) * CHAR <= width - 6:
        return [listed]
    if last - first == count - 1:
        whole = f"{first}–{last}"
        return [whole] if len(whole) * CHAR <= width - 2 else [f"{first}–", str(last)]
    whole = f"{first} +{count - 1}"
    return [whole] if len(whole) * CHAR <= width - 2 else [str(first), f"+{count - 1}"]


def spans(numbers: Iterable[int]) -> List[Tuple[int, int]]:
    """Runs of whole numbers that follow each other: first and last of each."""
    runs: List[Tuple[int, int]] = []
    for value in sorted(set(numbers)):
        if runs and value == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], value)
        else:
            runs.append((value, value))
    return runs


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def shown(values: List[int], most: int, tail: int) -> List[object]:
    """At most so many of the sorted values, with None where some in between are left out."""
    if len(values) <= most:
        return list(values)
    return [*values[:most - tail], None, *values[len(values) - tail:]]


def by_key(pairs: Iterable[tuple]) -> Dict[object, list]:
    groups: Dict[object, list] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups
