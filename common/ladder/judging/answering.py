"""What helps with an exercise: hints, the command that shows a number, and the answers."""
import re
import textwrap
from typing import Any, Dict, List, Mapping, Sequence

from ladder import ROOT, USAGE, die
from ladder.explaining.text import LABELS
from ladder.judging import compiled, files
from ladder.judging.edited import accepted
from ladder.judging.exercises import Exercise, written_answer
from ladder.lessons.edits import parse_edits

_LAUNCH = ("blocks", "threads", "shared_bytes")


def is_outcome(question: Mapping[str, Any]) -> bool:
    """Whether a question asks how a run ends, of the reference edit or of another."""
    return str(question["from"]).rpartition(".")[2] == "outcome"


def command(exercise: Exercise, question: Mapping[str, Any]) -> str:
    """What a learner types to see a number; "" where nothing shows it and one has to count."""
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
    """Where in explain's report a number stands; "" where it cannot be told in a word."""
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
    """A line for each command that shows some of the questions' numbers."""
    found: Dict[str, List[str]] = {}
    for each in questions:
        words = command(exercise, each)
        if words:
            where = place(each) if "explain" in words else ""
            found.setdefault(words, []).extend([where] if where else [])
    return ["  %s%s" % (words, "  (%s)" % "; ".join(dict.fromkeys(places)) if places else "")
            for words, places in found.items()]


def _hints(exercise: Exercise, questions: Sequence[Mapping[str, Any]]) -> List[str]:
    """The hints to questions, in order; the last one is what shows their numbers."""
    hints = [str(each.get("hint") or exercise.data.get("hint", "")) for each in questions]
    commands = shown_by(exercise, questions)
    if commands:
        when = "once %s is edited" % files.shown_path(exercise.id) if exercise.judged else "without any edit"
        hints.append("\n".join([when + ", this shows it:", *commands]))
    return [hint for hint in dict.fromkeys(hints) if hint]


def given(exercise: Exercise) -> List[str]:
    """The hints that a learner has had."""
    known = files.state(exercise.id).get("given")
    return list(map(str, known)) if isinstance(known, list) else []


def hint(exercise: Exercise, another: bool) -> List[str]:
    """One hint to what is not right yet, in lines: the one given last, or another; after the last the first."""
    left = exercise.left()
    all_of, before = _hints(exercise, left or exercise.asked), given(exercise)
    fresh, had = [each for each in all_of if each not in before], [each for each in before if each in all_of]
    if not all_of:
        return []
    one = had[-1] if had and not another else (fresh or all_of)[0]
    now = [*(each for each in before if each != one), one] if fresh or not another else [one]
    files.remember(exercise.id, given=now, hint=len(now))
    words, *commands = one.split("\n")
    lines = [textwrap.fill("hint %d of %d: %s" % (all_of.index(one) + 1, len(all_of), words), 100,
                           subsequent_indent="    ", break_on_hyphens=False), *commands]
    more = any(each not in now for each in all_of)
    return lines + (["    the next one: ./ladder check %s --hint" % exercise.id] if more else [])


def show_answer(exercise: Exercise) -> None:
    """Prints the answers as the README has them, the edit, and what shows them."""
    answer = written_answer(exercise)
    if not answer:
        die(USAGE, "%s has no answer to exercise %s" % (exercise.readme.relative_to(ROOT), exercise.id))
    for at, name in enumerate(accepted(exercise) if exercise.judged and "```diff" not in answer else []):
        print("or:" if at else "The edit:")
        print(textwrap.indent("\n".join(map(str, parse_edits(exercise.edit(name)))), "  ") + "\n")
    print(re.sub(r"\*\*|```\w*\n?", "", answer).strip())
    commands = shown_by(exercise, exercise.asked)
    if commands:
        print("\n".join(["\nWhat shows it%s:" % (", with the edit" if exercise.judged else ""), *commands]))
