"""diff [FROM] LESSON: what a lesson changes in the one before it, or in any other

./ladder diff 05 is lesson 05 against 04; ./ladder diff 02 05 is 05 against 02. ./ladder diff 02.1 and
practice/02_coalesced: what your own file changes in the lesson.
"""
import argparse
import difflib

from ladder import USAGE, below, colour, die, find_lesson, lesson_folder, lesson_source
from ladder.judging.exercises import source_folder
from ladder.judging.files import is_practice
from ladder.lib.arguments import Parser


def arguments(parser: Parser) -> None:
    parser.usage = "./ladder diff [-h] [FROM] LESSON"
    parser.add_argument("first", metavar="LESSON", help="02_coalesced, 02.1, practice/02_coalesced")
    parser.add_argument("second", nargs="?", metavar="", help=argparse.SUPPRESS)


def compared_with(name: str) -> str:
    """What a lesson or a file in practice/ is changed from."""
    previous = find_lesson(name.rpartition("/")[2][:2]) if is_practice(name) else below(name)
    if not previous:
        die(USAGE, f"{name} is the first rung: there is nothing below it")
    return previous


def main(args: argparse.Namespace) -> int:
    first = source_folder(args.first)
    previous, name = (compared_with(first), first) if args.second is None else (first, source_folder(args.second))
    old, new = (lesson_source(each).read_text(encoding="utf-8", errors="surrogateescape")
                for each in (previous, name))
    added = deleted = 0
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lesson_folder(previous) + "/gemm.cu",
                                 lesson_folder(name) + "/gemm.cu", lineterm="")
    for number, line in enumerate(lines):
        kind = "" if number < 2 else line[:1]
        added += kind == "+"
        deleted += kind == "-"
        names = {"": ["bold"], "+": ["green"], "-": ["red"], "@": ["cyan"]}.get(kind)
        print(colour(line, *names) if names else line)
    print(f"{added + deleted} lines changed: {added} added, {deleted} deleted")
    return 0
