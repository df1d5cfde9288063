"""The programs explain.NAME that the build in LADDER_CPU_BUILD has made, and what they count."""
import functools
import json
import os
import pathlib
import subprocess
from typing import Any, Dict

from ladder.explaining.widths import widths
from ladder.lessons import every, find

BUILD = pathlib.Path(os.environ.get("LADDER_CPU_BUILD", "/nowhere"))


def program(name: str) -> pathlib.Path:
    """explain.NAME, of a lesson or, as 06_smem_transpose.no_pad, of an edited copy."""
    return BUILD / "bin" / ("explain." + name)


LESSONS = [facts.name for facts in every() if not facts.beyond]
BUILT = [facts.name for facts in every() if program(facts.name).exists()]


def run(name: str, *words: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([str(program(name)), *map(str, words)], stdout=subprocess.PIPE, check=False,
                          stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, encoding="utf-8")


@functools.lru_cache(maxsize=None)
def counted(name: str, *words: object) -> Dict[str, Any]:
    """The JSON object of a program; shared loads are fused as nvcc's are unless the words say how."""
    fuse = [] if "--fuse" in words else widths(find(name.split(".")[0]).text)[0]
    done = run(name, *words, *fuse)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"explain.{name} {words}: {done.returncode}, {done.stderr}")
    return json.loads(done.stdout)


def line_of(lesson: str, text: str) -> int:
    """The number of the one line of a lesson's source that holds text."""
    found = [number for number, line in enumerate(find(lesson).text.split("\n"), 1) if text in line]
    if len(found) != 1:
        raise AssertionError(f"{lesson}: '{text}' stands in the lines {found}")
    return found[0]
