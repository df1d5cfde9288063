"""Help with an exercise: hints, the commands that show the numbers, and the answers."""
import re
import textwrap
from typing import Any, Dict, List, Mapping, Sequence

from ladder import ROOT, USAGE, die
from ladder.explaining.text import LABELS
from ladder.judging import compiled, files, telling
from ladder.judging.edited import accepted
from ladder.judging.exercises import Exercise, written_answer
from ladder.lessons.edits import parse_edits

_LAUNCH = ("blocks", "threads", "shared_bytes")


def is_outcome(question: Mapping[str, Any]) -> bool:
    """Whether a question asks how a run ends, with the reference edit or another one."""
    return str(question["from"]).rpartition(".")[2] == "outcome"


def command(exercise: Exercise, question: Mapping[str, Any]) -> str:
    """The command that shows a number; "" if none does and the learner has to calculate it."""
    source = str(question["from"])
    if re.search(r"\bnvcc\.", source):
        return "nvcc %s -I../.. -Xptxas -v -cubin gemm.cu" % " ".join(compiled.FLAGS)
    if re.search(r"\bptx\.", source):
        return r"nvcc %s -I../.. -ptx gemm.cu; grep -c 'ld\.shared' gemm.ptx" % " ".join(compiled.FLAGS)
    names = re.findall(r"[A-Za-z_][\w.]*", source)
    if not exercise.built or all(name.startswith(("knob.", "before.knob.")) for name in names):
        return ""
    both = {**exercise.data, **question}
    runs = is_outcome(question) or source in ("line", "other_line")
    return " ".join(map(str, ["./ladder", "run" if runs else "explain",
                              exercise.id if exercise.judged else exercise.lesson[:2],
                              *both.get("sizes", []), *both.get("options", [])]))


def place(question: Mapping[str, Any]) -> str:
    """Where explain's report shows a number; "" if there is no short name for the place."""
    source = str(question["from"])
    totals = []
    for key in re.findall(r"\btotal\.(\w+)", source):
        group = LABELS.get(re.sub("_(?:sectors|wavefronts)$", "_requests", key), "")
        label = LABELS.get(key, "")
        totals.append(group.rpartition(":")[0] + ":" + label[1:] if label.startswith(" ") else label)
    if any(totals):
        return "Totals, " + " / ".join(dict.fromkeys(totals))
    if re.search(r"\b[ABC]\.global", source):
        return "Diagnosis"
    if re.search(r"\b(?:shared|fused|matrix|async)_(?:load|store)\.", source):
        return "the line of the code"
    return "the first line" if re.search(r"\b(?:%s)\b" % "|".join(_LAUNCH), source) else ""


def shown_by(exercise: Exercise, questions: Sequence[Mapping[str, Any]]) -> List[str]:
    """A line for each command that shows numbers of the questions."""
    found: Dict[str, List[str]] = {}
    for each in questions:
        line = command(exercise, each)
        if line:
            where = place(each) if "explain" in line else ""
            found.setdefault(line, []).extend([where] if where else [])
    return ["  %s%s" % (line, "  (%s)" % "; ".join(dict.fromkeys(places)) if places else "")
            for line, places in found.items()]


def _hints(exercise: Exercise, questions: Sequence[Mapping[str, Any]]) -> List[str]:
    """The hints to questions, in order; the last one lists the commands that show the numbers."""
    hints = [str(each.get("hint") or exercise.data.get("hint", "")) for each in questions]
    commands = shown_by(exercise, questions)
    if commands:
        hints.append("\n".join(["this shows it%s:" % (
            " once you have edited %s" % files.shown_path(exercise.id) if exercise.judged else ", without any edit"),
            *commands]))
    return [hint for hint in dict.fromkeys(hints) if hint]


def given(exercise: Exercise) -> List[str]:
    """The hints that a learner had."""
    known = files.state(exercise.id).get("given")
    return list(map(str, known)) if isinstance(known, list) else []


def hint(exercise: Exercise, another: bool) -> List[str]:
    """One hint to a part that is not right yet, in lines: the last one given, or another; after the last, the first."""
    left = exercise.left()
    all_of, before = _hints(exercise, left or exercise.asked), given(exercise)
    fresh, had = [each for each in all_of if each not in before], [each for each in before if each in all_of]
    if not all_of:
        return []
    one = had[-1] if had and not another else (fresh or all_of)[0]
    now = [*(each for each in before if each != one), one] if fresh or not another else [one]
    files.remember(exercise.id, given=now, hint=len(now))
    sentence, *commands = one.split("\n")
    lines = [textwrap.fill("hint %d of %d: %s" % (all_of.index(one) + 1, len(all_of), sentence), 100,
                           subsequent_indent="    ", break_on_hyphens=False), *commands]
    return lines


def show_hint(exercise: Exercise, another: bool) -> bool:
    """Prints a hint(), and how to get the next one; False if there is none."""
    lines = hint(exercise, another)
    print("\n".join(lines), end="\n" if lines else "")
    if any(each not in given(exercise) for each in _hints(exercise, exercise.left() or exercise.asked)):
        telling.to.more_help("for the next one: ./ladder check %s --hint" % exercise.id)
    return bool(lines)


def show_answer(exercise: Exercise) -> None:
    """Prints the answers from the README, the edit, and the commands that show them."""
    answer = written_answer(exercise)
    if not answer:
        die(USAGE, "%s has no answer to exercise %s" % (exercise.readme.relative_to(ROOT), exercise.id))
    for at, name in enumerate(accepted(exercise) if exercise.judged and "```diff" not in answer else []):
        print("or:" if at else "The edit:")
        print(textwrap.indent("\n".join(map(str, parse_edits(exercise.edit(name)))), "  ") + "\n")
    print(re.sub(r"\*\*|```\w*\n?", "", answer).strip())
    commands = shown_by(exercise, exercise.asked)
    if commands:
        print("\n".join(["\nTo see it%s:" % (", with the edit" if exercise.judged else ""), *commands]))
