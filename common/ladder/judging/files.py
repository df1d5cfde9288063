"""practice/NAME/gemm.cu: a learner's file. ./ladder never loses a learner's changes."""
import hashlib
import json
import pathlib
import re
import textwrap
from typing import Any, Dict, List

from ladder import (ROOT, RUN, USAGE, Source, build, built, die, learner_path, lesson_file, lesson_folder, lock, make,
                    output_of, practice_file, program, read_json, replace_file)

FOLDER = ROOT / "practice"
JOIN = "\u00a0"  # a non-breaking space


def file_of(name: str) -> pathlib.Path:
    return FOLDER / name / "gemm.cu"


def shown_path(name: str) -> str:
    """The file's path as a user types it."""
    return "practice/%s/gemm.cu" % name


def _state_file(name: str) -> pathlib.Path:
    return FOLDER / name / "state.json"


def state(name: str) -> Dict[str, Any]:
    """What ./ladder knows about a practice file: "start", the hash of the text it started with; "hint", how many
    hints were given; "passed", the hash of the last version that passed ./ladder check."""
    return read_json(_state_file(name))


def remember(name: str, **values: Any) -> None:
    replace_file(_state_file(name), json.dumps({**state(name), **values}, sort_keys=True) + "\n")


def hints_given(name: str) -> int:
    value = state(name).get("hint")
    return value if isinstance(value, int) and value >= 0 else 0


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def read(path: pathlib.Path) -> str:
    return path.read_text(encoding="utf-8", errors="surrogateescape")


def digest(name: str) -> str:
    """The hash of the practice file as it is now; "" if there is none."""
    return digest_of(file_of(name))


def digest_of(path: pathlib.Path) -> str:
    """The hash of a file; "" if there is none."""
    return _hash(read(path)) if path.is_file() else ""


def is_changed(name: str) -> bool:
    """Whether there is a file that differs from what ./ladder put there."""
    return digest(name) not in ("", state(name).get("start"))


def has_passed(name: str) -> bool:
    """Whether a version of the file, perhaps an older one, has passed ./ladder check."""
    return bool(state(name).get("passed"))


def standing(name: str) -> str:
    """The progress with a practice file, in words."""
    if digest(name) == state(name).get("passed"):
        return "passed"
    if not is_changed(name):
        return "unchanged"
    return "changed since it passed" if has_passed(name) else "changed, not passed yet"


def spare(path: pathlib.Path) -> pathlib.Path:
    """Where to keep a file that is about to be replaced: gemm.cu.before, or .before.2 and so on if that is taken."""
    kept, number = path.with_name(path.name + ".before"), 1
    while kept.exists():
        number += 1
        kept = path.with_name(f"{path.name}.before.{number}")
    return kept


def begin(name: str, text: str, restart: bool) -> str:
    """Puts text into a practice file, unless it has changes. With restart it keeps the changed file as a spare(), and
    prints and returns a line that says so; else it returns ""."""
    lock()
    path, note = file_of(name), ""
    if is_changed(name):
        if not restart:
            return ""
        kept = spare(path)
        replace_file(kept, read(path))
        note = "Your file is kept as %s." % kept.relative_to(ROOT)
        print(note)
    replace_file(path, text)
    remember(name, start=_hash(text), hint=0)
    return note


def comment(lines: List[str]) -> str:
    """Lines as a C++ comment of at most 100 columns; continuation lines keep the indentation."""
    out = []
    for line in lines:
        indent = re.match(r" *(?:- )?", line)[0]  # type: ignore
        out += textwrap.wrap(line, 97, subsequent_indent=" " * len(indent), break_long_words=False,
                             break_on_hyphens=False) or [""]
    return "".join(("// " + line).rstrip() + "\n" for line in out).replace(JOIN, " ")


def source_of(folder: str) -> Source:
    """The gemm.cu of a lesson or of practice/NAME."""
    return practice_file(pathlib.Path(folder).name) if is_practice(folder) else lesson_file(folder)


def build_folders(backend: str, folders: List[str]) -> None:
    """Builds the programs that ./ladder run runs, for lessons and files in practice/."""
    if backend == "cpu":
        make(*((source_of(folder), RUN) for folder in folders))
        return
    own = [pathlib.Path(folder).name for folder in folders if is_practice(folder)]
    known = built(backend) / "lessons.cmake"
    text = read(known) if known.exists() else ""
    new = not all(f"LADDER_TYPES_practice.{name} " in text for name in own)
    build(backend, *map(target_of, folders), reconfigure=new)


def is_practice(folder: str) -> bool:
    return folder.startswith("practice/")


def target_of(folder: str) -> str:
    """The build's name: practice.02.3 for practice/02.3, the lesson's name for a lesson."""
    return folder.replace("/", ".")


def program_of(folder: str, backend: str) -> pathlib.Path:
    """The path of the program of a lesson or of a file in practice/."""
    return program(target_of(folder), backend)


def with_practice_path(name: str, text: str) -> str:
    """A program's output with the practice file's path as the learner knows it. name: as 02.3 or practice/02.3."""
    name = name.rpartition("/")[2]
    return re.sub(r"(?<![\w./])%s/gemm\.cu" % re.escape(name), shown_path(name), learner_path(text))


def required(name: str, how: str) -> pathlib.Path:
    """The practice file; if it is missing, ends the command with a message that says how to create it."""
    path = file_of(name)
    if not path.is_file():
        die(USAGE, "there is no %s; create it with %s" % (shown_path(name), how))
    return path


def need_unedited(lesson: str) -> None:
    """Ends the command if a lesson differs from git's version: climbs and exercises are compared with it, and an edited
    lesson would make right answers wrong. Without git it does nothing."""
    path = lesson_folder(lesson) + "/gemm.cu"
    status, text = output_of(["git", "-C", str(ROOT), "status", "--porcelain", "--untracked-files=no", "--", path])
    if status == 0 and text:
        die(USAGE, "%s is edited, but climbs and exercises are compared with the original; restore it: "
            "git checkout %s" % (path, path))
