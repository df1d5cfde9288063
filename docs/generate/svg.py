"""A small chart in SVG: axes, lines, bars, markers and labels, the same bytes for the same data. Readable on
light and dark pages and in grey: lines differ by marker and dash, and every one is labelled where it ends."""
import math
from typing import List, NamedTuple, Sequence, Tuple
from xml.sax.saxutils import escape

WIDTH = 860
_STYLE = """
svg{--bg:#fff;--ink:#1f2328;--soft:#59636e;--grid:#d1d9e0;--c0:#0550ae;--c1:#bc4c00;--c2:#1a7f37;--bar:#54aeff}
@media (prefers-color-scheme:dark){svg{--bg:#0d1117;--ink:#f0f6fc;--soft:#a3adb8;--grid:#30363d;--c0:#79c0ff;
--c1:#ffa657;--c2:#7ee787;--bar:#1f6feb}}
text{font:13px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;fill:var(--ink)}
.h{font-size:16px;font-weight:600}.b{font-weight:600}.s{fill:var(--soft);font-size:12px}.m{text-anchor:middle}
.e{text-anchor:end}.bg{fill:var(--bg)}.grid{stroke:var(--grid)}.axis{stroke:var(--soft)}
.lead{stroke:var(--soft);stroke-width:.8}.bar{fill:var(--bar);stroke:var(--ink);stroke-width:.8}
.hatch{stroke:var(--ink);stroke-opacity:.45}.line{stroke-width:1.8}.dash{stroke-dasharray:7 4}
.dots{stroke-dasharray:2 4}.ink{stroke:var(--ink);color:var(--ink)}.c0{stroke:var(--c0);color:var(--c0)}
.c1{stroke:var(--c1);color:var(--c1)}.c2{stroke:var(--c2);color:var(--c2)}path,.mark{fill:none}
.full{fill:currentColor}.open{fill:var(--bg)}.halo{paint-order:stroke;stroke:var(--bg);stroke-width:4}
"""
# Around (0, 0), 9 to 11 pixels wide; every second one is filled.
MARKERS = ["M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z", "M-4.5-4.5h9v9h-9z", "M0-6L6 5H-6z", "M0-6.5L5 0L0 6.5L-5 0z",
           "M0 6L6-5H-6z", "M-5-5L5 5M-5 5L5-5", "M0-6V6M-6 0H6", "M-6-2h12v4h-12z", "M-2-6h4v12h-4z"]


def text_number(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


def tick_label(value: float) -> str:
    return f"{value:g}" if value < 1e6 else f"{value:.0f}"


class Scale(NamedTuple):
    """Values from low to high on pixels from begin to end, logarithmically unless linear."""
    low: float
    high: float
    begin: float
    end: float
    linear: bool = False

    def __call__(self, value: float) -> float:
        if self.linear:
            part = (value - self.low) / (self.high - self.low)
        else:
            part = math.log(value / self.low) / math.log(self.high / self.low)
        return self.begin + part * (self.end - self.begin)


def decades(low: float, high: float) -> List[float]:
    """Powers of ten that enclose both."""
    return [10.0 ** power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


def spread(places: Sequence[float], gap: float, low: float, high: float) -> List[float]:
    """Moves places apart, each at least gap from the next, as little as it takes; in their order, within low to
    high as far as there is room."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    groups: List[Tuple[float, int]] = []  # (centre, how many places)
    for i in order:
        centre, count = places[i], 1
        while groups and groups[-1][0] + (groups[-1][1] + count) * gap / 2 > centre:
            other, more = groups.pop()
            centre = (centre * count + other * more) / (count + more)
            count += more
        half = (count - 1) * gap / 2
        groups.append((max(min(centre, high - half), low + half), count))
    flat = [centre + (k - (count - 1) / 2) * gap for centre, count in groups for k in range(count)]
    found = [0.0] * len(places)
    for i, place in zip(order, flat):
        found[i] = place
    return found


class Chart:
    """height in pixels; title, description: read aloud in its place."""

    def __init__(self, height: int, title: str, description: str):
        self.head = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
            f'height="{height}" role="img" aria-labelledby="t d">',
            f'<title id="t">{escape(title)}</title>', f'<desc id="d">{escape(description)}</desc>',
            f"<style>{_STYLE}</style>",
            '<defs><pattern id="h" width="7" height="7" patternUnits="userSpaceOnUse"><path class="hatch" '
            'd="M-2 2L2-2M0 7L7 0M5 9L9 5"/></pattern></defs>',
            f'<rect class="bg" width="{WIDTH}" height="{height}"/>']
        self.parts: List[str] = []
        self.text(20, 28, title, "h")

    def add(self, part: str) -> None:
        self.parts.append(part)

    def text(self, x: float, y: float, words: str, css: str = "") -> None:
        attribute = f' class="{css}"' if css else ""
        self.add(f'<text x="{text_number(x)}" y="{text_number(y)}"{attribute}>{escape(words)}</text>')

    def line(self, points: Sequence[Tuple[float, float]], css: str) -> None:
        data = "L".join(f"{text_number(x)} {text_number(y)}" for x, y in points)
        self.add(f'<path class="{css}" d="M{data}"/>')

    def rect(self, x: float, y: float, width: float, height: float, css: str = "", fill: str = "") -> None:
        kind = f'class="{css}"' if css else f'fill="{fill}"'
        self.add(f'<rect {kind} x="{text_number(x)}" y="{text_number(y)}" width="{text_number(width)}" '
                 f'height="{text_number(height)}"/>')

    def marker(self, x: float, y: float, index: int, colour: str) -> None:
        fill = "full" if index % 2 == 0 else "open"
        self.add(f'<path class="{colour} {fill}" stroke-width="1.8" transform="translate({text_number(x)} '
                 f'{text_number(y)})" d="{MARKERS[index % len(MARKERS)]}"/>')

    def axes(self, x: Scale, y: Scale, x_ticks: Sequence[float], y_ticks: Sequence[float], x_title: str,
             y_title: str) -> None:
        """Grid lines at the ticks, their values, and what they are."""
        for tick in y_ticks:
            self.line([(x.begin, y(tick)), (x.end, y(tick))], "grid")
            self.text(x.begin - 8, y(tick) + 4, tick_label(tick), "e s")
        for tick in x_ticks:
            self.line([(x(tick), y.begin), (x(tick), y.end)], "grid")
            self.text(x(tick), y.begin + 18, tick_label(tick), "m s")
        self.line([(x.begin, y.end), (x.begin, y.begin), (x.end, y.begin)], "axis")
        self.text((x.begin + x.end) / 2, y.begin + 38, x_title, "m")
        self.text(20, y.end - 12, y_title)

    def svg(self) -> str:
        return "\n".join([*self.head, *self.parts, "</svg>", ""])


def message(title: str, words: str) -> str:
    """A picture in place of a chart: there are no data."""
    chart = Chart(90, title, words)
    chart.text(20, 62, words)
    return chart.svg()
