"""check LESSON|EXERCISE [N...]: check the lesson that you wrote, or your answers to an exercise

For a lesson it checks practice/LESSON/gemm.cu, which ./ladder climb LESSON creates: the test suite, races and
out-of-bounds accesses, and the counts that show the lesson's idea. On a GPU it also measures the speed. For an
exercise, such as 02.1, it asks for the numbers, or takes them as arguments. If the exercise asks for an edit, it copies
the lesson to practice/02.1/gemm.cu and checks your edit of that file.
"""
import argparse
import textwrap

from ladder import (EXPLAIN, TEST, USAGE, die, find_lesson, find_nvcc, has_gpu, lesson, make, program,
                    run_with_estimate, say, shown)
from ladder.judging import asking, exercises, files, telling
from ladder.judging.judge import CLIMB, climbs, count, following, ideas_there, no_climb, show
from ladder.judging.suite import RIGHT, beside, suite
from ladder.lib.arguments import Parser


def subject(word: str) -> str:
    """The name of the lesson or exercise to check, from 02, 02.3, practice/02_coalesced and so on."""
    return exercises.practice_name(word) or lesson(word)


def hint(name: str) -> int:
    """Prints the next hint; after the last one, the first again."""
    hints = CLIMB[name]["hints"]
    files.required(name, "./ladder climb " + name[:2])
    at = files.hints_given(name) % len(hints)
    show_hint(name, at)
    files.remember(name, hint=at + 1)
    return 0


def speed(name: str) -> None:
    """On a GPU, compares the speed of the practice file with the lesson's."""
    if not has_gpu() or not find_nvcc():
        return
    files.build_folders("gpu", ["practice/" + name, name])
    rates = []
    for each in ("practice." + name, name):
        run = run_with_estimate(program(each, "gpu"), [], "timing " + each, 0.0)
        if run.status != 0 or not run.result.get("tflops"):
            say("not timed: " + (run.errors.strip().splitlines() or ["its result is wrong on the GPU"])[0])
            return
        rates.append(float(run.result["tflops"]))
    print("  speed on the GPU: %.2f TFLOP/s, %.0f %% of lesson %s" %
          (rates[0], 100 * rates[0] / rates[1], name[:2]))


def judge(name: str) -> int:
    """Checks a climb; returns 0 if it passes, else 1."""
    if name not in CLIMB:
        die(USAGE, no_climb(name))
    path = files.required(name, "./ladder climb " + name[:2])
    files.need_unedited(name)
    source, judged = files.practice_file(name), files.digest(name)
    make((source, TEST), (source, EXPLAIN))
    print("%s, checked against lesson %s:" % (files.shown_path(name), name), flush=True)
    with beside(lambda: climbs(name, files.read(path), lambda arguments: count(
            files.shown_path(name), source.name, path, arguments))) as found:
        failure = suite(name, source)
        if failure:
            telling.to.verdict(telling.Verdict(False, RIGHT))
            print("\n".join("    " + line for line in failure))
            telling.to.more_help("for a hint on the idea, not on this error: ./ladder check %s --hint" % name[:2])
            return 1
        telling.to.verdict(telling.Verdict(True, RIGHT))
        verdicts = found.result()
    good, (there, ideas) = show(verdicts), ideas_there(verdicts)
    if good:
        files.remember(name, passed=judged)
        speed(name)
        telling.to.end(telling.GOOD, "Passed: your lesson %s is correct and has %s." % (
            name[:2], "its idea" if there == ideas else "%d of its %d ideas" % (there, ideas)))
        print("Compare it with ours: ./ladder diff practice/%s" % name)
        if following(name):
            print("Next climb: ./ladder climb %s" % following(name)[:2])
        return 0
    lost = all(each.holds for each in verdicts if each.idea)
    missing = ("it lost an improvement of an earlier lesson" if lost else
               "the idea of lesson %s is missing" % name[:2] if there == 0 else
               "only %d of the %d ideas of lesson %s are there" % (there, ideas, name[:2]))
    telling.to.end(telling.IDEA, "Correct, but %s." % missing)
    if not lost:
        next_hint(name)
    return 1


def next_hint(name: str) -> None:
    """Prints the last hint given, or the first, and how to get another."""
    at = min(max(files.hints_given(name), 1), len(CLIMB[name]["hints"]))
    files.remember(name, hint=at)
    show_hint(name, at - 1)
    if at < len(CLIMB[name]["hints"]):
        telling.to.more_help("for the next one: ./ladder check %s --hint" % name[:2])


def show_hint(name: str, at: int) -> None:
    hints = CLIMB[name]["hints"]
    text = "hint %d of %d: %s" % (at + 1, len(hints), hints[at])
    print(textwrap.fill(text, 100, subsequent_indent="    ", break_on_hyphens=False))


def arguments(parser: Parser) -> None:
    parser.add_argument("what", metavar="LESSON|EXERCISE", help="02_coalesced, coalesced, 02 or 2; 02.1")
    parser.add_argument("numbers", nargs="*", default=[], metavar="NUMBER", help="the answers to an exercise")
    parser.add_argument("--hint", action="store_true", help="print the next hint for a climb or an exercise")
    parser.add_argument("--answer", action="store_true",
                        help="print the answers to an exercise and the commands that show them")
    parser.add_argument("--restart", action="store_true",
                        help="start an exercise again; your file is kept as gemm.cu.before, .before.2 and so on")


def main(args: argparse.Namespace) -> int:
    name = subject(args.what)
    if not find_lesson(name):
        return asking.check(exercises.find(name), args.numbers, args.restart, args.answer, args.hint)
    if args.numbers:
        die(USAGE, f"only exercises, such as {name[:2]}.1, take numbers; remove '{shown(args.numbers[0])}'")
    if args.restart:
        die(USAGE, f"to start a climb again: ./ladder climb {name[:2]} --restart")
    if args.answer:
        die(USAGE, f"the answer to a climb is the lesson: ./ladder diff {name[:2]}")
    return hint(name) if args.hint and name in CLIMB else judge(name)
