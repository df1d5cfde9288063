"""./ladder check EXERCISE: asks for numbers, judges an edit; practice/EXERCISE/gemm.cu is for both."""
import sys
import textwrap
from typing import Any, List, Mapping, Sequence

from ladder import (EXPLAIN, MACHINE, ROOT, TEST, USAGE, colour, die, find_nvcc, has_gpu, lesson_file, lesson_source,
                    make, need_architecture, shown)
from ladder.judging import compiled, files
from ladder.judging.exercises import Exercise, Runs, build_reference, statement
from ladder.judging.figures import Unknown, Value, number, same, text
from ladder.judging.judge import Verdict, dearest, show
from ladder.judging.suite import suite

_NEEDS = {"nvcc": "nvcc (the CUDA toolkit)", "GPU": "an NVIDIA GPU"}


def check(exercise: Exercise, words: Sequence[str], restart: bool) -> int:
    """0 if all is right, 1 if something is not."""
    files.need_unedited(exercise.lesson)
    asked = exercise.data.get("ask", [])
    if words and len(words) != len(asked):
        die(USAGE, "exercise %s asks for %s, not %d" % (exercise.id, "%d number%s (%s)" % (
            len(asked), "s"[len(asked) == 1:], "; ".join(map(_question, asked))) if asked else
            "no numbers", len(words)))
    if restart and not exercise.editable:
        die(USAGE, "exercise %s is no edit: there is no file to begin anew" % exercise.id)
    if exercise.tag == "nvcc" and not find_nvcc() or exercise.tag == "GPU" and not has_gpu():
        die(MACHINE, "exercise %s needs %s, which this machine does not have; what is known of its "
            "answer is folded in %s" % (exercise.id, _NEEDS[exercise.tag], exercise.readme.relative_to(ROOT)))
    if exercise.tag == "GPU":
        need_architecture([exercise.lesson])
    if restart and words:
        die(USAGE, "--restart begins exercise %s anew; it takes no numbers" % exercise.id)
    for each, word in zip(asked, words):
        if each["from"] == "outcome" and word.lower() not in ("right", "wrong", "error"):
            die(USAGE, "%s: right, wrong or error, not '%s'" % (each["name"], shown(word)))
    if restart or exercise.edits and not words:
        return judge(exercise, restart)
    if asked and not words and not sys.stdin.isatty():
        die(USAGE, "exercise %s asks for: %s; give them as words: ./ladder check %s%s" %
            (exercise.id, "; ".join(map(_question, asked)), exercise.id, " X" * len(asked)))
    if not words:
        show_statement(exercise)
    if exercise.editable:
        begin(exercise, False)
        print("%s\n" % how_to_try(exercise), flush=True)
    if not asked:
        return 0
    words = words or ask(asked)
    build_reference([exercise])
    runs = Runs(exercise)
    try:
        return compare(exercise, words, runs.answers(), runs.why(100))
    except Unknown as error:
        die(MACHINE, "exercise %s cannot be answered here: %s" % (exercise.id, error))


def how_to_try(exercise: Exercise) -> str:
    name, path = exercise.id, files.shown_path(exercise.id)
    if exercise.tag == "nvcc":
        return "To try it, edit %s; in its folder:\n  nvcc %s -I../.. -Xptxas -v -cubin gemm.cu" % (
            path, " ".join(compiled.FLAGS))
    word = " ".join([name, *map(str, exercise.data.get("sizes", []))])
    explain = ", ./ladder explain %s --against %s" % (word, exercise.lesson[:2]) if exercise.runs else ""
    return "To try it, edit %s; then: ./ladder run %s%s%s" % (
        path, word, explain, "\n(The answers are those of our edit, not of yours.)" if
        exercise.data.get("ask") else "")


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
        if not isinstance(value, str) and number(word) is None:
            die(USAGE, "%s: a number, not '%s'" % (each["name"], shown(word)))
    for each, word, value in zip(exercise.data["ask"], words, values):
        right = same(value, word, float(each.get("tolerance", 0.01)))
        wrong += not right
        print("  %s %s: %s" % (
            colour("yes:", "green") if right else colour("no: ", "red"), each["name"],
            text(value) if right else "%s, not %s" % (text(value), shown(word) or "nothing")))
    print("\n" + why)
    return 1 if wrong else 0


def show_statement(exercise: Exercise) -> None:
    for line in statement(exercise):
        print(textwrap.fill(line, 100, break_on_hyphens=False).replace(files.JOIN, " "))
    print(flush=True)


def begin(exercise: Exercise, restart: bool) -> None:
    """Puts a copy of the lesson into practice/, with the task behind it, so that lines keep their
    numbers. A file that is there stays, without restart."""
    name = exercise.id
    if files.file_of(name).exists() and not restart:
        return
    task = files.comment(statement(exercise) or ["Exercise " + name])
    files.begin(name, files.read(lesson_source(exercise.lesson)) + "\n" + task, restart)
    print("%s is lesson %s, with the task at its end." % (files.shown_path(name), exercise.lesson[:2]))


def judge(exercise: Exercise, restart: bool) -> int:
    """Puts a copy of the lesson into practice/, or judges what the learner made of it."""
    name, lesson = exercise.id, exercise.lesson
    if restart or not files.file_of(name).exists():
        begin(exercise, restart)
        if exercise.edits:
            print("Edit it, then ./ladder check %s judges it." % name)
            if exercise.data.get("ask"):
                print("It also asks for %d numbers: ./ladder check %s%s" %
                      (len(exercise.data["ask"]), name, " X" * len(exercise.data["ask"])))
        return 0
    source, judged = files.practice_file(name), files.digest(name)
    make((source, TEST), (source, EXPLAIN), (lesson_file(lesson), EXPLAIN))
    print("%s:" % files.shown_path(name), flush=True)
    failure = suite(name, source.program(TEST))
    show([Verdict(not failure, "right for every size; no race, divergence or stray access")])
    if failure:
        print("\n".join("    " + line for line in failure))
        return 1
    runs = Runs(exercise, source.name, source.path)
    if show(runs.verdicts()):
        files.remember(name, passed=judged)
        print(colour("Exercise %s is done." % name, "green"))
        print(runs.why(100))
        return 0
    print("\n".join(dearest(name, runs.figures({}), files.file_of(name))))
    return 1
