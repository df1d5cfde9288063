"""Runs what was built of a practice file or a reference edit, and judges it by counts and by the suite."""
import json
import os
import pathlib
import re
import textwrap
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from ladder import MACHINE, ROOT, WRONG, below, check_status, colour, die, first_lines, program, run_with_estimate
from ladder.explaining.source import GLOBAL
from ladder.explaining.widths import widths
from ladder.lessons.arrays import knobs
from ladder.judging.figures import Figures, Unknown, Value, evaluate, problem, text
from ladder.judging.files import read, told
from ladder.lib.work import LIMIT

_DATA = json.loads(pathlib.Path(__file__).with_name("climb.json").read_text(encoding="utf-8"))
CLIMB, CONDITIONS = _DATA["climbs"], _DATA["conditions"]
SIZES = (256, 256, 256)
_SLACK = 1e-3  # relative: counts that differ by less are as good
_FINDING = re.compile(r"gemm\.cu:(\d+): (.*)")


def no_climb(name: str) -> str:
    """Why there is no climb to a lesson."""
    if not below(name):
        return "%s is the first rung: there is nothing below it to climb from" % name
    return "%s has no task yet in common/ladder/judging/climb.json" % name


class Verdict(NamedTuple):
    """One condition: whether it holds, in words what was found, and lines of the source to blame."""
    holds: bool
    words: str
    where: Tuple[str, ...] = ()


def count(name: str, target: str, source: pathlib.Path, words: Sequence[object] = SIZES,
          others: Optional[Mapping[str, Callable[[], Figures]]] = None) -> Figures:
    """Figures of explain.TARGET, run once with words: M, N, K and options, and perhaps a number of multiprocessors as
    in "on=2". name: in the progress."""
    path = program("explain." + target)
    fuse, _ = widths(read(source), target)
    os.environ.pop("SIMT_MULTIPROCESSORS", None)  # counts are those of the usual number, unless words tell another
    cards = ["SIMT_MULTIPROCESSORS=" + str(word)[3:] for word in words if str(word).startswith("on=")]
    arguments = [*(str(word) for word in words if not str(word).startswith("on=")), *fuse]
    command = ["env", *cards, str(path), *arguments] if cards else [str(path), *arguments]
    run = run_with_estimate(pathlib.Path(command[0]), command[1:], "counting " + name, 0.0, limit=LIMIT)
    found = [(int(line), re.sub(r"[^\s:]*/gemm\.cu", "gemm.cu", words))
             for line, words in _FINDING.findall(run.errors)]
    if not found:
        check_status(run, path)
        if run.status == 2 or not run.result:
            die(WRONG if run.status == WRONG else MACHINE,
                "\n".join(["%s was not counted:" % name, *first_lines(run.errors, 8)]))
    rest: Dict[str, Any] = {
        **problem(words),
        "outcome": "error" if found else "right" if run.status == 0 else "wrong",
        "line": float(found[0][0]) if found else 0.0,
        "finding": found[0][1] if found else run.errors.strip().partition(": ")[2]}
    other = re.search(r" at gemm\.cu:(\d+)", rest["finding"])
    rest["other_line"] = float(other[1]) if other else 0.0
    for name_of, verb in (("reading", " reads "), ("writing", " writes ")):
        rest[name_of] = next((words for _, words in found if verb in words), "")
    return Figures(run.result, knobs(read(source), str(run.result.get("kernel", ""))), rest, others)


def whole_sizes(source: str) -> List[int]:
    """M, N and K of which all tiles of a source are whole: at least 128, 128 and 512, so that there are several."""
    known = knobs(source, "")
    return [-(-least // tile) * tile for least, tile in
            ((128, known.get("BM", 256)), (128, known.get("BN", 256)), (512, known.get("BK", 64)))]


def climbs(lesson: str, source: str, run: Callable[[Sequence[object]], Figures]) -> List[Verdict]:
    """Whether a source does what is the idea of a lesson. run: runs it with words (sizes and options)."""
    runs: Dict[Tuple[object, ...], Figures] = {}
    verdicts = []
    for each in map(CONDITIONS.__getitem__, CLIMB[lesson]["requires"]):
        words = (*each.get("sizes", whole_sizes(source)), "--probe",
                 *(["on=%d" % each["multiprocessors"]] if "multiprocessors" in each else []))
        if words not in runs:
            runs[words] = run(words)
        verdicts.append(_verdict(each, runs[words], "practice/%s/gemm.cu" % lesson, source))
    return verdicts


def _verdict(condition: Dict[str, Any], figures: Figures, path: str, source: str) -> Verdict:
    arrays = condition.get("of") or condition.get("of one") or [""]
    found, bad = [], []
    for array in arrays:
        try:
            value = evaluate(_of(condition["from"], array), figures)
        except Unknown as error:
            return Verdict(False, "%s: %s" % (condition["name"], error))
        found.append(("%s %s" % (array, text(value))).strip())
        if not _reaches(condition, value):
            bad.append(array)
    holds = len(bad) < len(arrays) if "of one" in condition else not bad
    words = "%s: %s; wanted: %s" % (condition["name"], ", ".join(found), _wanted(condition))
    return Verdict(holds, words, () if holds else tuple(
        line for array in bad for line in _responsible(condition, array, figures, path, source)))


def _reaches(condition: Dict[str, Any], value: Value) -> bool:
    if "at most" in condition:
        return float(value) <= condition["at most"] * (1 + _SLACK)
    return float(value) >= condition["at least"] * (1 - _SLACK)


def _of(words: str, array: str) -> str:
    return re.sub(r"\bX\b", array, words)


def _wanted(condition: Dict[str, Any]) -> str:
    word = "at most" if "at most" in condition else "at least"
    return "%s %s%s" % (word, text(condition[word]), ", of A or of B" if "of one" in condition else "")


def _responsible(condition: Dict[str, Any], array: str, figures: Figures, path: str, source: str) -> List[str]:
    """The line of the source that has most of what is too much, or is lacking; none where no line has any."""
    if "line" not in condition:
        return []
    amounts = {line: float(evaluate(_of(condition["line"], array), part))
               for line, part in figures.by_line().items()}
    lines = source.splitlines()
    most = max((line for line in amounts if 0 < line <= len(lines)), key=lambda line: amounts[line], default=0)
    if not most or amounts[most] <= 0:
        return []
    return ["%s:%d: %s" % (path, most, lines[most - 1].strip())]


def aims(lesson: str) -> List[str]:
    """A line for each thing that a run of a lesson has to do."""
    return ["%s%s: %s" % (each["name"], ", of A and of B" if len(each.get("of", [])) == 2 else "", _wanted(each))
            for each in map(CONDITIONS.__getitem__, CLIMB[lesson]["requires"])]


def dearest(name: str, figures: Figures, source: pathlib.Path) -> List[str]:
    """The line that costs most, by the sectors and wavefronts that its requests take."""
    best, most = None, 0
    for line in figures.explained.get("lines", []):
        sectors = sum(line.get(kind, {}).get("sectors", 0) for kind in GLOBAL)
        fused = [line.get("fused_" + kind) or line.get("shared_" + kind, {}) for kind in ("load", "store")]
        waves = sum(each.get("wavefronts", 0) for each in [
            *fused, *(line.get(kind, {}) for kind in ("matrix_load", "async_store", "shared_atomic"))])
        if sectors + waves > most:
            best, most = (line["line"], sectors, waves), sectors + waves
    if not best:
        return []
    number, sectors, waves = best
    lines = read(source).splitlines()
    words = " and ".join("%s %s" % (text(value), unit) for value, unit in
                         ((sectors, "sectors"), (waves, "wavefronts")) if value)
    place = told(name, os.path.relpath(source, ROOT))
    return ["costs most: %s:%d, %s at %d³" % (place, number, words, SIZES[0]),
            "    " + (lines[number - 1].strip() if 0 < number <= len(lines) else "")]


def show(verdicts: Sequence[Verdict]) -> bool:
    """Prints a line for each condition; True if all hold."""
    for each in verdicts:
        words = textwrap.fill(each.words, 92, subsequent_indent=" " * 11, break_on_hyphens=False)
        print("  %s %s" % (colour("holds:", "green") if each.holds else colour("fails:", "red"), words))
        for line in dict.fromkeys(each.where):
            print("    " + line)
    return all(each.holds for each in verdicts)
