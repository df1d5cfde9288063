"""Reads docs/results. A missing file counts as "not measured". A damaged one raises Trouble."""
import json
import os
import pathlib
import re
import sys
from typing import Any, Dict, List, Optional, Tuple

from ladder.lessons import code_hash, every

from .schema import FILES, SPEEDS, fault, strange

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "results"
NOT_MEASURED = "not measured"
CUBE = (4096, 4096, 4096)  # the problem of the plots and of all comparisons
BEYOND = "H100"  # the card of the tables and plots of beyond/, see cards()
BEST = "best of cuBLAS"  # cuBLAS's fastest kernel for a lesson's types, see best()
OF_CUBLAS, OF_BEST = "of cuBLAS", f"of the {BEST}"  # names of share_of_choice() and share() in every table

Run = Dict[str, Any]
Runs = Dict[Tuple[Any, ...], Run]  # by (lesson, M, N, K, beta)


class Trouble(Exception):
    """An unusable file. The message has one line."""


def lessons() -> List[str]:
    """The folders of the nine, in order."""
    return [facts.folder for facts in every() if not facts.beyond]


def after() -> List[str]:
    """The folders of the lessons in beyond/, after the predecessors of these among the nine."""
    further = [facts.folder for facts in every() if facts.beyond]
    return [name for name in lessons() if name in map(below_of, further)] + further


def below_of(folder: str) -> Optional[str]:
    """The folder of the lesson that this one changes, None for the first."""
    below = {facts.folder: facts.predecessor for facts in every()}[folder]
    return next((facts.folder for facts in every() if facts.name == below), None)


def cards() -> Dict[str, str]:
    """The files of speed runs in docs/results by the name of their GPU, as in "RTX 4090": rtx_4090.json. The H200, which
    has no name in most tables, and the H100 come first, also if they are not there."""
    own = ["h200.json", "h100.json"]
    others = sorted(path.name for path in RESULTS.glob("*.json")
                    if "-" not in path.name and path.name not in [*FILES, *own])
    return {name[:-5].replace("_", " ").upper(): name for name in own + others}


def read(name: str) -> Optional[dict]:
    """The content of docs/results/NAME, None if there is no such file. Raises Trouble if it does not fit its schema."""
    path = RESULTS / name
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Trouble(f"docs/results/{name}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        raise Trouble(f"docs/results/{name}: damaged: {error}") from None
    wrong = fault(data, FILES.get(name, SPEEDS)) or (strange(data) if name not in FILES else "")
    if wrong:
        raise Trouble(f"docs/results/{name}: damaged: {wrong}")
    return data


def current_rows(name: str, rows: List[dict]) -> List[dict]:
    """The rows whose source is the present one. Prints the names of the other lessons to stderr."""
    hashes = {facts.folder: code_hash(facts.text) for facts in every()}
    stale = sorted({row["lesson"] for row in rows if hashes.get(row["lesson"]) != row["source_hash"]})
    for lesson in stale:
        print(f"{name}: {lesson} was measured before its last edit", file=sys.stderr)
    return [row for row in rows if row["lesson"] not in stale]


def load_runs(name: str) -> Runs:
    """The speed runs of docs/results/NAME. Leaves out runs of older sources, except in beyond/, where edits are small. Such
    a run has "earlier" set, and tables mark it."""
    data = read(name)
    rows = data["runs"] if data else []
    now = current_rows(name, rows)
    present = {run["lesson"] for run in now}
    now += [{**run, "earlier": True} for run in rows
            if run["lesson"] not in present and run["lesson"].startswith("beyond/")]
    return {(run["lesson"], run["M"], run["N"], run["K"], run["beta"]): run for run in now}


def load_profile(name: str = "profile-h200.json") -> Dict[str, Dict[str, float]]:
    """The measured values of docs/results/NAME: {lesson: {key: value}}."""
    data = read(name)
    return {row["lesson"]: {key: value for key, value in row["values"].items() if value is not None}
            for row in (current_rows(name, data["lessons"]) if data else [])}


def number(value: float) -> str:
    """Three significant digits, without an exponent."""
    digits = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 1 else 3
    return f"{value:.{digits}f}" if value >= 0.1 or value == 0 else f"{value:.2g}"


def speed(value: float) -> str:
    """TFLOP/s as by number(), but with two decimals below 1."""
    return number(value) if value >= 1 else f"{value:.2f}"


def best(run: Run) -> Optional[float]:
    """TFLOP/s of the best of cuBLAS in the same process, or of cuBLAS's own choice if only that was timed."""
    return run.get("best_tflops") or run.get("baseline_tflops")


def share(run: Optional[Run]) -> Optional[float]:
    """Speed as a share of best(), None if cuBLAS was not timed."""
    against = best(run) if run else None
    return run["tflops"] / against if run and against else None


def share_of_choice(run: Run) -> Optional[float]:
    """Speed as a share of cuBLAS's own choice of kernel."""
    return run["tflops"] / run["baseline_tflops"] if run.get("baseline_tflops") else None


def percent(part: Optional[float], missing: str = "–") -> str:
    if part is None:
        return missing
    return f"{100 * part:.0f} %" if 0.1 <= part < 0.95 or part >= 1.05 else f"{100 * part:.1f} %"


def short(name: str) -> str:
    """A lesson's name without its folder."""
    return name.split("/")[-1]


def size_title(size: Any) -> str:
    return f"{size[0]}³" if len(set(size)) == 1 else " × ".join(map(str, size))


def wrapped(text: str) -> str:
    """A paragraph of Markdown in lines of at most 118 columns. No line begins like a list or a heading."""
    lines: List[str] = []
    for word in text.split():
        glued = re.match(r"([-+*]|#+|=+|\d+[.)])$|[>|]", word)
        if lines and len(lines[-1]) + 1 + len(word) <= 118:
            lines[-1] += " " + word
        elif lines and glued:
            lines[-1], _, last = lines[-1].rpartition(" ")
            lines.append(last + " " + word)
        else:
            lines.append(word)
    return "\n".join(lines) + "\n"


def image(description: str, target: pathlib.Path, page: pathlib.Path) -> str:
    """A picture with its description, in Markdown for a page."""
    description = re.sub(r"([\[\]\\])", r"\\\1", description)
    return wrapped(f"![{description}]({link(target, page)})")


def link(target: pathlib.Path, page: pathlib.Path) -> str:
    return os.path.relpath(target, page.parent).replace(os.sep, "/")


def table(head: List[str], rows: List[List[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines).replace("| --- ", "|---").replace(
        "|--- |", "|---|")
