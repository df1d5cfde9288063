"""A program that was built is not looked at by CMake again until something that it is made of has changed."""
import os
import pathlib
import tempfile
import time
import unittest
from unittest import mock

from ladder.lib import fresh


class FreshTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.source = self.write("02_coalesced/gemm.cu")
        for name in ("CMakeLists.txt", "CMakePresets.json", "common/harness/program/options.cu",
                     "common/simt/report.h", "common/lesson.h", "build/CMakeCache.txt"):
            self.write(name)
        for path in self.root.rglob("*"):
            os.utime(path, (1000, 1000))
        for name, value in (("ROOT", self.root), ("built", lambda: self.root / "build"), ("unusable", lambda _: ""),
                            ("lesson_source", lambda _: self.source), ("program", lambda _: self.root / "program")):
            patch = mock.patch.object(fresh, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def write(self, name: str) -> pathlib.Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
        return path

    def build(self) -> None:
        fresh.build_once(["explain.02"], lambda: self.write("program"))

    def is_fresh(self) -> bool:
        return fresh.is_fresh("explain.02", "02_coalesced")

    def test_until_something_changes(self) -> None:
        self.assertFalse(self.is_fresh())
        self.build()
        self.assertTrue(self.is_fresh())
        later = time.time() + 10
        for name in ("02_coalesced/gemm.cu", "common/harness/program/options.cu", "common/lesson.h",
                     "CMakeLists.txt", "build/CMakeCache.txt"):
            os.utime(self.root / name, (later, later))
            self.assertFalse(self.is_fresh(), name)
            os.utime(self.root / name, (1000, 1000))
            self.assertTrue(self.is_fresh(), name)

    def test_files_that_come_and_go(self) -> None:
        self.build()
        time.sleep(0.05)  # the clock of files is coarse
        self.write("common/simt/new.h")
        self.assertFalse(self.is_fresh())
        self.build()
        (self.root / "program").unlink()
        self.assertFalse(self.is_fresh())

    def test_an_edit_while_it_is_built(self) -> None:
        def build() -> None:
            time.sleep(0.05)
            self.write("02_coalesced/gemm.cu")
            self.write("program")
        fresh.build_once(["explain.02"], build)
        self.assertFalse(self.is_fresh())
