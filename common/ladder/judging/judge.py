"""Runs a practice file or a reference edit on the CPU backend and judges it by its counts."""
import json
import os
import pathlib
import re
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from ladder import MACHINE, ROOT, WRONG, below, check_status, die, first_lines, program, run_with_estimate
from ladder.explaining.source import GLOBAL
from ladder.explaining.widths import widths
from ladder.judging import local_arrays, telling
from ladder.judging.figures import Figures, Unknown, Value, evaluate, problem, text
from ladder.judging.files import read, with_practice_path
from ladder.judging.telling import Verdict
from ladder.lessons.arrays import knobs
from ladder.lib.work import LIMIT

_DATA = json.loads(pathlib.Path(__file__).with_name("climb.json").read_text(encoding="utf-8"))
CLIMB, CONDITIONS = _DATA["climbs"], _DATA["conditions"]
SIZES = (256, 256, 256)
_SLACK = 1e-3  # relative tolerance for counts


def no_climb(name: str) -> str:
    """Why there is no climb to a lesson."""
    if not below(name):
        return "%s is the first lesson: there is none before it to climb from" % name
    return "%s has no task yet in common/ladder/judging/climb.json" % name


def requires(lesson: str) -> List[str]:
    """The names of a climb's conditions: the lesson's ideas, then the improvements of earlier lessons that it keeps."""
    return [*CLIMB[lesson]["idea"], *CLIMB[lesson].get("keeps", [])]


def following(lesson: str) -> str:
    """The next climb; "" after the last."""
    names = [*CLIMB, ""]
    return names[names.index(lesson) + 1]


def count(name: str, target: str, source: pathlib.Path, arguments: Sequence[object] = SIZES,
          others: Optional[Mapping[str, Callable[[], Figures]]] = None) -> Figures:
    """The figures of one run of explain.TARGET. arguments: M, N, K, options and perhaps a number of multiprocessors, as
    in "on=2". name: for the progress."""
    path = program("explain." + target)
    fuse, _ = widths(read(source), target)
    os.environ.pop("SIMT_MULTIPROCESSORS", None)  # the default number, unless "on=" sets another
    cards = ["SIMT_MULTIPROCESSORS=" + str(word)[3:] for word in arguments if str(word).startswith("on=")]
    options = [*(str(word) for word in arguments if not str(word).startswith("on=")), *fuse]
    command = ["env", *cards, str(path), *options] if cards else [str(path), *options]
    run = run_with_estimate(pathlib.Path(command[0]), command[1:], "counting " + name, 0.0, limit=LIMIT)
    errors = [each for each in run.found if not each.get("note")]
    if not errors:
        check_status(run, path)
        if run.status == 2 or not run.result:
            die(WRONG if run.status == WRONG else MACHINE,
                "\n".join(["%s could not be counted:" % name, *first_lines(run.errors, 8)]))
    first = errors[0] if errors else {}
    rest: Dict[str, Any] = {
        **problem(arguments),
        "outcome": "error" if first else "right" if run.status == 0 else "wrong",
        "line": _line_of(first.get("here", {})),
        "other_line": _line_of(first.get("other", {})),
        "finding": re.sub(r"[^\s:]*/gemm\.cu", "gemm.cu", first["text"]) if first else
        run.errors.strip().partition(": ")[2]}
    figures = Figures(run.result, knobs(read(source), str(run.result.get("kernel", ""))), rest, {
        "local": lambda: Figures({}, {}, {"arrays": local_arrays.in_local_memory(source)}), **(others or {})})
    figures.error = first
    return figures


def _line_of(place: Mapping[str, Any]) -> float:
    """The line of gemm.cu, which may call a function of a header; 0 if there is none."""
    places = place, place.get("call", {})
    return next((float(each["line"]) for each in places if each.get("file", "").endswith("gemm.cu")), 0.0)


def whole_sizes(source: str) -> List[int]:
    """M, N and K for which all tiles of a source are whole: at least 128, 128 and 512, so that there are several."""
    known = knobs(source, "")
    return [-(-least // tile) * tile for least, tile in
            ((128, known.get("BM", 256)), (128, known.get("BN", 256)), (512, known.get("BK", 64)))]


def climbs(lesson: str, source: str, run: Callable[[Sequence[object]], Figures]) -> List[Verdict]:
    """The verdicts on a source for each condition of requires(). run: runs it with sizes and options. Ends the command
    if a run has an error."""
    runs: Dict[Tuple[object, ...], Figures] = {}
    verdicts = []
    for name in requires(lesson):
        each = CONDITIONS[name]
        arguments = (*each.get("sizes", whole_sizes(source)), "--probe",
                 *(["on=%d" % each["multiprocessors"]] if "multiprocessors" in each else []))
        if arguments not in runs:
            runs[arguments] = run(arguments)
            if runs[arguments].error:
                die(WRONG, "practice/%s fails at larger sizes: %s" % (lesson, runs[arguments].get("finding")))
        found = _verdict(each, runs[arguments], "practice/%s/gemm.cu" % lesson, source)
        verdicts.append(found._replace(idea=name in CLIMB[lesson]["idea"]))
    return verdicts


def _verdict(condition: Dict[str, Any], figures: Figures, path: str, source: str) -> Verdict:
    arrays = condition.get("of") or condition.get("of one") or [""]
    found: Dict[str, Value] = {}
    for array in arrays:
        try:
            found[array] = evaluate(_of(condition["from"], array), figures)
        except Unknown as error:
            return Verdict(False, "%s (%s)" % (condition["aim"], error))
    short = [array for array in arrays if not _reaches(condition, found[array])]
    bad = [array for array in short if not _reaches(condition, found[array], "accept")]
    if "of one" in condition and len(bad) < len(arrays):
        short = bad = []
    where = [line for array in short for line in _responsible(condition, array, figures, path, source)]
    if "is" in condition and short:
        at = local_arrays.declared_at(source, str(found[""]))
        where = _line(at, path, source)
    return Verdict(not bad, _sentence(condition, found, short), tuple(where), bool(short))


def _reaches(condition: Dict[str, Any], value: Value, limit: str = "") -> bool:
    """Whether a value meets a condition, or with "accept" is enough to pass."""
    if "is" in condition:
        return value in condition["is"] or (limit in condition and str(value).startswith(condition[limit]))
    bound = "at most" if "at most" in condition else "at least"
    if limit and limit not in condition:
        return False
    slack = condition[limit or bound] * _SLACK
    return float(value) <= condition[limit or bound] + slack if bound == "at most" else \
        float(value) >= condition[limit or bound] - slack


def _of(expression: str, array: str) -> str:
    return re.sub(r"\bX\b", array, expression)


def _sentence(condition: Dict[str, Any], found: Dict[str, Value], short: Sequence[str]) -> str:
    """A sentence with the values found for the arrays: the worst first, with the value needed."""
    first, *others = sorted(found, key=lambda array: array not in short)
    sentence = "%s: " % first if first else ""
    sentence += re.sub(r"\{(\w*|%)\}", lambda place: _said(found[first], place[1]), condition["say"])
    kind = re.findall(r"\{(\w*|%)\}", condition["say"])[0]
    sentence += " (need %s)" % condition["need"] if short else ""
    return "; ".join([sentence, *("%s: %s" % (array, _said(found[array], kind)) for array in others)])


def _said(value: Value, kind: str) -> str:
    """A value in words: as it is, in percent, as a number of times, or as an n-way bank conflict."""
    if isinstance(value, str):
        return value
    if kind == "%":
        return "%s %%" % text(round(100 * value, 1))
    if kind == "ways":
        number = text(round(value, 1))
        one = "%s %s-way" % ("an" if number[0] == "8" else "a", number) if value >= 1.2 else "no"
        return one + " bank conflict"
    if kind == "times":
        return {1: "once", 2: "twice"}.get(round(value, 2), text(value) + " times")
    return text(value)


def _responsible(condition: Dict[str, Any], array: str, figures: Figures, path: str, source: str) -> List[str]:
    """The line of the source that contributes most to an unmet condition, if any does."""
    if "line" not in condition:
        return []
    amounts = {line: float(evaluate(_of(condition["line"], array), part))
               for line, part in figures.by_line().items()}
    own = [line for line in amounts if 0 < line <= len(source.splitlines())]
    most = max(own, key=lambda line: amounts[line], default=0)
    return _line(most, path, source) if most and amounts[most] > 0 else []


def _line(number: int, path: str, source: str) -> List[str]:
    return ["%s:%d: %s" % (path, number, source.splitlines()[number - 1].strip())] if number else []


def aims(lesson: str) -> List[str]:
    """A line for each condition that a run of a lesson must meet."""
    keeps = CLIMB[lesson].get("keeps", [])
    return [*(CONDITIONS[each]["aim"] for each in CLIMB[lesson]["idea"]),
            *("As before: " + CONDITIONS[each]["aim"] for each in keeps)]


def ideas_there(verdicts: Sequence[Verdict]) -> Tuple[int, int]:
    """How many of a lesson's ideas are fully there, and how many it has."""
    ideas = [each for each in verdicts if each.idea]
    return sum(each.kind == "holds" for each in ideas), len(ideas)


def dearest(name: str, figures: Figures, source: pathlib.Path) -> List[str]:
    """The line that costs most, by the sectors and wavefronts of its requests."""
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
    costs = " and ".join("%s %s" % (text(value), unit) for value, unit in
                         ((sectors, "sectors"), (waves, "wavefronts")) if value)
    place = with_practice_path(name, os.path.relpath(source, ROOT))
    return ["costs most: %s:%d, %s at %d³" % (place, number, costs, SIZES[0]),
            "    " + (lines[number - 1].strip() if 0 < number <= len(lines) else "")]


def show(verdicts: Sequence[Verdict]) -> bool:
    """Reports each verdict, with one line for all improvements that are kept; True if all hold."""
    kept = [each for each in verdicts if each.kind == "holds" and not each.idea]
    joined = len(kept) if any(each.idea for each in verdicts) else 0
    for each in verdicts:
        if not joined or each not in kept:
            telling.to.verdict(each)
    if joined:
        telling.to.verdict(Verdict(True, "improvements of earlier lessons are kept: %s of %d" % (
            "all" if joined == sum(not each.idea for each in verdicts) else joined,
            sum(not each.idea for each in verdicts))))
    return all(each.holds for each in verdicts)
