"""check LESSON|EXERCISE [N...]: judge the lesson that you wrote, or your answers

Of a lesson it judges practice/LESSON/gemm.cu (from ./ladder climb LESSON): the suite, races and stray accesses, and the
counts that are the lesson's idea; on a GPU its speed, too. An exercise, as 02.1, asks for its numbers, or takes them as
further words; what is to be edited it puts into practice/02.1/gemm.cu, a copy of the lesson, and judges that, too.
"""
import argparse
import textwrap

from ladder import (EXPLAIN, TEST, USAGE, colour, die, find_lesson, find_nvcc, has_gpu, lesson, make, program,
                    run_with_estimate, say, shown)
from ladder.judging import asking, exercises, files, telling
from ladder.judging.judge import CLIMB, climbs, count, following, no_climb, show, summary
from ladder.judging.suite import beside, suite
from ladder.lib.arguments import Parser


def subject(word: str) -> str:
    """What is to be judged: a lesson's name or an exercise's, from 02, 02.3, practice/02_coalesced ..."""
    return exercises.practice_name(word) or lesson(word)


def hint(name: str) -> int:
    """Prints the next hint; after the last one they begin again."""
    hints = CLIMB[name]["hints"]
    files.required(name, "./ladder climb " + name[:2])
    at = files.hints_given(name) % len(hints)
    show_hint(name, at)
    files.remember(name, hint=at + 1)
    return 0


def speed(name: str) -> None:
    """On a GPU: how fast the practice file is beside the lesson."""
    if not has_gpu() or not find_nvcc():
        return
    files.build_folders("gpu", ["practice/" + name, name])
    rates = []
    for each in ("practice." + name, name):
        run = run_with_estimate(program(each, "gpu"), [], "timing " + each, 0.0)
        if run.status != 0 or not run.result.get("tflops"):
            say("not timed: " + (run.errors.strip().splitlines() or ["it is not right on the GPU"])[0])
            return
        rates.append(float(run.result["tflops"]))
    print("  speed on the GPU: %.2f TFLOP/s, %.0f %% of lesson %s" %
          (rates[0], 100 * rates[0] / rates[1], name[:2]))


def judge(name: str) -> int:
    """Judges a climb; 0 if all holds, else 1."""
    if name not in CLIMB:
        die(USAGE, no_climb(name))
    path = files.required(name, "./ladder climb " + name[:2])
    files.need_unedited(name)
    source, judged = files.practice_file(name), files.digest(name)
    make((source, TEST), (source, EXPLAIN))
    print("%s, judged by lesson %s:" % (files.shown_path(name), name), flush=True)
    with beside(lambda: climbs(name, files.read(path), lambda words: count(
            files.shown_path(name), source.name, path, words))) as found:
        failure = suite(name, source.program(TEST))
        if failure:
            print("  %s right for every size, without races or stray accesses" % colour("fails:", "red"))
            print("\n".join("    " + line for line in failure))
            print("    hints on the idea, not on this fault: ./ladder check %s --hint" % name[:2])
            return 1
        print("  %s right for every size; no race, divergence or stray access" % colour("holds:", "green"),
              flush=True)
        verdicts = found.result()
    good, much = show(verdicts), summary(name, verdicts)
    if good:
        files.remember(name, passed=judged)
        speed(name)
        telling.to.end(telling.GOOD, "Lesson %s is yours: right, and %s." % (name[:2], much))
        print("Ours beside it: ./ladder diff practice/%s" % name)
        if following(name):
            print("The next climb: ./ladder climb %s" % following(name)[:2])
        return 0
    lost = all(each.holds for each in verdicts if each.idea)
    words = ("it lost what an earlier lesson has brought" if lost else
             "the idea is missing: " + much if much.startswith("none") else "a part of the idea is missing: " + much)
    telling.to.end(telling.IDEA, "Right, but %s." % words)
    if not lost:
        next_hint(name)
    return 1


def next_hint(name: str) -> None:
    """The hint that was given last, or the first, and how to get another."""
    at = min(max(files.hints_given(name), 1), len(CLIMB[name]["hints"]))
    files.remember(name, hint=at)
    show_hint(name, at - 1)
    if at < len(CLIMB[name]["hints"]):
        print("    the next one: ./ladder check %s --hint" % name[:2])


def show_hint(name: str, at: int) -> None:
    hints = CLIMB[name]["hints"]
    text = "hint %d of %d: %s" % (at + 1, len(hints), hints[at])
    print(textwrap.fill(text, 100, subsequent_indent="    ", break_on_hyphens=False))


def arguments(parser: Parser) -> None:
    parser.add_argument("what", metavar="LESSON|EXERCISE", help="02_coalesced, coalesced, 02 or 2; 02.1")
    parser.add_argument("numbers", nargs="*", default=[], metavar="NUMBER", help="the answers to an exercise")
    parser.add_argument("--hint", action="store_true", help="the next hint, to a lesson that you write or to an exercise")
    parser.add_argument("--answer", action="store_true", help="the answers to an exercise, and what shows them")
    parser.add_argument("--restart", action="store_true",
                        help="begin an exercise anew; your file is kept as gemm.cu.before, .before.2 and so on")


def main(args: argparse.Namespace) -> int:
    name = subject(args.what)
    if not find_lesson(name):
        return asking.check(exercises.find(name), args.numbers, args.restart, args.answer, args.hint)
    if args.numbers:
        die(USAGE, f"numbers are for exercises, such as {name[:2]}.1; '{shown(args.numbers[0])}' is too much here")
    if args.restart:
        die(USAGE, f"./ladder climb {name[:2]} --restart begins anew")
    if args.answer:
        die(USAGE, f"the answer to a climb is the lesson: ./ladder diff {name[:2]}")
    return hint(name) if args.hint and name in CLIMB else judge(name)
