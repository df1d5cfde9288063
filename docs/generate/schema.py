"""Schemas of the files in docs/results, for the values that a page or a plot reads. Files may have further names. A schema
is a Number, a type, None for null, a tuple of schemas of which one must fit, a list with the schema of each element, or an
object with a schema for each name. A name that ends in ? may be missing; "*" stands for all other names."""
import math
import re
from typing import Any, NamedTuple


class Number(NamedTuple):
    """A finite number above least, or at least `least` if reached."""
    least: float = -math.inf
    reached: bool = False

    def description(self) -> str:
        if self.least == -math.inf:
            return "a number"
        return f"a number from {self.least:g} on" if self.reached else f"a number above {self.least:g}"


POSITIVE, AMOUNT, ANY = Number(0), Number(0, True), Number()
SIZES = {"M": POSITIVE, "N": POSITIVE, "K": POSITIVE}
RUN = {"lesson": str, **SIZES, "beta": ANY, "ms": {"median": POSITIVE}, "tflops": POSITIVE,
       "baseline?": (str, None), "baseline_tflops?": (POSITIVE, None), "best_tflops?": (POSITIVE, None),
       "source_hash": (str, None)}
CARD = {"name": str, **dict.fromkeys(("sms", "cores", "sm_mhz", "memory_mhz", "bus_bits", "l2_bytes"), POSITIVE)}
SOURCE = {"theirs": str, "unit?": str, "size?": [POSITIVE], "beta?": ANY,
          "rows": [{"text": str, "theirs": POSITIVE, "lesson": (str, None), "variant?": str, "size?": [POSITIVE]}]}
# The figures that ./ladder bench writes, for any card. Clocks are in MHz (0: unknown), times in ms, speeds in TFLOP/s.
SPEEDS = {"gpu": str, "sm_clock_mhz": AMOUNT, "driver": str, "cuda": str, "date": str, "runs": [RUN]}
FILES = {
    "profile-h200.json": {"lessons": [{"lesson": str, "source_hash": (str, None), "values": {"*": (AMOUNT, None)}}]},
    "bandwidth-h200.json": {"fp32_peak_tflops": POSITIVE, "half_tensor_peak_tflops?": (POSITIVE, None),
                            "runs": [{"gb_per_s": POSITIVE}]},
    "errors.json": {"ways": [{"way": str, "tflops?": {
        "4096": POSITIVE, "8192": POSITIVE, "one_nan?": POSITIVE, "row_nans?": POSITIVE}, "rows": [
        {"inputs": str, "K": POSITIVE, **dict.fromkeys(("max", "rms?"), (AMOUNT, None))}]}]},
    "fp8_errors.json": {"gpu": str, "source_hash": str, "ways": [
        {"way": str, "inputs": str, "K": POSITIVE, "rms": AMOUNT, "max": AMOUNT}]},
    "variants-h200.json": {
        "rows": [{"variant": str, **SIZES, "tflops": POSITIVE, "baseline_tflops": POSITIVE}]},
    **dict.fromkeys(("graphs-h200.json", "graphs-h100.json"), {**SPEEDS, "runs": [{
        "lesson": str, **SIZES, **dict.fromkeys(("us", "best_us", "graph_us", "graph_best_us"), POSITIVE),
        "source_hash": (str, None)}]}),
    "stride-h200.json": {"multiprocessors": POSITIVE, "runs": [
        {"lesson": str, "arguments": str, "tflops": POSITIVE, "cycles?": POSITIVE, "l1_percent?": AMOUNT}]},
    "openblas-cpu.json": {"runs": [{**SIZES, "threads": POSITIVE, "repetitions": POSITIVE, "gflops": POSITIVE,
                                    "ms": {"best": POSITIVE, "median": POSITIVE}}]},
    "sources.json": {"*": SOURCE},
    "hardware.json": {"guide": [str], "cards": [(CARD, None)], **dict.fromkeys(
        ("warps", "blocks", "registers", "l1_kb", "shared_sm_kb", "shared_block_kb"), [POSITIVE])},
}


def fault(value: Any, schema: Any, where: str = "") -> str:
    """The fault of a value with its place, such as "runs[3].tflops: -1 is not a number above 0"; "" if it fits."""
    if isinstance(schema, tuple) and not isinstance(schema, Number):
        faults = [fault(value, each, where) for each in schema]
        return "" if "" in faults else faults[0]
    if isinstance(schema, Number):
        fits = (isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
                and (value > schema.least or schema.reached and value == schema.least))
        return "" if fits else mismatch(value, where, schema.description())
    if isinstance(schema, list):
        if not isinstance(value, list):
            return mismatch(value, where, "a list")
        return next(filter(None, (fault(each, schema[0], f"{where}[{i}]") for i, each in enumerate(value))), "")
    if isinstance(schema, dict):
        return mismatch(value, where, "an object") if not isinstance(value, dict) else members(value, schema, where)
    if schema is None:
        return "" if value is None else mismatch(value, where, "null")
    return "" if isinstance(value, schema) else mismatch(value, where, "text")


def members(value: dict, schema: dict, where: str) -> str:
    dot = where and where + "."
    for name, each in schema.items():
        key = name.rstrip("?")
        if key != "*" and key not in value and not name.endswith("?"):
            return f"{dot}{key} is missing"
        wrong = fault(value[key], each, dot + key) if key in value else ""
        if wrong:
            return wrong
    rest = schema.get("*")
    return next(filter(None, (fault(each, rest, dot + key) for key, each in value.items() if rest)), "")


def strange(data: dict) -> str:
    """The first fault of figures that fit SPEEDS: a unit, hash, date, or second run of a problem; "" if there is none."""
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", data["date"]):
        return mismatch(data["date"], "date", "a date as in 2026-11-25")
    if data["sm_clock_mhz"] and not 100 <= data["sm_clock_mhz"] <= 10000:
        return mismatch(data["sm_clock_mhz"], "sm_clock_mhz", "a clock in MHz")
    seen = set()
    for i, run in enumerate(data["runs"]):
        problem = tuple(run[name] for name in ("lesson", "M", "N", "K", "beta"))
        speed = 2e-9 * run["M"] * run["N"] * run["K"] / run["ms"]["median"]
        chosen, best = run.get("baseline_tflops"), run.get("best_tflops")
        if problem in seen:
            return f"runs[{i}] is a second run of {' '.join(map(str, problem))}"
        if abs(run["tflops"] / speed - 1) > 0.01:
            return mismatch(run["tflops"], f"runs[{i}].tflops", f"{speed:.4g}, which follows from the sizes and ms")
        if chosen and best and best < 0.999 * chosen:
            return mismatch(best, f"runs[{i}].best_tflops", f"at least {chosen:.4g}, the speed of cuBLAS's own choice")
        if run["source_hash"] and not re.fullmatch("[0-9a-f]{16}", run["source_hash"]):
            return mismatch(run["source_hash"], f"runs[{i}].source_hash", "a hash of 16 digits")
        seen.add(problem)
    return ""


def mismatch(value: Any, where: str, wanted: str) -> str:
    shown = repr(value) if not isinstance(value, (dict, list)) else type(value).__name__
    return f"{where or 'the file'}: {shown[:40]} is not {wanted}"
