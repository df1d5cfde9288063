"""What ./ladder lab opens. A Subject has the name of its folder in practice/:

  02.0          a copy of lesson 02 to play with
  02_coalesced  the climb to lesson 02
  02.3          an exercise; if it has nothing to edit, its file is that of 02.0
  own           the file outside practice/ that the command names (own.py)

The page gets a subject as a JSON object. Texts of files keep bytes that are not UTF-8 as lone surrogates.
"""
import contextlib
import difflib
import io
import pathlib
import re
import threading
from typing import Any, Dict, List, NamedTuple

from ladder import ROOT, USAGE, below, beyond, die, find_lesson, lesson, lesson_folder, lesson_source, lessons
from ladder.judging import answering, asking, exercises, files
from ladder.judging.judge import CLIMB, aims
from ladder.lessons import find as facts_of
from ladder.lessons.code import code_hash
from ladder.lib.work import replace_file
from ladder.serving import own

MOST = 1 << 20  # bytes of a file that the page accepts
_saving = threading.Lock()


class Subject(NamedTuple):
    """kind: "lesson", "climb", "exercise" or "own"; file: its folder in practice/. An own file has neither that nor a
    lesson."""
    name: str
    kind: str
    lesson: str
    file: str

    @property
    def path(self) -> pathlib.Path:
        return pathlib.Path(own.chosen()[0]) if self.kind == "own" else files.file_of(self.file)

    @property
    def shown(self) -> str:
        """The file's path for messages."""
        return self.path.name if self.kind == "own" else files.shown_path(self.file)

    @property
    def version(self) -> str:
        """The hash of the file as it is now."""
        return files.digest_of(self.path)

    @property
    def base(self) -> str:
        """The lesson that the file was copied from."""
        return below(self.lesson) if self.kind == "climb" else self.lesson

    @property
    def word(self) -> str:
        """The argument for ./ladder check; "" if it has nothing to check."""
        return {"climb": self.lesson[:2], "exercise": self.name, "lesson": "", "own": ""}[self.kind]


def subject(name: str) -> Subject:
    """The subject with this exact name. An unknown name ends the command or the request."""
    if name == own.NAME and own.chosen():
        return Subject(name, "own", "", "")
    if name in CLIMB:
        return Subject(name, "climb", name, name)
    if name[2:] == ".0" and find_lesson(name[:2]):
        return Subject(name, "lesson", find_lesson(name[:2]), name)
    found = exercises.find(name)
    return Subject(found.id, "exercise", found.lesson, found.id if found.editable else found.id[:2] + ".0")


def find(word: str) -> Subject:
    """The subject for an argument: 02 or 02_coalesced for the lesson to play with, practice/02_coalesced for the climb,
    02.3 for an exercise, "" for the file that was changed last, or the first lesson."""
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
    """The menu: a row for each lesson, with its subjects and their progress."""
    one = subject(own.NAME) if own.chosen() else None
    rows: List[Dict[str, Any]] = [{"lesson": one.shown, "idea": "", "subjects": [
        {"name": one.name, "kind": one.kind, "standing": ""}]}] if one else []
    for name in (*lessons(), *beyond()):
        names = [name[:2] + ".0", *([name] if name in CLIMB else []),
                 *(each.id for each in exercises.exercises() if each.lesson == name)]
        rows.append({"lesson": name, "idea": facts_of(name).idea, "subjects": [
            {"name": each, "kind": subject(each).kind, "standing": _standing(each), "asks": _asks(each)}
            for each in names]})
    return rows


def _asks(name: str) -> str:
    """The beginning of an exercise's text; "" for other subjects."""
    if subject(name).kind != "exercise":
        return ""
    text = " ".join(exercises.statement(exercises.find(name))).replace(files.JOIN, " ")
    text = re.sub(r"^\S+ \[[^]]*\] ", "", text)
    return re.sub(r"\*(\w[^*`]*)\*|`", r"\1", text)[:200]


def _standing(name: str) -> str:
    """The progress with a subject; "" if it was not begun."""
    path = files.file_of(name)
    one = subject(name)
    if one.kind == "exercise" and exercises.find(name).standing:
        return exercises.find(name).standing
    if path.is_file() and one.kind != "lesson":
        return files.standing(name)
    return "changed" if path.is_file() and files.is_changed(name) else ""


def begin(one: Subject, restart: bool) -> str:
    """Creates the file if it is missing, or starts it again; returns a note for the user, often ""."""
    note = ""
    if one.kind == "own":
        return note
    with _saving, contextlib.redirect_stdout(io.StringIO()):
        if not one.path.is_file() or restart or not files.is_changed(one.file):
            files.need_unedited(one.base)
            if one.kind == "climb":
                from ladder.climb import task
                note = files.begin(one.file, task(one.name) + "\n" + files.read(lesson_source(one.base)), restart)
            elif one.kind == "exercise" and (restart or one.file == one.name):
                note = asking.begin(exercises.find(one.name), restart)
            else:
                note = files.begin(one.file, files.read(lesson_source(one.lesson)), restart)
    return note


def opened(one: Subject) -> Dict[str, Any]:
    """Everything that the page needs to know about a subject."""
    own_file = {"name": one.name, "kind": one.kind, "lesson": one.lesson, "path": one.shown, "text": text_of(one),
                "version": one.version, "questions": [], "hints": [], "more_hints": 0, "readme": ""}
    if one.kind == "own":
        return own_file
    facts = facts_of(one.lesson)
    exercise = exercises.find(one.name) if one.kind == "exercise" else None
    left = [each["name"] for each in exercise.left()] if exercise else []
    typed = files.state(one.name).get("typed")
    return {
        **own_file,
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
        die(USAGE, f"{one.shown} is too large: {one.path.stat().st_size} bytes, at most {MOST}")
    with open(one.path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def save(one: Subject, text: str, version: str) -> Dict[str, Any]:
    """Writes a text that is based on a version of the file, and returns {"version"}. If the file has changed since, it
    writes nothing and returns {"conflict": the file's version, "text"}."""
    if len(text.encode("utf-8", "surrogateescape")) > MOST:
        die(USAGE, f"the file is too large to save: more than {MOST} bytes")
    with _saving:
        now = one.version
        if version != now and now and text_of(one) != text:
            return {"conflict": now, "text": text_of(one)}
        if text_of(one) != text if now else True:
            replace_file(one.path, text)
        return {"version": one.version}


def keep(one: Subject, text: str) -> Dict[str, Any]:
    """Keeps a text that a tab discards in another file, so that no text is lost."""
    with _saving:
        path = files.spare(one.path)
        replace_file(path, text)
    return {"kept": path.name if one.kind == "own" else str(path.relative_to(ROOT))}


def hint(one: Subject) -> List[str]:
    """The hints given so far and the next one; for an exercise, a hint to a part that is not right yet."""
    if one.kind in ("lesson", "own"):
        die(USAGE, "only climbs and exercises have hints")
    if one.kind == "exercise":
        exercise = exercises.find(one.name)
        answering.hint(exercise, True)
        return answering.given(exercise)
    hints = CLIMB[one.name]["hints"]
    given = min(files.hints_given(one.name) + 1, len(hints))
    files.remember(one.name, hint=given)
    return list(hints[:given])


def compared(one: Subject) -> str:
    """The lesson to compare a file with: the one it was copied from; for an unchanged lesson, the one before ("" for
    lesson 00)."""
    if one.kind == "own":
        return ""
    if one.kind == "lesson" and code_hash(files.read(one.path)) == code_hash(files.read(lesson_source(one.lesson))):
        return below(one.lesson)
    return one.base


def changes(one: Subject) -> List[str]:
    """The lines of a unified diff from compared(), without file names; [] if there is nothing to compare with."""
    base = compared(one)
    old = files.read(lesson_source(base)).splitlines() if base else []
    return list(difflib.unified_diff(old, files.read(one.path).splitlines(), lineterm="", n=2))[2:] if base else []
