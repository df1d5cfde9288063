"""./ladder diff"""
import difflib
from typing import List

from ladder import USAGE, below, colour, die, find_lesson, lesson_folder, lesson_source, split_options
from ladder.judging.exercises import source_folder
from ladder.judging.files import is_practice

ORDER = 30
HELP = """\
diff LESSON
what a lesson changes in the one before it; 02.1 or practice/02_coalesced: what your file changes
in the lesson
"""


def main(arguments: List[str]) -> int:
    words, _, _ = split_options(arguments, "diff", {})
    if len(words) != 1:
        die(USAGE, "usage: ./ladder diff LESSON")
    name = source_folder(words[0])
    number = name.rpartition("/")[2][:2]
    previous = find_lesson(number) if is_practice(name) else below(name)
    if not previous:
        die(USAGE, "%s is the first rung: there is nothing below it" % name)
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
    print("%d lines changed: %d added, %d deleted" % (added + deleted, added, deleted))
    return 0
