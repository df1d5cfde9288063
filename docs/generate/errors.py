"""Parts from docs/results/errors.json: accuracy and speed of several ways to multiply floats. The programs in
common/measure/errors print the file's content."""
from typing import Dict, List, Optional, Tuple

from ladder.pictures.svg import WIDTH

from .charts import Chart, Scale, decades, message
from .results import number, read, speed, table

UNIT = 2.0 ** -24  # half the distance from 1 to the next FP32 number
INPUTS = {"uniform": "uniform in [−1, 1)", "positive": "uniform in [0, 1)", "normal": "normal",
          "spread4": "powers of two from 2⁻⁴ to 2⁴", "spread10": "from 2⁻¹⁰ to 2¹⁰", "spread20": "from 2⁻²⁰ to 2²⁰"}
LESSON = "15_fp32_on_tensor_cores"
WAYS = {"07_double_buffer": "FP32: 07", "cuBLAS FP32": "FP32: cuBLAS", f"{LESSON}.nine_products": "nine products",
        LESSON: "six products", f"{LESSON}.three_products": "three products", "cuBLAS TF32": "TF32: cuBLAS",
        "cuBLAS half": "half: cuBLAS"}
SPEEDS = {"4096": "4096³", "8192": "8192³", "one_nan": "4096³, one NaN in A",
          "row_nans": "4096³, one NaN in each row of A"}
PLOTTED = "uniform", 4096  # inputs and K

Errors = Dict[Tuple[str, int], Optional[float]]  # by kind of inputs and K


def found(name: str) -> Dict[str, Errors]:
    """The errors of each way: {way: errors}, {} if not measured. name: "max" or "rms"."""
    data = read("errors.json") or {"ways": []}
    return {way["way"]: {(row["inputs"], row["K"]): row.get(name) for row in way["rows"]} for way in data["ways"]}


def speeds() -> Dict[str, Dict[str, float]]:
    """The speeds of WAYS: {way: {size: TFLOP/s}}, {} unless all were measured."""
    data = read("errors.json") or {"ways": []}
    fast = {way["way"]: way["tflops"] for way in data["ways"] if "tflops" in way}
    return fast if all(way in fast for way in WAYS) else {}


def half_inputs(*_, **__) -> str:
    """One row per K: the largest errors of lessons 07 and 08."""
    ways = found("max")
    if not ways:
        return "Not measured.\n"
    rows: List[List[str]] = []
    for K in (256, 1024, 4096):
        fp32, half = (ways[way]["uniform", K] for way in ("07_double_buffer", "08_tensor_core_wmma"))
        rows.append([str(K), f"{fp32:.1e}", f"{half:.1e}", f"{half / fp32:.0f}"])
    return table(["K", "FP32 inputs (07)", "half inputs, FP32 sums (08)", "ratio"], rows)


def accuracy(*_, **__) -> str:
    """One row per kind of inputs and K, one column per way: the root mean square error in units of 2^-24. Speeds follow."""
    ways, fast = found("rms"), speeds()
    if not fast:
        return "Not measured.\n"
    rows = [[INPUTS[kind], str(K), *(number(ways[way][kind, K] / UNIT) if ways[way][kind, K] is not None else "∞"
                                    for way in WAYS)] for kind, K in ways[LESSON]]
    for key, what in SPEEDS.items():
        if all(key in fast[way] for way in WAYS):
            rows.append([f"TFLOP/s at {what}", "", *(speed(fast[way][key]) for way in WAYS)])
    return table(["inputs", "K", *WAYS.values()], rows)


def draw() -> Tuple[str, str]:
    """The plot of error over speed, both logarithmic, and its description."""
    title = "Error against speed, products of FP32 matrices, one NVIDIA H200"
    ways, fast = found("rms"), speeds()
    if not fast:
        return message(title, "Not measured."), f"{title}: not measured."
    points = {name: (fast[way]["8192"], ways[way][PLOTTED] / UNIT) for way, name in WAYS.items()}
    parts = [f"{name} {speed(x)} TFLOP/s with an error of {number(y)}" for name, (x, y) in points.items()]
    description = f"Error in units of 2⁻²⁴, over speed: {'; '.join(parts)}."
    chart = Chart(470, title, description)
    x_ticks = [50, 100, 200, 400, 800]
    y_ticks = decades(min(y for _, y in points.values()), max(y for _, y in points.values()))
    x, y = Scale(40, 1000, 64, WIDTH - 60), Scale(y_ticks[0], y_ticks[-1], 410, 72)
    chart.axes(x, y, x_ticks, y_ticks, "TFLOP/s at 8192³",
               f"root mean square error at K = {PLOTTED[1]}, in units of 2⁻²⁴")
    for i, (name, point) in enumerate(points.items()):
        colour = "c0" if "products" in name else "c1"
        chart.marker(x(point[0]), y(point[1]), i, colour)
        right = point[0] < 300 and name != "nine products"
        chart.text(x(point[0]) + (12 if right else -12), y(point[1]) + (16 if name.endswith("07") else 4), name,
                   "halo" if right else "halo e")
    return chart.svg(), description


KINDS = {"errors": half_inputs, "accuracy": accuracy}
