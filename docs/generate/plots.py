"""docs/pictures/*.svg. Each function takes the runs and the lessons to draw and returns a Plot. The runs are the H200's, in
beyond/ those of BEYOND."""
import pathlib
import statistics
from typing import Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple

from ladder.lessons import every
from ladder.pictures import gallery

from ladder.pictures.svg import WIDTH

from . import errors
from .charts import Chart, Scale, decades, message, spread
from .results import (BEST, BEYOND, CUBE, OF_BEST, ROOT, Runs, Trouble, after, best, image, lessons, load_profile,
                      number, percent, read, share, short, speed)

PICTURES = ROOT / "docs" / "pictures"
TEXT = 7  # approximate width of a character in pixels
Point = Tuple[float, float]


class Plot(NamedTuple):
    svg: str
    description: str  # for readers who do not see the picture


class Line(NamedTuple):
    """points: (size, TFLOP/s). marker: a lesson's number, -1 for cuBLAS."""
    label: str
    points: List[Point]
    css: str
    marker: int


def marked(name: str, run: Optional[dict]) -> str:
    """A lesson's name, with a star if an earlier version of it was measured."""
    return short(name) + ("*" if run and run.get("earlier") else "")


def star(names: Iterable[str]) -> str:
    return " A star: measured before the last edit of its gemm.cu." if any(name.endswith("*") for name in names) else ""


def listed(items: Sequence[str]) -> str:
    return ", ".join(items[:-1]) + " and " + items[-1] if len(items) > 1 else "".join(items)


def inputs(run: dict) -> str:
    """The kind of inputs of a run's lesson: FP32, half, half with an epilogue, or FP8."""
    if any(facts.folder == run["lesson"] and facts.knobs.get("Input") == "e4m3" for facts in every()):
        return "FP8"
    return {"cublasGemmEx": "half", "cublasLtMatmul": "half, GELU"}.get(run.get("baseline", ""), "FP32")


def draw_share(runs: Runs, names: Sequence[str] = (), gpu: str = "H200") -> Plot:
    """One bar per lesson: its share of the best of cuBLAS."""
    title = f"Speed as a share {OF_BEST}, M = N = K = {CUBE[0]}, one NVIDIA {gpu}"
    found = {marked(name, runs.get((name, *CUBE, 0))): runs.get((name, *CUBE, 0)) for name in names or lessons()}
    if not any(share(run) for run in found.values()):
        return Plot(message(title, "Not measured."), f"{title}: not measured.")
    parts = [f"{name} {percent(share(run))} ({speed(run['tflops'])} TFLOP/s)" if share(run) else
            f"{name} not measured" for name, run in found.items()]
    description = (f"Bars: {listed(parts)}. Each percentage is {OF_BEST} with the lesson's inputs.{star(found)}")
    top, row, left = 64, 27, 190
    bottom = top + row * len(found)
    high = max(1.0, *(share(run) or 0 for run in found.values()))
    chart = Chart(bottom + 36, title, description)
    x = Scale(0, high, left, WIDTH - 235, linear=True)
    for tick in (0, 0.25, 0.5, 0.75, 1):
        chart.line([(x(tick), top - 4), (x(tick), bottom)], "grid" if tick < 1 else "ink long")
        chart.text(x(tick), bottom + 18, f"{100 * tick:g} %", "m s")
    chart.text(x(1), top - 10, BEST, "m b")
    for i, (name, run) in enumerate(found.items()):
        y = top + i * row
        chart.text(left - 10, y + 17, name, "e")
        part = share(run)
        if not run or part is None:
            chart.text(left + 8, y + 17, "not measured", "s")
            continue
        chart.rect(left, y + 3, max(x(part) - left, 1), row - 7, "bar")
        if inputs(run) != "FP32":
            chart.rect(left, y + 3, max(x(part) - left, 1), row - 7, "half")
        label = f"{percent(part)} · {speed(run['tflops'])} TFLOP/s"
        if inputs(run) != "FP32":
            label += f", {inputs(run).split(',')[0]} inputs"
        begin = x(part) + 8
        if begin < x(1) + 8 < begin + TEXT * len(label) + 8:  # it would cross cuBLAS's line
            begin = x(1) + 8
        chart.text(begin, y + 17, label, "halo")
    return Plot(chart.svg(), description)


def is_cube(size: int) -> bool:
    """Whether every lesson is measured at this size."""
    return size >= 256 and size & (size - 1) == 0


def speed_lines(runs: Runs, names: Sequence[str]) -> List[Line]:
    """The lines of cubes with beta = 0. The best of cuBLAS is the median over the processes of all lessons."""
    lines = []
    base: Dict[str, Dict[float, List[float]]] = {}
    for name in names:
        i = int(short(name)[:2])
        own = {key: run for key, run in runs.items()
               if key[0] == name and key[1] == key[2] == key[3] and is_cube(key[1]) and key[4] == 0}
        if own:
            points = sorted((run["M"], run["tflops"]) for run in own.values())
            lines.append(Line(marked(name, next(iter(own.values()))), points, f"c{i % 3}", i))
        for key, run in own.items():
            against = best(run)
            if against:
                label = f"{BEST}, {inputs(run)}"
                base.setdefault(label, {}).setdefault(key[1], []).append(against)
    for label, sizes in base.items():
        points = [(size, statistics.median(found)) for size, found in sorted(sizes.items())]
        lines.append(Line(label, points, "ink long" if "FP32" in label else "ink dots", -1))
    return lines


def draw_speed(runs: Runs, names: Sequence[str] = (), gpu: str = "H200") -> Plot:
    """The plot of TFLOP/s over the size, both logarithmic."""
    title = f"TFLOP/s over the size M = N = K, one NVIDIA {gpu}"
    lines = speed_lines(runs, names or lessons())
    if not lines:
        return Plot(message(title, "Not measured."), f"{title}: not measured.")
    parts = [f"{line.label} from {speed(line.points[0][1])} at {line.points[0][0]:g} to "
            f"{speed(line.points[-1][1])} at {line.points[-1][0]:g}" for line in lines]
    description = f"One line each, TFLOP/s: {'; '.join(parts)}.{star(line.label for line in lines)}"
    sizes = sorted({point[0] for line in lines for point in line.points})
    values = [point[1] for line in lines for point in line.points]
    ticks = decades(min(values), max(values))
    chart = Chart(560, title, description)
    room = max(210, 60 + round((TEXT + 0.6) * max(len(line.label) for line in lines)))  # for the labels
    x = Scale(sizes[0], sizes[-1] if len(sizes) > 1 else 2 * sizes[0], 64, WIDTH - room)
    y = Scale(ticks[0], ticks[-1] if len(ticks) > 1 else 10 * ticks[0], 500, 72)
    chart.axes(x, y, sizes, ticks, "M = N = K", "TFLOP/s")
    for line in lines:
        points = [(x(size), y(value)) for size, value in line.points]
        chart.line(points, f"line {line.css}")
        if line.marker >= 0:
            for point in points:
                chart.marker(*point, line.marker, line.css)
    ends = [line for line in lines]
    places = spread([y(line.points[-1][1]) for line in ends], 16, y.end, y.begin - 6)
    for line, place in zip(ends, places):
        end = (x(line.points[-1][0]), y(line.points[-1][1]))
        start = x.end + 14
        chart.line([(end[0] + 8, end[1]), (start - 2, end[1]), (start + 12, place)], "lead")
        if line.marker >= 0:
            chart.marker(start + 22, place, line.marker, line.css)
        else:
            chart.line([(start + 13, place), (start + 31, place)], f"line {line.css}")
        chart.text(start + 38, place + 4, line.label, "" if line.marker >= 0 else "b")
    return Plot(chart.svg(), description)


def roofs() -> Optional[Tuple[float, float, float]]:
    """The measured DRAM bandwidth in TB/s, and the FP32 and half tensor peaks in TFLOP/s (0: unknown). None without a
    measurement."""
    data = read("bandwidth-h200.json")
    if data is None or not data["runs"]:
        return None
    bandwidth = max(run["gb_per_s"] for run in data["runs"])
    return bandwidth / 1e3, data["fp32_peak_tflops"], data.get("half_tensor_peak_tflops") or 0


def roofline_points(runs: Runs) -> Dict[str, Point]:
    """The points of the lessons: {lesson: (FLOP per byte of DRAM, TFLOP/s)}."""
    points = {}
    for name, values in load_profile().items():
        run = runs.get((name, *CUBE, 0))
        moved = values.get("dram_read_bytes", 0) + values.get("dram_write_bytes", 0)
        if run and "dram_read_bytes" in values and moved > 0:
            points[name] = (2.0 * CUBE[0] * CUBE[1] * CUBE[2] / moved, run["tflops"])
    return points


def draw_roofline(runs: Runs) -> Plot:
    """The plot of TFLOP/s over FLOP per byte of DRAM, with the roofs of bandwidth and arithmetic."""
    title = f"Roofline at M = N = K = {CUBE[0]}, one NVIDIA H200"
    measured, points = roofs(), roofline_points(runs)
    if measured is None or not points:
        lack = "bandwidth" if measured is None else "lessons' bytes and speed"
        return Plot(message(title, f"Not measured: {lack}."), f"{title}: {lack} not measured.")
    bandwidth, fp32, tensor = measured
    parts = [f"{name} {speed(point[1])} TFLOP/s at {number(point[0])} FLOP per byte" for name, point in points.items()]
    absent = [name for name in lessons() if name not in points]
    description = (f"Roofs: DRAM {number(bandwidth)} TB/s, measured; FP32 peak {number(fp32)} TFLOP/s" +
                   (f"; tensor cores with half inputs {number(tensor)} TFLOP/s" if tensor else "") +
                   f". Below them {listed(parts)}." + (f" Not measured: {listed(absent)}." if absent else ""))
    x_ticks = decades(min(1.0, *(point[0] for point in points.values())),
                      max(1000.0, *(point[0] for point in points.values())))
    y_ticks = decades(min(point[1] for point in points.values()), max(fp32, tensor))
    top = min(y_ticks[-1], 2 * max(fp32, tensor))
    chart = Chart(560, title, description)
    x, y = Scale(x_ticks[0], x_ticks[-1], 64, WIDTH - 210), Scale(y_ticks[0], top, 500, 72)
    chart.axes(x, y, x_ticks, [tick for tick in y_ticks if tick <= top],
               "FLOP per byte read from or written to DRAM (Nsight Compute)", "TFLOP/s")
    draw_roofs(chart, x, y, measured)
    for i, name in enumerate(lessons()):
        if name in points:
            chart.marker(x(points[name][0]), y(points[name][1]), i, f"c{i % 3}")
    label_points(chart, x, y, points)
    if absent:
        chart.text(80, 490, f"not measured: {', '.join(absent)}", "s")
    return Plot(chart.svg(), description)


def draw_roofs(chart: Chart, x: Scale, y: Scale, measured: Tuple[float, float, float]) -> None:
    """Draws the bandwidth's slope up to the highest roof, and the level roofs from their intersections with it."""
    bandwidth, fp32, tensor = measured
    start = max(x.low, y.low / bandwidth)
    top = max(fp32, tensor)
    end = min(top / bandwidth, x.high)
    chart.line([(x(start), y(start * bandwidth)), (x(end), y(end * bandwidth))], "line ink")
    chart.text(x(start) + 30, y(start * bandwidth) + 10, f"DRAM, measured: {number(bandwidth)} TB/s", "halo b")
    for peak, name, css in ((fp32, "FP32 peak", "long"), (tensor, "tensor peak, half inputs", "dots")):
        if peak and peak / bandwidth < x.high:
            chart.line([(x(peak / bandwidth), y(peak)), (x.end, y(peak))], f"line ink {css}")
            label = f"{name}: {number(peak)} TFLOP/s"
            begin = min(x(peak / bandwidth) + 36, x.end - (TEXT + 0.6) * len(label))
            chart.text(begin, y(peak) - 7, label, "halo b")


def label_points(chart: Chart, x: Scale, y: Scale, points: Dict[str, Point]) -> None:
    """Draws the labels in a column beside the plot, each with a line from its marker, and moves close ones apart."""
    names = sorted(points, key=lambda name: (-points[name][1], name))
    places = spread([y(points[name][1]) for name in names], 16, y.end, y.begin - 6)
    for name, place in zip(names, places):
        from_x, from_y = x(points[name][0]), y(points[name][1])
        chart.line([(from_x + 8, from_y), (x.end + 2, place), (x.end + 10, place)], "lead")
        i = lessons().index(name)
        chart.marker(x.end + 20, place, i, f"c{i % 3}")
        chart.text(x.end + 34, place + 4, name)


PLOTS = {"share": draw_share, "speed": draw_speed, "roofline": draw_roofline,
         "accuracy": lambda _: Plot(*errors.draw()),
         "share_beyond": lambda runs: draw_share(runs, after(), BEYOND),
         "speed_beyond": lambda runs: draw_speed(runs, after(), BEYOND)}


def plot(_, runs: Runs, argument: str, path: pathlib.Path, **__) -> str:
    """The part "plot NAME": a plot with its description."""
    if argument not in PLOTS:
        raise Trouble(f"there is no plot '{argument}'; there are {', '.join(PLOTS)}")
    return image(PLOTS[argument](runs).description, PICTURES / f"{argument}.svg", path)


def picture(*_, argument: str, lesson: str, path: pathlib.Path, **__) -> str:
    """The part "picture NAME" of a lesson: a picture by ./ladder picture with its description."""
    svg = gallery.FOLDER / lesson / f"{argument}.svg"
    if not svg.is_file():
        raise Trouble(f"there is no picture '{argument}'; ./ladder picture --all draws the list in "
                      "common/ladder/pictures/gallery.py")
    return image(gallery.alternative(svg.read_text(encoding="utf-8")), svg, path)


KINDS = {"plot": plot, "picture": picture}
