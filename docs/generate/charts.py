"""A small chart: axes, lines, bars, markers and labels. It is readable without colours: lines differ in markers and dashes,
and each has a label at its end."""
import math
from typing import List, NamedTuple, Sequence, Tuple

from ladder.pictures.svg import WIDTH, Svg, number

_STYLE = """
svg{--c0:#0550ae;--c1:#bc4c00;--c2:#1a7f37;--bar:#54aeff}
@media (prefers-color-scheme:dark){svg{--c0:#79c0ff;--c1:#ffa657;--c2:#7ee787;--bar:#1f6feb}}
text{font-size:13px}.s{font-size:12px}path{fill:none}.axis{stroke:var(--soft)}.lead{stroke:var(--soft);stroke-width:.8}
.bar{fill:var(--bar);stroke:var(--ink);stroke-width:.8}.half{fill:url(#h)}.line{stroke-width:1.8}
.long{stroke-dasharray:7 4}.dots{stroke-dasharray:2 4}.ink{stroke:var(--ink);color:var(--ink)}
.c0{stroke:var(--c0);color:var(--c0)}.c1{stroke:var(--c1);color:var(--c1)}.c2{stroke:var(--c2);color:var(--c2)}
.full{fill:currentColor}.open{fill:var(--bg)}.halo{paint-order:stroke;stroke:var(--bg);stroke-width:4}
"""
_HATCH = ('<defs><pattern id="h" width="7" height="7" patternUnits="userSpaceOnUse"><path class="hatch" '
          'd="M-2 2L2-2M0 7L7 0M5 9L9 5"/></pattern></defs>')
# Around (0, 0), 9 to 11 pixels wide; every second one is filled.
MARKERS = ["M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z", "M-4.5-4.5h9v9h-9z", "M0-6L6 5H-6z", "M0-6.5L5 0L0 6.5L-5 0z",
           "M0 6L6-5H-6z", "M-5-5L5 5M-5 5L5-5", "M0-6V6M-6 0H6", "M-6-2h12v4h-12z", "M-2-6h4v12h-4z"]


def tick_label(value: float) -> str:
    return f"{value:g}" if value < 1e6 else f"{value:.0f}"


class Scale(NamedTuple):
    """Maps values from low to high to pixels from begin to end, logarithmically unless linear."""
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
    """Powers of ten from one at most low to one at least high."""
    return [10.0 ** power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


def spread(places: Sequence[float], gap: float, low: float, high: float) -> List[float]:
    """Moves places apart until each is at least gap from the next. Moves them as little as possible, keeps their order, and
    keeps them between low and high if they fit."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    groups: List[Tuple[float, int]] = []  # (centre, number of places)
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


class Chart(Svg):
    """height: in pixels; title, description: for screen readers."""

    def __init__(self, height: int, title: str, description: str):
        super().__init__()
        self.frame = (WIDTH, height), title, description
        self.text(20, 28, title, "h")

    def marker(self, x: float, y: float, index: int, colour: str) -> None:
        fill = "full" if index % 2 == 0 else "open"
        self.parts.append(f'<path class="{colour} {fill}" stroke-width="1.8" transform="translate({number(x)} '
                          f'{number(y)})" d="{MARKERS[index % len(MARKERS)]}"/>')

    def axes(self, x: Scale, y: Scale, x_ticks: Sequence[float], y_ticks: Sequence[float], x_title: str,
             y_title: str) -> None:
        """Draws axes with titles, and grid lines with values at the ticks."""
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
        return self.document(*self.frame, _HATCH, style=_STYLE)


def message(title: str, text: str) -> str:
    """A picture with a text, for charts without data."""
    chart = Chart(90, title, text)
    chart.text(20, 62, text)
    return chart.svg()
