"""./ladder check EXERCISE: asks for numbers, and checks them and the learner's practice/EXERCISE/gemm.cu."""
import re
import sys
import textwrap
from typing import Any, Dict, List, Mapping, Sequence

from ladder import (EXPLAIN, MACHINE, TEST, USAGE, die, find_nvcc, has_gpu, lesson_source, make,
                    need_architecture, shown)
from ladder.judging import answering, compiled, edited, files, telling, typed
from ladder.judging.answering import is_outcome, show_answer
from ladder.judging.exercises import Exercise, Runs, build_reference, statement
from ladder.judging.figures import Unknown, text
from ladder.judging.judge import show
from ladder.judging.telling import Verdict
from ladder.judging.suite import RIGHT, suite

_NEEDS = {"nvcc": "nvcc (the CUDA toolkit)", "GPU": "an NVIDIA GPU"}
Question = Mapping[str, Any]


def check(exercise: Exercise, answers: Sequence[str], restart: bool = False, answer: bool = False,
          hint: bool = False) -> int:
    """Checks answers and file; returns 1 if anything is wrong, else 0. answers: to all questions, or none."""
    files.need_unedited(exercise.lesson)
    answers = _joined(answers, len(exercise.asked))
    if (restart or answer or hint) and answers:
        die(USAGE, "exercise %s takes no numbers together with --answer, --hint or --restart" % exercise.id)
    if answer:
        show_answer(exercise)
        return 0
    _need_usual(exercise, answers)
    left = exercise.asked if restart else exercise.left()
    if hint:
        if not answering.show_hint(exercise, True):
            print("This exercise has no hints.")
        return 0
    if restart:
        begin(exercise, True)
        print("Exercise %s starts again: ./ladder check %s" % (exercise.id, exercise.id))
        return 0
    changed = exercise.judged and files.is_changed(exercise.id)
    asking = bool(left) and not answers and sys.stdin.isatty()
    if left and not answers and not asking and not changed:
        die(USAGE, "exercise %s asks for: %s; answer with: ./ladder check %s%s" %
            (exercise.id, "; ".join(map(in_words, exercise.asked)), exercise.id, " X" * len(exercise.asked)))
    if asking or not changed and not answers:
        show_statement(exercise)
    begin(exercise, False)
    prepare(exercise, changed)
    questions = left if asking else exercise.asked
    if asking:
        answers = ask(exercise, left)
    try:
        return _judge(exercise, questions, answers, changed)
    except Unknown as error:
        die(MACHINE, "exercise %s cannot be checked here: %s" % (exercise.id, error))


def _joined(arguments: Sequence[str], count: int) -> List[str]:
    """The arguments, with a separate unit, such as the % of 2.78 %, joined to the word before."""
    found: List[str] = []
    for word in arguments:
        is_unit = re.fullmatch(r"%|[a-zA-Z]+", word) and word.lower() not in typed.OUTCOMES
        if found and len(arguments) > count and is_unit:
            found[-1] += " " + word
        else:
            found.append(word)
    return found


def _need_usual(exercise: Exercise, answers: Sequence[str]) -> None:
    """Ends the command if the answers are unreadable, or if the exercise needs something that this machine lacks."""
    asked = exercise.asked
    if answers and len(answers) != len(asked):
        die(USAGE, "exercise %s asks for %s, not %d" % (exercise.id, "%d number%s (%s)" % (
            len(asked), "s"[len(asked) == 1:], "; ".join(map(in_words, asked))) if asked else
            "no numbers", len(answers)))
    for each, word in zip(asked, answers):
        wanted = _unreadable(each, word)
        if wanted:
            die(USAGE, "%s: %s, not '%s'" % (each["name"], wanted, shown(word)))
    if exercise.tag == "nvcc" and not find_nvcc() or exercise.tag == "GPU" and not has_gpu():
        die(MACHINE, "exercise %s needs %s, which this machine does not have; to see the answer: "
            "./ladder check %s --answer" % (exercise.id, _NEEDS[exercise.tag], exercise.id))
    if exercise.tag == "GPU":
        need_architecture([exercise.lesson])


def _unreadable(question: Question, word: str) -> str:
    return typed.unreadable(word, question["name"], is_outcome(question))


def in_words(question: Question) -> str:
    """A question and the form of its answer."""
    if is_outcome(question):
        return question["name"] + " (right, wrong or error)"
    if question.get("within"):
        return "%s (within %.0f %%)" % (question["name"], 100 * question["within"])
    return str(question["name"]) + (" (%d digits)" % question["digits"] if question.get("digits") else "")


def ask(exercise: Exercise, questions: Sequence[Question]) -> List[str]:
    """Reads an answer to each question, and repeats a question until the answer is readable."""
    if len(questions) < len(exercise.asked):
        print("%d of %d numbers are right already." % (len(exercise.asked) - len(questions), len(exercise.asked)))
    answers = []
    for each in questions:
        wanted = "?"
        while wanted:
            print("%s? " % in_words(each), end="", flush=True)
            line = sys.stdin.readline()
            if not line:
                print()
                die(USAGE, "the input ended before all questions were answered")
            wanted = _unreadable(each, line)
            if wanted:
                print("  please type %s; for a hint: ./ladder check %s --hint" % (wanted, exercise.id))
        answers.append(line.strip())
    return answers


def prepare(exercise: Exercise, changed: bool) -> None:
    """Builds the reference that numbers are compared with and, if the learner has changed it, the file."""
    build_reference([exercise])
    if exercise.built and changed:
        source = files.practice_file(exercise.id)
        make((source, EXPLAIN), *([(source, TEST)] if exercise.suite else []))


def _judge(exercise: Exercise, questions: Sequence[Question], answers: Sequence[str], changed: bool) -> int:
    """Checks the answers, if there are any, then the file, if it is changed, and says what is left to do."""
    name, reference = exercise.id, Runs(exercise)
    runs = Runs(exercise, "practice." + name, files.file_of(name)) if changed else reference
    found = edited.verdicts(runs) if changed else []
    own = runs if all(each.holds for each in found) else reference
    wrong = _numbers(reference, own, questions, answers) if answers else []
    answered = not exercise.left()
    if not answered:  # the needed value may be the answer to a question
        found = [each._replace(words=each.words.partition(" (need ")[0]) for each in found]
    passed = not exercise.judged or changed and _file(exercise, found)
    if answered and (answers or passed) and exercise.asked:
        print("\n" + reference.why(100))
    if answered and passed and (exercise.asked or exercise.judged):
        if exercise.judged:
            files.remember(name, passed=files.digest(name))
        telling.to.end(telling.GOOD, "Exercise %s is done." % name)
    elif answered and not changed:
        telling.to.end(telling.GOOD, "The numbers are right.")
        print(how_to_try(exercise))
    elif not answered and not wrong:
        print("It also asks for: %s; answer with: ./ladder check %s%s" %
              ("; ".join(map(in_words, exercise.asked)), name, " X" * len(exercise.asked)))
    return 1 if wrong or changed and not passed else 0


def _remember(exercise: Exercise, typed_answers: Dict[str, str], wrong: Sequence[str]) -> None:
    """Stores which answers are right, and how they were typed."""
    state = files.state(exercise.id)
    known, answers = state.get("right"), state.get("typed")
    right = {*(known if isinstance(known, list) else []), *typed_answers} - {*wrong}
    answers = {**(answers if isinstance(answers, dict) else {}), **typed_answers}
    files.remember(exercise.id, right=sorted(right), typed={name: answers[name] for name in right if name in answers})


def _numbers(reference: Runs, own: Runs, questions: Sequence[Question], answers: Sequence[str]) -> List[Question]:
    """Checks answers; reports and stores which are right. Gives a hint for the wrong ones, and returns them. own: runs
    of the learner's file, if it is right, because its line numbers may differ from the reference's."""
    exercise, wrong = reference.exercise, []
    for each, word in zip(questions, answers):
        values = [run.value(each["from"], each) for run in (
            [own, reference] if each["from"] in ("line", "other_line") else [reference])]
        fitting = [value for value in values if typed.same(
            value, word, each["name"], each.get("digits", 3), each.get("within", 0))]
        wrong += [] if fitting else [each]
        telling.to.answer(bool(fitting), each["name"], text(fitting[0]) if fitting else "not " + shown(word))
    _remember(exercise, dict(zip((each["name"] for each in questions), answers)), [each["name"] for each in wrong])
    if wrong:
        answering.show_hint(exercise, False)
        print("To see the answers: ./ladder check %s --answer" % exercise.id)
    return wrong


def _file(exercise: Exercise, found: Sequence[Verdict]) -> bool:
    """Prints the verdicts on the learner's file, and runs the suite if the file must pass it."""
    name = exercise.id
    print("%s:" % files.shown_path(name), flush=True)
    good = show(found)
    if good and exercise.suite:
        failure = suite(name, files.practice_file(name))
        show([Verdict(not failure, RIGHT)])
        print("\n".join("    " + line for line in failure), end="\n" if failure else "")
        good = not failure
    if not good:
        print("To start again: ./ladder check %s --restart; to see our edit: ./ladder check %s --answer" % (name, name))
    return good


def how_to_try(exercise: Exercise) -> str:
    """How a learner works on the file."""
    name, path = exercise.id, files.shown_path(exercise.id)
    judge = ("Then check it: ./ladder check %s" if exercise.judged else
             "To see what we found: ./ladder check %s --answer") % name
    if exercise.tag == "nvcc":
        return "Now edit %s; in its folder:\n  nvcc %s -I../.. -Xptxas -v -cubin gemm.cu\n%s" % (
            path, " ".join(compiled.FLAGS), judge)
    word = " ".join([name, *map(str, exercise.data.get("sizes", []))])
    return "Now edit %s.\nSee the effect: ./ladder run %s, ./ladder explain %s --against %s\n%s" % (
        path, word, word, exercise.lesson[:2], judge)


def show_statement(exercise: Exercise) -> None:
    for line in statement(exercise):
        print(textwrap.fill(line, 100, break_on_hyphens=False).replace(files.JOIN, " "))
    print(flush=True)


def begin(exercise: Exercise, restart: bool) -> str:
    """Copies the lesson to practice/, with the task at its end, so that lines keep their numbers. An existing file
    stays unless restart is set, which also forgets answers and hints. Returns the note of files.begin()."""
    name = exercise.id
    if restart:
        files.remember(name, right=[], typed={}, given=[], hint=0)
    if not exercise.editable or files.file_of(name).exists() and not restart:
        return ""
    task = files.comment(statement(exercise) or ["Exercise " + name])
    note = files.begin(name, files.read(lesson_source(exercise.lesson)) + "\n" + task, restart)
    print("%s is a copy of lesson %s, with the task at its end." % (files.shown_path(name), exercise.lesson[:2]))
    return note
