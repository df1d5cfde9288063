"""status: show your progress with the climbs and exercises in practice/

A file is unchanged, changed, or has passed ./ladder check. The table also shows how many hints you had.
"""
import argparse

from ladder import Table, find_lesson
from ladder.judging import exercises, files


def given(name: str) -> str:
    """How many hints a learner had."""
    hints = files.hints_given(name)
    return f", {hints} hint{'s'[hints == 1:]} given" if hints else ""


def standing(name: str) -> str:
    """The progress with a climb or an exercise."""
    found = "" if find_lesson(name) or name.endswith(".0") else exercises.find(name).standing
    return found or files.standing(name)


def main(_: argparse.Namespace) -> int:
    begun = {path.parent.name for path in files.FOLDER.glob("*/gemm.cu")}
    numbers = {each.id for each in exercises.exercises() if each.standing}  # some have no file
    names = sorted(begun | numbers)
    if not names:
        print("practice/ is empty: ./ladder climb 01 begins the first climb.")
        return 0
    table = Table([-34, -36, 0])
    table.row("file", "progress", "checked by")
    for name in names:
        by = "nothing: ./ladder lab" if name.endswith(".0") else "./ladder check " + (name[:2] if find_lesson(name) else name)
        progress = standing(name) + given(name)
        table.row(files.shown_path(name) if name in begun else "exercise " + name, progress, by)
    return 0
