"""What ./ladder lab opens. A Subject is called as its folder in practice/:

  02.0          lesson 02 to play with: a copy of it
  02_coalesced  the climb to lesson 02
  02.3          an exercise; where it has nothing to edit, its file is that of 02.0

What is told of one is a JSON object; texts of files keep bytes that are no UTF-8 as lone surrogates.
"""
import contextlib
import difflib
import io
import pathlib
import threading
from typing import Any, Dict, List, NamedTuple

from ladder import ROOT, USAGE, below, beyond, die, find_lesson, lesson, lesson_folder, lesson_source, lessons
from ladder.judging import answering, asking, exercises, files
from ladder.judging.judge import CLIMB, aims
from ladder.lessons import find as facts_of
from ladder.lessons.code import code_hash
from ladder.lib.work import replace_file

MOST = 1 << 20  # bytes of a file that the page takes
_saving = threading.Lock()


class Subject(NamedTuple):
    """kind: "lesson", "climb" or "exercise"; file: its folder in practice/."""
    name: str
    kind: str
    lesson: str
    file: str

    @property
    def path(self) -> pathlib.Path:
        return files.file_of(self.file)

    @property
    def base(self) -> str:
        """The lesson that the file was copied from."""
        return below(self.lesson) if self.kind == "climb" else self.lesson

    @property
    def word(self) -> str:
        """As ./ladder check takes it; "" where it judges nothing."""
        return {"climb": self.lesson[:2], "exercise": self.name, "lesson": ""}[self.kind]


def subject(name: str) -> Subject:
    """By its exact name. An unknown one ends the command, or the request."""
    if name in CLIMB:
        return Subject(name, "climb", name, name)
    if name[2:] == ".0" and find_lesson(name[:2]):
        return Subject(name, "lesson", find_lesson(name[:2]), name)
    found = exercises.find(name)
    return Subject(found.id, "exercise", found.lesson, found.id if found.editable else found.id[:2] + ".0")


def find(word: str) -> Subject:
    """What a word of the command line names: 02 and 02_coalesced the lesson to play with, practice/02_coalesced the
    climb, 02.3 an exercise; "" the file that was changed last, or the first lesson."""
    if not word:
        changed = [path for path in files.FOLDER.glob("*/gemm.cu") if files.is_changed(path.parent.name)]
        for path in sorted(changed, key=lambda path: -path.stat().st_mtime):
            with contextlib.suppress(Exception):
                return subject(path.parent.name)
        return subject(lessons()[0][:2] + ".0")
    if word[1:] == ".0" or word[2:] == ".0":
        return subject(lesson(word[:-2])[:2] + ".0")
    name = exercises.practice_name(word)
    return subject(name or lesson(word)[:2] + ".0")


def known() -> List[Dict[str, Any]]:
    """The menu: a row for each lesson, with what can be opened of it and how far that is."""
    rows = []
    for name in (*lessons(), *beyond()):
        names = [name[:2] + ".0", *([name] if name in CLIMB else []),
                 *(each.id for each in exercises.exercises() if each.lesson == name)]
        rows.append({"lesson": name, "idea": facts_of(name).idea, "subjects": [
            {"name": each, "kind": subject(each).kind, "standing": _standing(each)} for each in names]})
    return rows


def _standing(name: str) -> str:
    """How far a learner is with it; "" if nothing was begun."""
    path = files.file_of(name)
    one = subject(name)
    if one.kind == "exercise" and exercises.find(name).standing:
        return exercises.find(name).standing
    if path.is_file() and one.kind != "lesson":
        return files.standing(name)
    return "changed" if path.is_file() and files.is_changed(name) else ""


def begin(one: Subject, restart: bool) -> str:
    """Puts the file there, if it is not, or begins it anew; what is said of that, often ""."""
    with _saving, contextlib.redirect_stdout(io.StringIO()) as said:
        if not one.path.is_file() or restart or not files.is_changed(one.file):
            files.need_unedited(one.base)
            if one.kind == "climb":
                from ladder.climb import task
                files.begin(one.file, task(one.name) + "\n" + files.read(lesson_source(one.base)), restart)
            elif one.kind == "exercise" and (restart or one.file == one.name):
                asking.begin(exercises.find(one.name), restart)
            else:
                files.begin(one.file, files.read(lesson_source(one.lesson)), restart)
    return " ".join(line for line in said.getvalue().splitlines() if "kept as" in line)


def opened(one: Subject) -> Dict[str, Any]:
    """All that the page needs of a subject."""
    facts = facts_of(one.lesson)
    exercise = exercises.find(one.name) if one.kind == "exercise" else None
    left = [each["name"] for each in exercise.left()] if exercise else []
    typed = files.state(one.name).get("typed")
    return {
        "name": one.name, "kind": one.kind, "lesson": one.lesson, "path": files.shown_path(one.file),
        "text": text_of(one), "version": files.digest(one.file),
        "idea": facts.idea, "change": facts.change, "aims": aims(one.name) if one.kind == "climb" else [],
        "base": one.base, "below": below(one.lesson), "readme": lesson_folder(one.lesson) + "/README.md",
        "statement": [line.replace(files.JOIN, " ") for line in exercises.statement(exercise)] if exercise else [],
        "judged": one.kind == "climb" or bool(exercise and exercise.judged),
        "questions": [{"name": each["name"], "asks": asking.in_words(each),
                       "typed": str(typed.get(each["name"], "")) if isinstance(typed, dict) else "",
                       "right": each["name"] not in left}
                      for each in (exercise.asked if exercise else [])],
        "hints": CLIMB[one.name]["hints"][:files.hints_given(one.name)] if one.kind == "climb" else
        answering.given(exercise) if exercise else [], "done": bool(exercise) and exercise.standing == "done",
        "more_hints": len(CLIMB[one.name]["hints"]) if one.kind == "climb" else 1 if exercise else 0}


def text_of(one: Subject) -> str:
    if one.path.stat().st_size > MOST:
        die(USAGE, f"{files.shown_path(one.file)} has {one.path.stat().st_size} bytes, more than the {MOST} that "
            "are shown")
    with open(one.path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def save(one: Subject, text: str, version: str) -> Dict[str, Any]:
    """Writes a text that was made of a version. {"version"}; or, of a file that has become another meanwhile,
    {"conflict": its version, "text"}, and nothing is written."""
    if len(text.encode("utf-8", "surrogateescape")) > MOST:
        die(USAGE, f"that is more than {MOST} bytes: too long to be saved")
    with _saving:
        now = files.digest(one.file)
        if version != now and now and text_of(one) != text:
            return {"conflict": now, "text": text_of(one)}
        if text_of(one) != text if now else True:
            replace_file(one.path, text)
        return {"version": files.digest(one.file)}


def keep(one: Subject, text: str) -> Dict[str, Any]:
    """Writes a text that a tab gives up beside the file: no text is lost."""
    with _saving:
        path = files.spare(one.path)
        replace_file(path, text)
    return {"kept": str(path.relative_to(ROOT))}


def hint(one: Subject) -> List[str]:
    """The hints that were given, with the next one: of an exercise, to what is not right yet."""
    if one.kind == "lesson":
        die(USAGE, "there are hints for climbs and exercises")
    if one.kind == "exercise":
        exercise = exercises.find(one.name)
        answering.hint(exercise, True)
        return answering.given(exercise)
    hints = CLIMB[one.name]["hints"]
    given = min(files.hints_given(one.name) + 1, len(hints))
    files.remember(one.name, hint=given)
    return list(hints[:given])


def compared(one: Subject) -> str:
    """The lesson that a file is shown beside: what it was copied from; of a lesson as it is, the one before ("" of 00)."""
    if one.kind == "lesson" and code_hash(files.read(one.path)) == code_hash(files.read(lesson_source(one.lesson))):
        return below(one.lesson)
    return one.base


def changes(one: Subject) -> List[str]:
    """The lines of a unified diff from compared(), without file names; [] if there is none."""
    base = compared(one)
    old = files.read(lesson_source(base)).splitlines() if base else []
    return list(difflib.unified_diff(old, files.read(one.path).splitlines(), lineterm="", n=2))[2:] if base else []
