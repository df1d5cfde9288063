"""climb LESSON [--restart]: write a lesson yourself, starting from the one before it

Copies the lesson before LESSON to practice/LESSON/gemm.cu, with the task in a comment on top. ./ladder check LESSON
checks your solution. A file that you have changed is kept.
"""
import argparse

from ladder import USAGE, below, die, lesson, lesson_source
from ladder.judging import files
from ladder.judging.judge import CLIMB, aims, no_climb
from ladder.lessons import find
from ladder.lib.arguments import Parser


def task(name: str) -> str:
    """The comment on top of a practice file."""
    facts = find(name)
    number = name[:2]
    lines = [f"Task: turn lesson {below(name)}, below, into lesson {name}.", "",
             "The idea: " + facts.idea, "To change: " + facts.change,
             "What check tests, in a run on the CPU backend with whole tiles:",
              *("  - " + each for each in aims(name)),
              "Results must stay correct for all sizes, strides and alignments.", "",
              f"./ladder check {number} checks it, ./ladder check {number} --hint gives a hint.",
             *([f"Needs: sm_{facts.needs}"] if facts.needs else [])]
    return files.comment(lines)


def arguments(parser: Parser) -> None:
    parser.add_argument("lesson", metavar="LESSON", help="the lesson to write, from 01 on: 02_coalesced, 02 or 2")
    parser.add_argument("--restart", action="store_true",
                        help="start again; your file is kept as gemm.cu.before, .before.2 and so on")


def main(args: argparse.Namespace) -> int:
    name = lesson(args.lesson)
    if name not in CLIMB:
        die(USAGE, no_climb(name))
    old = below(name)
    path = files.shown_path(name)
    if files.is_changed(name) and not args.restart:
        print(f"{path} exists, and your changes are kept.")
        print(f"./ladder check {name[:2]} checks it; ./ladder climb {name[:2]} --restart starts again.")
        return 0
    files.need_unedited(old)
    text = task(name) + "\n" + files.read(lesson_source(old))
    files.begin(name, text, args.restart)
    print(f"{path} is a copy of lesson {old[:2]}, with the task on top: turn it into lesson {name[:2]}.")
    print(f"Then ./ladder check {name[:2]}; ./ladder check {name[:2]} --hint gives a hint.")
    return 0
