"""./ladder climb"""
from typing import List

from ladder import USAGE, below, build, die, lesson, lesson_source, need, split_options
from ladder.judging import files
from ladder.lessons import find
from ladder.judging.judge import CLIMB, aims, no_climb

ORDER = 32
HELP = """\
climb LESSON [--restart]
write a lesson yourself: puts the lesson before it into practice/LESSON/gemm.cu, with the task in a
comment on top. ./ladder check LESSON judges what you made of it. A file that you have changed stays;
--restart begins anew and keeps it as gemm.cu.before, .before.2 and so on.
"""


def task(name: str) -> str:
    """The comment on top of a practice file."""
    facts = find(name)
    number = facts.number
    lines = ["Task: make lesson %s of lesson %s, which follows." % (name, below(name)), "",
             "The idea: " + facts.idea]
    if facts.change:
        lines.append("To change: " + facts.change)
    lines += ["Counts to reach at 256 x 256 x 256 on the CPU backend:",
              *("  - " + each for each in aims(name)),
              "The results stay right for all sizes, strides and alignments.", "",
              "./ladder check %s judges it, ./ladder check %s --hint gives a hint." % (number, number)]
    return files.comment(lines)


def main(arguments: List[str]) -> int:
    words, own, _ = split_options(arguments, "climb", {"--restart": False})
    if len(words) != 1:
        die(USAGE, "usage: ./ladder climb LESSON [--restart]")
    name = lesson(words[0])
    if name not in CLIMB:
        die(USAGE, no_climb(name))
    old = below(name)
    path = files.shown_path(name)
    if files.is_changed(name) and "--restart" not in own:
        print("%s is there, with your changes, and stays as it is." % path)
        print("./ladder check %s judges it; ./ladder climb %s --restart begins anew." % (name[:2], name[:2]))
        return 0
    files.need_unedited(old)
    need("test")
    build("cpu", "explain." + name, "explain." + old, tests=True)
    text = task(name) + "\n" + files.read(lesson_source(old))
    files.begin(name, text, "--restart" in own)
    print("%s is lesson %s, with the task on top: make lesson %s of it." % (path, old[:2], name[:2]))
    print("Then ./ladder check %s; ./ladder check %s --hint gives a hint." % (name[:2], name[:2]))
    return 0
