"""Runs the build's programs explain.NAME."""
import functools
import json
import os
import tempfile
import unittest
import unittest.mock
from typing import Tuple

from explained import run
from ladder.lessons import find
from ladder.lib.lessons import find_lesson
from ladder.pictures import gallery
from ladder.pictures.run import Choice, Run, read_run

CHANGED = {"PAD=0": ".no_pad", "SWIZZLE=1": ".no_swizzle"}  # the variants with these knobs


@functools.lru_cache(maxsize=None)
def traced(name: str, sizes: Tuple[int, ...], of_picture: bool = False) -> dict:
    """The trace that explain.NAME writes. of_picture: with the simulated card of the pictures."""
    with tempfile.TemporaryDirectory() as folder, \
            unittest.mock.patch.dict(os.environ, gallery.CARD if of_picture else {}):
        path = os.path.join(folder, "trace.json")
        done = run(name, *sizes, "--trace", path)
        if done.returncode != 0:
            raise AssertionError("%s: %s" % (name, done.stderr))
        with open(path, encoding="utf-8") as file:
            return json.load(file)


@functools.lru_cache(maxsize=None)
def trace(lesson: str, sizes: Tuple[int, ...] = (), warp: int = 0, change: str = "") -> Run:
    """The run of a lesson's warp. change: one of CHANGED, or ""."""
    source, words = find(lesson).text, ""
    if change:
        source, words = gallery.changed_source(source, change)
    data = traced(lesson + CHANGED.get(change, ""), tuple(sizes or gallery.default_sizes(source)), True)
    return read_run(data, lesson, source, words, warp)


def check_entry(test: unittest.TestCase, entry: gallery.Entry) -> None:
    """A README's picture is up to date: byte by byte with EXACT=1, else its description."""
    lesson = find_lesson(entry.lesson)
    traced = trace(lesson, change=entry.change)
    path = gallery.path_of(entry, lesson)
    new, sentence = gallery.draw(traced, entry.kind, Choice(None, entry.arrays), find(lesson).text,
                                 gallery.entry_command(entry, traced))
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    test.assertEqual(gallery.alternative(old), sentence, "%s is out of date: run ./ladder picture --all" % path)
    if os.environ.get("EXACT") == "1":
        test.assertTrue(old == new, "%s is out of date: run ./ladder picture --all" % path)
