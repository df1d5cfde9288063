"""./ladder check"""
import textwrap
from typing import List

from ladder import (USAGE, colour, die, find_lesson, find_nvcc, has_gpu, lesson, lesson_source,
                    need, program, run_with_estimate, say, shown, split_options)
from ladder.judging import asking, exercises, files
from ladder.judging.judge import CLIMB, climbs, count, dearest, no_climb, show, suite

ORDER = 34
HELP = """\
check LESSON | EXERCISE [NUMBER...] [--hint] [--restart]
judges practice/LESSON/gemm.cu (from ./ladder climb LESSON): the suite, races and stray accesses,
and the counts that are the lesson's idea; on a GPU its speed, too. --hint gives the next hint.
check 02.1 is an exercise: it asks for the numbers, or takes them as further words. What is to be
edited it puts into practice/02.1/gemm.cu, a copy of the lesson; --restart begins it anew.
"""
_USAGE = "usage: ./ladder check LESSON | EXERCISE [NUMBER...] [--hint] [--restart]"


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
    target = "practice." + name
    files.build_practice(name, "gpu", [target, name])
    rates = []
    for each in (target, name):
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
    need("test")
    target = "practice." + name
    files.build_practice(name, "cpu", [target + ".test", "explain." + target, "explain." + name])
    print("%s, judged by lesson %s:" % (files.shown_path(name), name), flush=True)
    failure = suite(name, program(target + ".test"), "./ladder check " + name[:2])
    if failure:
        print("  %s right for every size, without races or stray accesses" % colour("fails:", "red"))
        print("\n".join("    " + line for line in failure))
        print("    hints on the idea, not on this fault: ./ladder check %s --hint" % name[:2])
        return 1
    print("  %s right for every size; no race, divergence or stray access" % colour("holds:", "green"),
          flush=True)
    have = count(files.shown_path(name), target, path)
    verdicts = climbs(name, have, count("lesson " + name[:2], name, lesson_source(name)))
    good = show(verdicts)
    if good:
        speed(name)
        print(colour("Lesson %s is yours. " % name[:2], "green") +
              "Ours beside it: ./ladder diff practice/%s" % name)
    else:
        print("\n".join(dearest(name, have, path)))
        next_hint(name)
    return 0 if good else 1


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


def main(arguments: List[str]) -> int:
    words, own, _ = split_options(arguments, "check", {"--hint": False, "--restart": False})
    if not words:
        die(USAGE, _USAGE)
    name = subject(words[0])
    if not find_lesson(name):
        if "--hint" in own:
            die(USAGE, "hints are for climbs: ./ladder check %s --hint" % name[:2])
        return asking.check(exercises.find(name), words[1:], "--restart" in own)
    if len(words) > 1:
        die(USAGE, "numbers are for exercises, such as %s.1; '%s' is too much here" %
            (name[:2], shown(words[1])))
    if "--restart" in own:
        die(USAGE, "./ladder climb %s --restart begins anew" % name[:2])
    return hint(name) if "--hint" in own and name in CLIMB else judge(name)
