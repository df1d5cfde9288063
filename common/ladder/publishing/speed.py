"""The chart of TFLOP/s over the size, for a lesson and those it is compared with, on each measured GPU. It is drawn
here, so that it works without scripts; common/web/pages/chart.js gets the figures as data."""
from typing import Any, Dict, List, NamedTuple

from generate.charts import Scale, decades, spread
from generate.results import BEST, after, cards, lessons, load_runs, number, short
from generate.plots import inputs, speed_lines
from ladder.lessons import find
from ladder.lib.lessons import below
from ladder.pictures.svg import number as pixels

WIDTH, HEIGHT = 760, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 185, 20, 48


class Chart(NamedTuple):
    """gpu: its name; svg: the picture; figures: its data, for a script."""
    gpu: str
    svg: str
    figures: Dict[str, Any]


def charts(name: str) -> List[Chart]:
    """A chart for each GPU on which the lesson was measured."""
    folder = find(name).folder
    found = []
    for gpu, file in cards().items():
        runs = load_runs(file)
        if any(key[0] == folder for key in runs):
            found.append(_chart(gpu, runs, name))
    return found


def _chart(gpu: str, runs: Any, name: str) -> Chart:
    own, before = find(name).folder, find(below(name)).folder if below(name) else ""
    names = after() if find(name).beyond else lessons()
    kinds = {f"{BEST}, {inputs(run)}" for key, run in runs.items() if key[0] == own}
    lines = [line for line in speed_lines(runs, names)
             if line.marker >= 0 or line.label in kinds]
    sizes = sorted({point[0] for line in lines for point in line.points})
    values = [point[1] for line in lines for point in line.points]
    ticks = decades(min(values), max(values))
    x = Scale(sizes[0], sizes[-1], _LEFT, WIDTH - _RIGHT)
    y = Scale(ticks[0], ticks[-1], HEIGHT - _BOTTOM, _TOP)
    parts = [f'<line class="grid" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{pixels(y(tick))}" y2="{pixels(y(tick))}"/>'
             f'<text class="e s" x="{_LEFT - 8}" y="{pixels(y(tick) + 4)}">{tick:g}</text>' for tick in ticks]
    parts += [f'<text class="m s" x="{pixels(x(size))}" y="{HEIGHT - _BOTTOM + 18}">{size:g}</text>' for size in sizes]
    parts.append(f'<text class="m s" x="{(_LEFT + WIDTH - _RIGHT) / 2:g}" y="{HEIGHT - 8}">M = N = K</text>')
    number_of = int(short(own)[:2])
    ranked = {number_of: "own", int(short(before)[:2] or -2): "below"}  # by Line.marker
    series = []
    labels = []
    for line in sorted(lines, key=lambda each: ["", "below", "own"].index(ranked.get(each.marker, ""))):
        css = ranked.get(line.marker, "other" if line.marker >= 0 else "cublas")
        places = " ".join(f"{pixels(x(size))},{pixels(y(value))}" for size, value in line.points)
        parts.append(f'<polyline class="line {css}" points="{places}"/>')
        series.append({"name": line.label, "kind": css, "points": [[size, value] for size, value in line.points]})
        if css != "other":
            labels.append((line.label, css, y(line.points[-1][1])))
            if css != "cublas":
                parts += [f'<circle class="{css}" r="3.5" cx="{pixels(x(size))}" cy="{pixels(y(value))}"/>'
                          for size, value in line.points]
    parts += _labels(labels)
    title = f"TFLOP/s over the size on one NVIDIA {gpu}"
    mine = next(line for line in lines if line.marker == number_of)
    words = f"{mine.label}: " + ", ".join(f"{number(value)} at {size:g}" for size, value in mine.points) + "."
    svg = (f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}. {words}">'
           f'{"".join(parts)}<line class="guide" y1="{_TOP}" y2="{HEIGHT - _BOTTOM}" visibility="hidden"/></svg>')
    places = {f"{size:g}": round(x(size), 1) for size in sizes}
    return Chart(gpu, svg, {"title": title, "places": places, "width": WIDTH, "series": series})


def _labels(labels: List[Any]) -> List[str]:
    """Labels at the ends of lines, moved apart if they are close."""
    places = spread([place for _, _, place in labels], 18, _TOP, HEIGHT - _BOTTOM)
    return [f'<text class="{css}" x="{WIDTH - _RIGHT + 10}" y="{pixels(place + 4)}">{label}</text>'
            for (label, css, _), place in zip(labels, places)]
