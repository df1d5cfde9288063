"""diff [FROM] LESSON: show the changes from one lesson to another, by default from the one before it

./ladder diff 05 shows the changes from 04 to 05, ./ladder diff 02 05 from 02 to 05. For 02.1 or practice/02_coalesced
it shows the changes from the lesson to your file in practice/.
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
    """The lesson that a lesson or a file in practice/ is derived from."""
    previous = find_lesson(name.rpartition("/")[2][:2]) if is_practice(name) else below(name)
    if not previous:
        die(USAGE, f"{name} is the first lesson: there is none before it to compare with")
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
