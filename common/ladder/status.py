"""status: how far your files in practice/ are, climbs and exercises

A file is as it was given to you, changed, or passed, which ./ladder check has found; with it how many hints you had.
"""
import argparse

from ladder import Table, find_lesson
from ladder.judging import exercises, files
from ladder.lib.arguments import Parser


def given(name: str) -> str:
    """The hints that were given."""
    hints = files.hints_given(name)
    return f", {hints} hint{'s'[hints == 1:]} given" if hints else ""


def standing(name: str) -> str:
    """How far a file in practice/ is, or an exercise."""
    found = "" if find_lesson(name) or name.endswith(".0") else exercises.find(name).standing
    return found or files.standing(name)


def arguments(_: Parser) -> None:
    """There are none."""


def main(_: argparse.Namespace) -> int:
    begun = {path.parent.name for path in files.FOLDER.glob("*/gemm.cu")}
    numbers = {each.id for each in exercises.exercises() if each.standing}  # some have no file
    names = sorted(begun | numbers)
    if not names:
        print("There is nothing in practice/ yet: ./ladder climb 01 begins the first climb.")
        return 0
    table = Table([-34, -36, 0])
    table.row("file", "is", "judged by")
    for name in names:
        by = "nothing: ./ladder lab" if name.endswith(".0") else "./ladder check " + (name[:2] if find_lesson(name) else name)
        told = standing(name) + given(name)
        table.row(files.shown_path(name) if name in begun else "exercise " + name, told, by)
    return 0
