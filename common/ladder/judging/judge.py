"""Runs what was built of a practice file or a reference edit, and judges it by counts and by the suite."""
import json
import os
import pathlib
import re
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence

from ladder import (MACHINE, ROOT, below, check_status, colour, die, first_lines, lesson_source, program,
                    run_with_estimate)
from ladder.explaining.widths import widths
from ladder.lessons.arrays import knobs
from ladder.judging.figures import Figures, Unknown, evaluate, problem, text
from ladder.judging.files import read, told

CLIMB = json.loads(pathlib.Path(__file__).with_name("climb.json").read_text(encoding="utf-8"))
SIZES = (256, 256, 256)
_SLACK = 1e-3  # relative: counts that differ by less are as good
_FINDING = re.compile(r"gemm\.cu:(\d+): (.*)")


def no_climb(name: str) -> str:
    """Why there is no climb to a lesson."""
    if not below(name):
        return "%s is the first rung: there is nothing below it to climb from" % name
    if not (pathlib.Path(__file__).parent / "exercises" / (name[:2] + ".json")).exists():
        return "%s has no task yet in common/ladder/judging/climb.json" % name
    return "the climbs end with %s; exercises of %s: ./ladder check %s.1" % (max(CLIMB), name, name[:2])


class Verdict(NamedTuple):
    """One condition: whether it holds, and in words what was found."""
    holds: bool
    words: str


def count(name: str, target: str, source: pathlib.Path, words: Sequence[object] = SIZES,
          others: Optional[Mapping[str, Callable[[], Figures]]] = None) -> Figures:
    """Figures of explain.TARGET, run once with words: M, N, K and options. name: in the progress."""
    path = program("explain." + target)
    fuse, _ = widths(read(source), target)
    os.environ.pop("SIMT_MULTIPROCESSORS", None)  # counts are those of the usual number
    run = run_with_estimate(path, [*map(str, words), *fuse], "counting " + name, 0.0)
    found = [(int(line), re.sub(r"[^\s:]*/gemm\.cu", "gemm.cu", words))
             for line, words in _FINDING.findall(run.errors)]
    if not found:
        check_status(run, path)
        if run.status == 2 or not run.result:
            die(MACHINE, "\n".join(["%s was not counted:" % name, *first_lines(run.errors, 8)]))
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


def as_good(values: Figures, wanted: Figures, conditions: List[Dict[str, Any]],
            whose: str) -> List[Verdict]:
    """Counts beside those of the lesson that is the aim."""
    verdicts = []
    for each in conditions:
        more = each.get("better") == "more"
        try:
            have, want = evaluate(each["from"], values), evaluate(each["from"], wanted)
        except Unknown as error:
            verdicts.append(Verdict(False, "%s: %s" % (each["name"], error)))
            continue
        limit = want * (1 - _SLACK) if more else want * (1 + _SLACK)
        holds = have >= limit if more else have <= limit
        verdicts.append(Verdict(holds, "%s: %s, %s has %s" %
                                (each["name"], text(have), whose, text(want))))
    return verdicts


def climbs(lesson: str, values: Figures, wanted: Figures) -> List[Verdict]:
    """Whether counts are those of a lesson's idea."""
    return as_good(values, wanted, CLIMB[lesson]["counts"], "lesson " + lesson[:2])


def aims(lesson: str) -> List[str]:
    """A line for each count of a lesson: what it has and what the one before has, from runs."""
    new, old = (count(each, each, lesson_source(each)) for each in (lesson, below(lesson)))
    return ["%s: %s %s, now %s" %
            (each["name"], "at least" if each.get("better") == "more" else "at most",
             text(evaluate(each["from"], new)), _or_none(each["from"], old))
            for each in CLIMB[lesson]["counts"]]


def _or_none(expression: str, figures: Figures) -> str:
    try:
        return text(evaluate(expression, figures))
    except Unknown:
        return "none"


def dearest(name: str, figures: Figures, source: pathlib.Path) -> List[str]:
    """The line that costs most, by the sectors and wavefronts that its requests take."""
    best, most = None, 0
    for line in figures.explained.get("lines", []):
        sectors = sum(line.get(kind, {}).get("sectors", 0)
                      for kind in ("global_load", "async_load", "global_store", "global_atomic"))
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
        print("  %s %s" % (colour("holds:", "green") if each.holds else colour("fails:", "red"), each.words))
    return all(each.holds for each in verdicts)
