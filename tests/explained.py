"""The programs explain.NAME in the build folder LADDER_CPU_BUILD, and their counts."""
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
    """explain.NAME. NAME is a lesson or an edited copy, such as 06_smem_transpose.no_pad."""
    return BUILD / "bin" / ("explain." + name)


LESSONS = [facts.name for facts in every() if not facts.beyond]
BUILT = [facts.name for facts in every() if program(facts.name).exists()]


def run(name: str, *arguments: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([str(program(name)), *map(str, arguments)], stdout=subprocess.PIPE, check=False,
                          stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, encoding="utf-8")


@functools.lru_cache(maxsize=None)
def counted(name: str, *arguments: object) -> Dict[str, Any]:
    """The JSON object that a program prints. Without --fuse, shared loads are fused as nvcc fuses them."""
    fuse = [] if "--fuse" in arguments else widths(find(name.split(".")[0]).text)[0]
    done = run(name, *arguments, *fuse)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"explain.{name} {arguments}: {done.returncode}, {done.stderr}")
    return json.loads(done.stdout)


def line_of(lesson: str, text: str) -> int:
    """The number of the only line of a lesson's source that contains text."""
    found = [number for number, line in enumerate(find(lesson).text.split("\n"), 1) if text in line]
    if len(found) != 1:
        raise AssertionError(f"{lesson}: expected '{text}' on one line, found it on the lines {found}")
    return found[0]
