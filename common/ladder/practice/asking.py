"""./ladder check EXERCISE: asks for numbers, or judges an edit in practice/EXERCISE/gemm.cu."""
import sys
import textwrap
from typing import Any, List, Mapping, Sequence

from ladder import ROOT, USAGE, colour, die, need, shown
from ladder.practice import files
from ladder.practice.exercises import Exercise, Runs, build_reference, statement, written_answer
from ladder.practice.figures import Value, same, text
from ladder.practice.judge import Verdict, dearest, show, suite

_NEEDS = {"nvcc": "the CUDA toolkit", "GPU": "an NVIDIA GPU"}


def check(exercise: Exercise, words: Sequence[str], restart: bool) -> int:
    """0 if all is right, 1 if something is not."""
    files.need_unedited(exercise.lesson)
    asked = exercise.data.get("ask", [])
    if exercise.edits and not (words and asked):
        if words:
            die(USAGE, "exercise %s is an edit: it takes no numbers" % exercise.id)
        return judge(exercise, restart)
    if restart:
        die(USAGE, "exercise %s asks for numbers: there is no file to begin anew" % exercise.id)
    if not asked:
        if words:
            die(USAGE, "exercise %s needs %s: it takes no numbers" % (exercise.id, _NEEDS[exercise.tag]))
        return tell(exercise)
    if words and len(words) != len(asked):
        die(USAGE, "exercise %s asks for %d numbers (%s), not %d" %
            (exercise.id, len(asked), "; ".join(map(_question, asked)), len(words)))
    if not words and not sys.stdin.isatty():
        die(USAGE, "exercise %s asks for: %s; give them as words: ./ladder check %s%s" %
            (exercise.id, "; ".join(map(_question, asked)), exercise.id, " X" * len(asked)))
    need("test")
    if not words:
        show_statement(exercise)
        words = ask(asked)
    build_reference([exercise])
    runs = Runs(exercise)
    return compare(exercise, words, runs.answers(), runs.why(100))


def _question(asked: Mapping[str, Any]) -> str:
    choice = " (right, wrong or error)" if asked["from"] == "outcome" else ""
    return str(asked["name"]) + choice


def ask(asked: Sequence[Mapping[str, Any]]) -> List[str]:
    """Reads an answer to each question."""
    words = []
    for each in asked:
        print("%s? " % _question(each), end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            die(USAGE, "the input ended before all questions were answered")
        words.append(line.strip())
    return words


def compare(exercise: Exercise, words: Sequence[str], values: Sequence[Value], why: str) -> int:
    wrong = 0
    for each, word, value in zip(exercise.data["ask"], words, values):
        right = same(value, word, float(each.get("tolerance", 0.01)))
        wrong += not right
        print("  %s %s: %s" % (
            colour("right", "green") if right else colour("wrong", "red"), each["name"],
            text(value) if right else "%s, not %s" % (text(value), shown(word) or "nothing")))
    print("\n" + why)
    return 1 if wrong else 0


def show_statement(exercise: Exercise) -> None:
    for line in statement(exercise):
        print(textwrap.fill(line, 100, break_on_hyphens=False))
    print(flush=True)


def tell(exercise: Exercise) -> int:
    """An exercise that the CPU backend cannot judge: its answer as the README has it."""
    show_statement(exercise)
    print("This one needs %s; its answer:\n\n%s" %
          (_NEEDS[exercise.tag], written_answer(exercise) or "not in this checkout"))
    return 0


def judge(exercise: Exercise, restart: bool) -> int:
    """Puts a copy of the lesson into practice/, or judges what the learner made of it."""
    name, lesson = exercise.id, exercise.lesson
    if restart or not files.file_of(name).exists():
        text_of = files.comment([*(statement(exercise) or ["Exercise " + name]), "",
                                 "./ladder check %s judges it." % name])
        saved = files.is_changed(name)
        files.begin(name, text_of + "\n" + files.read(ROOT / lesson / "gemm.cu"), restart)
        if saved:
            print("Your file is kept as %s.before." % files.shown_path(name))
        print("%s is lesson %s with the task on top. Edit it, then ./ladder check %s judges it." %
              (files.shown_path(name), lesson[:2], name))
        if exercise.data.get("ask"):
            print("It also asks for %d numbers: ./ladder check %s%s" %
                  (len(exercise.data["ask"]), name, " X" * len(exercise.data["ask"])))
        return 0
    need("test")
    target = "practice." + name
    folder = files.build_practice(name, "cpu", [target + ".test", "explain." + target, "explain." + lesson])
    print("%s:" % files.shown_path(name), flush=True)
    failure = suite(name, folder / "tests" / "practice" / (target + ".test"), "./ladder check " + name)
    show([Verdict(not failure, "right for every size; no race, divergence or stray access")])
    if failure:
        print("\n".join("    " + line for line in failure))
        return 1
    runs = Runs(exercise, target, files.file_of(name))
    if show(runs.verdicts()):
        print(colour("Exercise %s is done." % name, "green"))
        print(runs.why(100))
        return 0
    print("\n".join(dearest(name, runs.figures({}), files.file_of(name))))
    return 1
