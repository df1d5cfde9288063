"""list: show the lessons, their requirements, and which of them you have climbed

./ladder climb LESSON begins a climb. A lesson is climbed once your file has passed ./ladder check LESSON.
"""
import argparse

from ladder import Table, beyond, colour, lessons, needs, not_on_cpu
from ladder.judging import files
from ladder.judging.judge import CLIMB


def what_it_needs(name: str) -> str:
    arch = needs(name)
    return f"a GPU of compute capability {arch[:-2]}.{arch[-2]}" if arch and not_on_cpu(name) else "no GPU"


def climbed(name: str) -> str:
    if name not in CLIMB:
        return "-"
    if files.has_passed(name):
        return colour("climbed", "green")
    return "begun" if files.digest(name) else "not yet"


def main(_: argparse.Namespace) -> int:
    table = Table([-23, -34, 0])
    table.row("lesson", "needs", "yours")
    for name in lessons() + beyond():
        table.row(name, what_it_needs(name), climbed(name))
    return 0
