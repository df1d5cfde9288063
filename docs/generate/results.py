"""Reads docs/results. A file that is not there is "not measured"; one that is damaged is Trouble."""
import json
import math
import pathlib
import sys
from typing import Any, Dict, List, Optional, Tuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "results"
sys.path.insert(0, str(ROOT / "common"))
from ladder.lib.source import source_hash  # noqa: E402

NOT_MEASURED = "not measured"
CUBE = (4096, 4096, 4096)  # the problem of the plots and of all comparisons

Run = Dict[str, Any]
Runs = Dict[Tuple[Any, ...], Run]  # by (lesson, M, N, K, beta)


class Trouble(Exception):
    """A file that cannot be used, in one line."""


def lessons() -> List[str]:
    return sorted(file.parent.name for file in ROOT.glob("[0-9][0-9]_*/gemm.cu")
                  if file.parent.name.replace("_", "").isalnum())


def after() -> List[str]:
    """Lessons 07 and 08, and beyond/NN_name of those that go on from there."""
    further = sorted(str(file.parent.relative_to(ROOT)) for file in ROOT.glob("beyond/[0-9][0-9]_*/gemm.cu"))
    return [name for name in lessons() if name >= "07"] + further


def _no_constant(word: str) -> float:
    raise ValueError(f"it has {word} for a number")


def read(name: str) -> Optional[dict]:
    """The object in docs/results/NAME; None if there is no such file. Trouble if it is damaged."""
    path = RESULTS / name
    try:
        data = json.loads(path.read_text(encoding="utf-8"), parse_constant=_no_constant)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Trouble(f"docs/results/{name}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        raise Trouble(f"docs/results/{name}: damaged: {error}") from None
    if not isinstance(data, dict):
        raise Trouble(f"docs/results/{name}: damaged: no object of names and values")
    return data


def entries(name: str, data: dict, key: str) -> List[dict]:
    """data[key], a list of objects, of a result file NAME."""
    rows = data.get(key)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise Trouble(f"docs/results/{name}: damaged: no list of objects called '{key}'")
    return rows


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def positive(name: str, row: dict, key: str) -> float:
    """row[key] of a result file NAME, a number above 0."""
    value = row.get(key)
    if not is_number(value) or value <= 0:
        what = row.get("lesson", "a row")
        raise Trouble(f"docs/results/{name}: damaged: {what} has no number above 0 called '{key}'")
    return value


def is_current(lesson: Any, expected: Any) -> bool:
    """Was it measured with the lesson's present source?"""
    source = ROOT / str(lesson) / "gemm.cu"
    return source.is_file() and source_hash(source) == expected


def current_rows(name: str, rows: List[dict]) -> List[dict]:
    """The rows of present sources; the other lessons are named on stderr."""
    stale = sorted({str(row.get("lesson")) for row in rows
                    if not is_current(row.get("lesson"), row.get("source_hash"))})
    for lesson in stale:
        print(f"{name}: {lesson} was measured before its last edit", file=sys.stderr)
    return [row for row in rows if row.get("lesson") not in stale]


def load_runs(name: str) -> Runs:
    """The speed runs of docs/results/NAME, without those of older sources."""
    runs: Runs = {}
    data = read(name)
    for run in current_rows(name, entries(name, data, "runs")) if data is not None else []:
        for key in ("M", "N", "K", "tflops"):
            positive(name, run, key)
        if not isinstance(run.get("ms"), dict):
            raise Trouble(f"docs/results/{name}: damaged: {run['lesson']} has no times 'ms'")
        positive(name, {**run["ms"], "lesson": run["lesson"]}, "median")
        if not is_number(run.get("baseline_tflops") or 0) or not is_number(run.get("beta")):
            raise Trouble(f"docs/results/{name}: damaged: {run['lesson']} at {run['M']} × {run['N']} × {run['K']}")
        runs[run["lesson"], run["M"], run["N"], run["K"], run["beta"]] = run
    return runs


def load_profile(name: str = "profile-h200.json") -> Dict[str, Dict[str, float]]:
    """{lesson: {key: value}} of docs/results/NAME, without what was not measured."""
    data = read(name)
    found = {}
    for row in current_rows(name, entries(name, data, "lessons")) if data is not None else []:
        values = row.get("values")
        if not isinstance(values, dict) or not all(value is None or is_number(value)
                                                   for value in values.values()):
            raise Trouble(f"docs/results/{name}: damaged: values of {row.get('lesson')}")
        found[row["lesson"]] = {key: value for key, value in values.items() if value is not None}
    return found


def number(value: float) -> str:
    """Three significant digits, without an exponent."""
    if not math.isfinite(value):
        return NOT_MEASURED
    digits = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 1 else 3
    return f"{value:.{digits}f}" if value >= 0.1 or value == 0 else f"{value:.2g}"


def speed(value: float) -> str:
    """TFLOP/s: as number(), but two decimals below 1."""
    return number(value) if value >= 1 else f"{value:.2f}"


def share(run: Optional[Run]) -> Optional[float]:
    """Speed as a part of cuBLAS in the same process; None where cuBLAS was not timed."""
    if not run or not run.get("baseline_tflops") or run["baseline_tflops"] <= 0:
        return None
    return run["tflops"] / run["baseline_tflops"]


def percent(part: Optional[float], missing: str = "–") -> str:
    if part is None:
        return missing
    return f"{100 * part:.0f} %" if 0.1 <= part < 0.95 or part >= 1.05 else f"{100 * part:.1f} %"


def size_title(size: Any) -> str:
    return f"{size[0]}³" if len(set(size)) == 1 else " × ".join(map(str, size))


def table(head: List[str], rows: List[List[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines).replace("| --- ", "|---").replace(
        "|--- |", "|---|")
