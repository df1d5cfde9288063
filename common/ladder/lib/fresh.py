"""Programs that were built and need no look by CMake: nothing that they are made of has changed since."""
import os
import pathlib
import time
from typing import Callable, Iterator, List

from ladder.lib.building import built, program, unusable
from ladder.lib.lessons import ROOT, lesson_source
from ladder.lib.output import MACHINE, die

_MADE_OF = ("CMakeLists.txt", "CMakePresets.json", "common", "common/harness", "common/simt")


def _parts(lesson: str) -> Iterator[pathlib.Path]:
    """What a program of the CPU build is made of: files, and folders, whose time tells of files that came or went."""
    yield lesson_source(lesson)
    yield built() / "CMakeCache.txt"
    for name in _MADE_OF:
        yield ROOT / name
    yield from (path for path in (ROOT / "common").iterdir() if path.is_file())
    for name in ("harness", "simt"):
        yield from (ROOT / "common" / name).rglob("*")


def _stamp(target: str) -> pathlib.Path:
    return built() / "fresh" / target


def is_fresh(target: str, lesson: str) -> bool:
    """Whether build_once() has made this program of a lesson from what is there now."""
    try:
        made = _stamp(target).stat().st_mtime
        return (program(target).is_file() and not unusable(built()) and
                all(path.stat().st_mtime < made for path in _parts(lesson)))
    except OSError:
        return False


def build_once(targets: List[str], build: Callable[[], object]) -> None:
    """Calls build(), which makes these programs, and notes when: a file that changes meanwhile is newer."""
    start = time.time()
    build()
    for target in targets:
        stamp = _stamp(target)
        try:
            stamp.parent.mkdir(exist_ok=True)
            stamp.touch()
            os.utime(stamp, (start, start))
        except OSError as error:
            die(MACHINE, f"cannot write {stamp}: {error.strerror}")
