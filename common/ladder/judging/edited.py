"""Checks whether a learner's file does what an exercise asks, by comparing its runs with those of the reference edit.

Both run at the sizes of the questions, and at a size with no whole tile. Both must end alike: with a right result, with
the same wrong result, or with the same finding. If they have counts, all counts must be equal. An exercise with
conditions is checked by these instead of the counts. Figures of nvcc that it asks for must be equal, too. Only the
behaviour matters, not how the source is written.
"""
import re
from typing import Dict, List

from ladder import lesson_source
from ladder.judging import files
from ladder.judging.exercises import Exercise, Runs
from ladder.judging.figures import Figures, evaluate
from ladder.judging.telling import Verdict
from ladder.lessons.code import code_hash
from ladder.lessons.edits import parse_edits

_RAGGED = (97, 131, 65)  # no tile is whole
_COMPILED = re.compile(r"\b(?:nvcc|ptx)\.")


def accepted(exercise: Exercise) -> List[str]:
    """The edits that are accepted: the reference edit, "", and others that a question is about."""
    asked = [each["from"] for each in exercise.asked]
    return ["", *(name for name in exercise.data.get("more", {}) if any(name + "." in each for each in asked))]


def _counts(run: Figures) -> Dict[str, float]:
    """All counts of a run, by readable name."""
    found: Dict[str, float] = {}
    for number, launch in enumerate(run.explained["launches"], 1):
        of = " of kernel %d" % number if number > 1 else ""
        found.update({"blocks" + of: launch["blocks"], "threads of a block" + of: launch["threads"],
                      "bytes of shared memory" + of: launch["shared_bytes"]})
    found.update({key.replace("_", " "): value for key, value in run.explained["totals"].items()})
    for row in run.explained["arrays"]:
        for kind in [key for key in row if isinstance(row[key], dict)]:
            for figure, value in row[kind].items():
                name = "%s %s of %s" % (kind.replace("_", " "), figure, row["array"])
                found[name] = found.get(name, 0) + value
    return found


def _ends(mine: Figures, ours: Figures) -> str:
    """How the outcomes of two runs differ, without revealing the reference's; "" if they do not differ."""
    kind = ours.rest["outcome"]
    if mine.rest["outcome"] != kind:
        return "it ends differently: " + _ending(mine)
    if kind == "error" and _about(mine) != _about(ours):
        return "it reports a different error: " + _ending(mine)
    different = kind == "wrong" and mine.rest["finding"] != ours.rest["finding"]
    return "its result is wrong in a different way: " + _ending(mine) if different else ""


def _about(run: Figures) -> List[object]:
    """A run's error without its lines, threads and elements."""
    sides, element = (run.error.get("here", {}), run.error.get("other", {})), run.error.get("element", {})
    return [run.error.get("kind"), *(side.get("access") for side in sides), *map(element.get, ("space", "array", "bytes"))]


def _ending(run: Figures) -> str:
    """How a run ended, with its message."""
    if run.rest["outcome"] == "error":
        return "error: line %d, %s" % (float(run.rest["line"]), run.rest["finding"])
    return str(run.rest["finding"] or run.rest["outcome"])


def _differ(mine: Figures, ours: Figures) -> str:
    """How two runs differ, in outcome or counts."""
    why = _ends(mine, ours)
    if why or not (mine.explained and ours.explained):
        return why
    have, want = _counts(mine), _counts(ours)
    names = [name for name in {**want, **have} if have.get(name) != want.get(name)]
    return "its counts differ: " + ", ".join(names[:3]) + (" and more" if len(names) > 3 else "") if names else ""


def _beside(runs: Runs, name: str) -> List[Verdict]:
    """Compares the file with one edit."""
    exercise, verdicts = runs.exercise, []
    free = "conditions" in exercise.data
    trials = exercise.data.get("trials", [_RAGGED])
    all_arguments = [*(runs.arguments(each) for each in exercise.asked), *(list(map(str, each)) for each in trials)]
    for arguments in dict.fromkeys(map(tuple, all_arguments)) if exercise.built else []:
        mine, ours = runs.at(arguments), runs.reference(name, arguments)
        why = _ends(mine, ours) if free else _differ(mine, ours)
        if why and not _differ(mine, runs.reference("before", arguments)):
            why = "it behaves like the unedited lesson"
        verdicts.append(Verdict(not why, "at %s: %s" % (" ".join(arguments), why or (
            "it ends " + str(mine.rest["outcome"]) if free else "it behaves like the requested edit"))))
    asked_for = [edit.knob for edit in parse_edits(exercise.edit(name))]
    if exercise.built and all(asked_for):  # the edit only sets constants, so compare them
        mine, ours = runs.figures({}).knobs, runs.reference(name, runs.arguments({})).knobs
        verdicts[:0] = [Verdict(False, "%s is %s, which is not the requested value" % (knob, mine.get(knob)))
                        for knob in asked_for if mine.get(knob) != ours.get(knob)]
    return verdicts if free else verdicts + _compiled(runs, name)


def _compiled(runs: Runs, name: str) -> List[Verdict]:
    """Compares the figures of nvcc that questions about an edit ask for."""
    verdicts = []
    for each in runs.exercise.asked:
        prefix = name + "." if name else ""
        own = each["from"][len(prefix):]
        if each["from"].startswith(prefix) and _COMPILED.match(own):
            have, want = (evaluate(own, run) for run in (runs.figures(each), runs.reference(name, runs.arguments(each))))
            holds = have == want or not isinstance(have, str) and not isinstance(want, str) and \
                abs(have - want) <= each.get("within", 0) * want
            verdicts.append(Verdict(holds, "compiled with nvcc: %s %s" % (
                each["name"], "as expected" if holds else "not as expected")))
    return verdicts


def verdicts(runs: Runs) -> List[Verdict]:
    """The verdicts on the file of these runs, compared with the most similar edit. Raises Unknown."""
    if code_hash(files.read(runs.source)) == code_hash(files.read(lesson_source(runs.exercise.lesson))):
        return [Verdict(False, "its code is still the lesson's")]
    found = [_beside(runs, name) for name in accepted(runs.exercise)]
    best = max(found, key=lambda each: (all(one.holds for one in each), sum(one.holds for one in each)))
    more = "conditions" in runs.exercise.data and all(each.holds for each in best)
    return best + (runs.verdicts() if more else [])
