"""python3 docs/generate answers [LESSON...] [--check]: fills the answers of the exercises in the READMEs (by default all)
from runs of their reference edits. With --check it lists answers that differ from the runs and changes and builds nothing.
An answer lies between <!-- answer:NN.i --> and <!-- /answer -->. The data are in common/ladder/judging/exercises.
"""
import argparse
import difflib
import re
import sys
from typing import Dict, List, Sequence

from ladder import Stop, beyond, lesson, lesson_folder, lesson_source, lessons, replace_file
from ladder.judging.compiled import release
from ladder.judging.edited import accepted, verdicts
from ladder.judging.exercises import Exercise, Runs, build_reference, exercises, written_answer
from ladder.judging.figures import Unknown, text

from .results import ROOT

PLACE = re.compile(r"(<!-- answer:(\d\d\.\d+) -->\n)(.*?)(<!-- /answer -->)", re.S)
TITLE = re.compile(r"^\*\*(\d\d\.\d+)\*\* \[([^\]]*)\]", re.M)
TAGS = ("no GPU", "nvcc", "GPU")


def difference(exercise: Exercise) -> List[str]:
    """The reference edit as a diff without its head."""
    old = lesson_source(exercise.lesson).read_text(encoding="utf-8").splitlines()
    new = exercise.source().read_text(encoding="utf-8").splitlines()
    lines = list(difflib.unified_diff(old, new, n=0, lineterm=""))[2:]
    return [line for line in lines if not line.startswith("@@")]


def answer(exercise: Exercise) -> str:
    """The text between an exercise's markers: its numbers, from runs, and its explanation."""
    runs = Runs(exercise)
    lines = ["<details><summary>Answer</summary>", ""]
    if "conditions" in exercise.data:
        lines += ["```diff", *difference(exercise), "```", ""]
        asked = [each["name"] for each in exercise.asked]  # these follow
        found = [each.words for each in runs.verdicts()]
        lines += ["- " + words for words in found if words.partition(":")[0] not in asked] + [""]
    if exercise.asked:
        lines += ["- %s: **%s**" % (each["name"], text(value))
                  for each, value in zip(exercise.asked, runs.answers())] + [""]
    return "\n".join([*lines, runs.why(110), "", "</details>", ""])


def unfair(exercise: Exercise) -> List[str]:
    """Wrong verdicts on an exercise's edits. Right edits must pass. Wrong ones and the unedited lesson must not."""
    if not exercise.judged or not exercise.built and not release():
        return []
    edits = [("", True), *((name, True) for name in [*accepted(exercise)[1:], *exercise.data.get("alike", {})]),
             *((name, False) for name in exercise.data.get("wrong", {}))]
    runs = [(name or "the reference edit", Runs(exercise, exercise.target(name), exercise.source(name)), right)
            for name, right in edits]
    runs.append(("the lesson as it is", Runs(exercise, exercise.lesson, lesson_source(exercise.lesson)), False))
    faults = []
    for name, each, right in runs:
        found = verdicts(each)
        failed = [verdict.words for verdict in found if not verdict.holds]
        if right == bool(failed):
            faults.append("%s: %s %s" % (exercise.id, name, "fails: " + "; ".join(failed) if right else "passes"))
    return faults


def faults_of(name: str, readme: str, found: Sequence[Exercise]) -> List[str]:
    """Differences between a README and the data: exercises, tags, places for answers."""
    faults = []
    tags = dict(TITLE.findall(readme))
    places = [place[1] for place in PLACE.findall(readme)]
    for each in found:
        if tags.get(each.id) != each.tag:
            faults.append("exercise %s is [%s] here and [%s] in the data" % (each.id, tags.get(each.id), each.tag))
        if places.count(each.id) != 1:
            faults.append("exercise %s has %d places for its answer (need 1)" % (each.id, places.count(each.id)))
        if each.judged and not each.data.get("wrong"):
            faults.append("exercise %s has no wrong edit to test its verdict" % each.id)
        faults += ["exercise %s has no hint for '%s'" % (each.id, question["name"]) for question in each.asked
                   if not (question.get("hint") or each.data.get("hint"))]
        if each.tag not in TAGS:
            faults.append("exercise %s: unknown tag [%s]" % (each.id, each.tag))
    known = {each.id for each in found}
    faults += ["exercise %s is not in common/ladder/judging/exercises" % id for id in sorted({*tags, *places} - known)]
    if sum(each.tag == "no GPU" for each in found) < 3:
        faults.append("fewer than three exercises need no GPU")
    return ["%s/README.md: %s" % (lesson_folder(name), fault) for fault in faults]


def fill(name: str, found: Sequence[Exercise], faults: List[str], check: bool) -> str:
    """The README of a lesson with new answers. An exercise that cannot be run adds a fault."""
    answers: Dict[str, str] = {}
    for each in found:
        kept = re.search(r"nvcc ([\d.]+\d)", written_answer(each))
        if each.tag == "nvcc" and (not release() or check and kept and kept[1] != release()):
            continue  # keeps the figures of another nvcc
        try:
            answers[each.id] = answer(each)
            faults += unfair(each)
        except (Unknown, OSError) as error:
            faults.append("%s: %s" % (each.id, error))
        except Stop as stop:
            faults.append("%s: %s" % (each.id, stop.message))
    readme = (ROOT / lesson_folder(name) / "README.md").read_text(encoding="utf-8")
    faults += faults_of(name, readme, found)
    return PLACE.sub(lambda place: place[1] + answers.get(place[2], place[3]) + place[4], readme)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="docs/generate answers", description=__doc__, usage=argparse.SUPPRESS,
                                     formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("lessons", nargs="*", metavar="LESSON", help="all by default")
    parser.add_argument("--check", action="store_true", help="change nothing, report differences")
    options = parser.parse_args(arguments)
    faults: List[str] = []
    try:
        names = [lesson(word) for word in options.lessons] or [*lessons(), *beyond()]
        if not options.check:
            build_reference([each for each in exercises() if each.lesson in names], tests=True)
        for name in names:
            path = ROOT / lesson_folder(name) / "README.md"
            new = fill(name, [each for each in exercises() if each.lesson == name], faults, options.check)
            if new == path.read_text(encoding="utf-8"):
                continue
            if options.check:
                faults.append("%s/README.md: an answer differs from its run; "
                              "run python3 docs/generate answers %s" % (lesson_folder(name), name[:2]))
            else:
                replace_file(path, new)
                print("%s/README.md: filled" % lesson_folder(name))
    except Stop as stop:
        print("generate: " + stop.message, file=sys.stderr)
        return stop.code
    print("\n".join(faults), end="\n" if faults else "", file=sys.stderr)
    return 1 if faults else 0
