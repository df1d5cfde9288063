"""diff [FROM] LESSON: show the changes from one lesson to another, by default from the one before it

./ladder diff 05 shows the changes from 04 to 05, ./ladder diff 02 05 from 02 to 05. For 02.1 or practice/02_coalesced
it shows the changes from the lesson to your file in practice/. On a terminal they are grouped by function, with a
sentence on each. Through a pipe the output is a unified diff, which patch and git apply accept.
"""
import argparse
import shutil
import sys
import textwrap
from typing import Mapping, Sequence, Set

from ladder import USAGE, below, colour, die, find_lesson, lesson_folder, lesson_source
from ladder.judging.exercises import source_folder
from ladder.judging.files import is_practice
from ladder.lessons.functions import changed, difference, hunks
from ladder.lib.arguments import Parser
from ladder.lib.output import is_terminal
from ladder.publishing.changes import caption


def arguments(parser: Parser) -> None:
    parser.usage = "./ladder diff [-h] [FROM] LESSON"
    parser.add_argument("first", metavar="LESSON", help="02_coalesced, 02.1, practice/02_coalesced; FROM: the same")
    parser.add_argument("second", nargs="?", metavar="", help=argparse.SUPPRESS)


def compared_with(name: str) -> str:
    """The lesson that a lesson or a file in practice/ is derived from."""
    previous = find_lesson(name.rpartition("/")[2][:2]) if is_practice(name) else below(name)
    if not previous:
        die(USAGE, f"{name} is the first lesson: there is none before it to compare with")
    return previous


def heading(names: Sequence[str], captions: Mapping[str, str]) -> str:
    """The text after a hunk's position: the declarations that it changes, with their captions if they have any."""
    if not any(captions.get(each) for each in names):
        return ", ".join(names)
    return " ".join(f"{each}: {captions[each]}" if captions.get(each) else each for each in names)


def print_captions(captions: Mapping[str, str]) -> None:
    """Prints captions above a hunk, on a terminal."""
    width = max(40, min(100, shutil.get_terminal_size().columns - 1))
    for name, sentence in captions.items():
        first, *others = textwrap.wrap(f"{name}: {sentence}", width, subsequent_indent="  ", break_on_hyphens=False)
        print("\n" + colour(name, "bold") + first[len(name):], *others, sep="\n")


def main(args: argparse.Namespace) -> int:
    first = source_folder(args.first)
    previous, name = (compared_with(first), first) if args.second is None else (first, source_folder(args.second))
    old, new = (lesson_source(each).read_text(encoding="utf-8", errors="surrogateescape")
                for each in (previous, name))
    lines = difference(old, new)
    adjacent = not is_practice(name) and below(name) == previous
    if changed(lines):
        print(colour(f"--- {lesson_folder(previous)}/gemm.cu", "bold"))
        print(colour(f"+++ {lesson_folder(name)}/gemm.cu", "bold"))
    terminal = is_terminal(sys.stdout)
    shown: Set[str] = set()
    for hunk in hunks(lines, apart=terminal):
        captions = {each: caption(name, each) for each in hunk.names if adjacent and each not in shown}
        shown.update(hunk.names)
        if terminal:
            print_captions({each: sentence for each, sentence in captions.items() if sentence})
            captions = {}
        print(colour(f"@@ {hunk.place} @@", "cyan"), heading(hunk.names, captions))
        for line in hunk.lines:
            names = {"+": ["green"], "-": ["red"]}.get(line.kind)
            print(colour(line.kind + line.text, *names) if names else line.kind + line.text)
    added = sum(line.kind == "+" for line in lines)
    print(f"{changed(lines)} lines changed: {added} added, {changed(lines) - added} deleted")
    return 0
