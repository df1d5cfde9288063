"""./ladder mutate: how mutants are judged, what is kept of it, and the page that tells."""
import importlib
import json
import pathlib
import shutil
import sys
import tempfile
import threading
import time
import unittest
from typing import List
from unittest import mock

from sandbox import SOURCE

from ladder import Stop
from ladder.mutation import judge, kept, operators, programs, report, survivors

sys.path.insert(0, str(SOURCE / "tests" / "lessons" / "variants"))
edits = importlib.import_module("edits")

SOURCE_TEXT = """\
void f(int a) {
  a = b + c;
}
"""


class Edits(unittest.TestCase):
    def test_each_fits_its_lesson(self) -> None:
        found = edits.read()
        self.assertGreater(len(found), 50)
        self.assertEqual(len({(each.lesson, each.name) for each in found}), len(found))
        for each in found:
            text = (SOURCE / each.lesson / "gemm.cu").read_text(encoding="utf-8")
            self.assertNotEqual(each.apply(text), text)

    def test_what_does_not_fit(self) -> None:
        for pieces in ([("no such text", "")], [("p.alpha", "")]):
            with self.assertRaises(Stop):
                edits.Planted("gpu", "00_naive", "x", "y", pieces).apply("p.alpha * p.alpha")


class Programs(unittest.TestCase):
    def test_a_limit_and_an_end(self) -> None:
        runner = programs.Runner()
        with programs.work_folder("00_test", 0) as folder:
            self.assertEqual(runner.run(["sh", "-c", "exit 7"], folder, 9), 7)
            self.assertEqual(runner.run(["sh", "-c", "while :; do :; done"], folder, 0), 124)
            self.assertEqual(runner.run(["sleep", "1.5"], folder, 0), 0)  # waiting is no work
            runner.close()
            self.assertEqual(runner.run(["true"], folder, 9), 125)
        self.assertFalse(folder.exists())

    def test_close_ends_what_runs(self) -> None:
        runner = programs.Runner()
        with programs.work_folder("00_test", 1) as folder:
            timer = threading.Timer(0.2, runner.close)
            timer.start()
            start = time.monotonic()
            self.assertEqual(runner.run(["sh", "-c", "sleep 60; true"], folder, 60), -9)
            self.assertLess(time.monotonic() - start, 30)
            timer.join()
        self.assertEqual(runner.running, set())


class Judging(unittest.TestCase):
    """Lesson.judge() with stand-ins for compiler and tests: an object is the source, tests fail by it."""

    def setUp(self) -> None:
        self.ran: List[str] = []
        self.text = SOURCE_TEXT
        self.mutant = [each for each in operators.mutants(self.text) if "'+' becomes '-'" in each.edit][0]
        self.rejects = ""
        path = mock.patch.object(kept, "BUILD", pathlib.Path(tempfile.mkdtemp()))
        for each in (path, mock.patch.object(judge, "compiled", self.made),
                     mock.patch.object(judge, "tested", self.runs)):
            each.start()
            self.addCleanup(each.stop)
        self.addCleanup(shutil.rmtree, kept.BUILD)

    def made(self, _runner: object, _command: object, folder: pathlib.Path, text: str) -> bool:
        (folder / "gemm.o").write_text(text, encoding="utf-8")
        return "++" not in text

    def runs(self, _runner: object, _recipe: object, folder: pathlib.Path, words: List[str], *_: object) -> int:
        if (folder / "gemm.o").read_text(encoding="utf-8") == self.text:
            return 0  # the lesson itself
        self.ran.append(words[0])
        return int(words[0] == self.rejects)

    def judge(self, *names: str, quick: bool = False, mutant: object = None) -> object:
        lesson = object.__new__(judge.Lesson)
        lesson.runner = programs.Runner()
        lesson.recipe = programs.Recipe("00_test", [], {}, self.text.encode())
        lesson.text, lesson.limits, lesson.objects = self.text, {}, {}
        lesson.tests = [judge.Test(name, [name], name.lower()) for name in names]
        lesson.kept = kept.Kept("00_test", lesson.recipe.original, self.text)
        lesson.guards = {name: threading.Lock() for name in names}
        self.ran = []
        found = lesson.judge(0, mutant or self.mutant, quick)
        lesson.kept.write()
        return found

    def test_the_first_test_that_fails_rejects(self) -> None:
        self.rejects = "B"
        found = self.judge("A", "B", "C")
        self.assertEqual((found.status, found.by, self.ran), (judge.REJECTED, "B", ["A", "B"]))
        self.assertEqual((self.judge("A", "B", "C"), self.ran), (found, []))  # it is kept
        self.judge("A", "C")  # the test that rejected it has changed
        self.assertEqual(self.ran, ["A", "C"])

    def test_a_new_test_judges_what_survived(self) -> None:
        self.assertEqual(self.judge("A", "B", quick=True).status, judge.SURVIVED)
        self.assertEqual(self.ran, ["A"])
        self.assertEqual((self.judge("A", "B").status, self.ran), (judge.SURVIVED, ["B"]))
        self.rejects = "C"
        self.assertEqual((self.judge("A", "B", "C").status, self.ran), (judge.REJECTED, ["C"]))

    def test_what_is_no_mutant(self) -> None:
        same = self.mutant._replace(new="+")
        self.assertEqual((self.judge("A", mutant=same).status, self.ran), (judge.SAME, []))
        broken = self.mutant._replace(new="++ ++", edit="broken")
        self.assertEqual((self.judge("A", mutant=broken).status, self.ran), (judge.NOT_COMPILED, []))

    def test_another_source_is_judged_anew(self) -> None:
        self.judge("A")
        self.text += "\n"
        self.judge("A")
        self.assertEqual(self.ran, ["A"])
        (kept.BUILD / "mutate" / "00_test.json").write_text("{", encoding="utf-8")
        self.judge("A")
        self.assertEqual(self.ran, ["A"])


class Page(unittest.TestCase):
    def test_survivors_stand_by_reason(self) -> None:
        edits = ["loop: e%d in `a | b`" % i for i in range(3)]
        result = {"mutants": 9, "seed": None, "source": "", "rejected by": {},
                  "operators": {"loop": {"not compiled": 1, "same": 1, "rejected": 4}},
                  "survivors": [{"line": 7, "operator": "loop", "edit": each} for each in edits]}
        entries = [survivors.Entry("equivalent", "*", "loop: e1...", "the same"),
                   survivors.Entry("equivalent", "*", "loop: e2...", "the same")]
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        (folder / "data").write_text(json.dumps({"03_test": result}), encoding="utf-8")
        with mock.patch.object(report, "DATA", folder / "data"), \
                mock.patch.object(report, "PAGE", folder / "page"), \
                mock.patch.object(report, "ROOT", folder), \
                mock.patch.object(survivors, "read", lambda: entries):
            self.assertEqual(report.write(), "page")
        text = (folder / "page").read_text(encoding="utf-8")
        self.assertIn("| 03_test | 9 | 9 | all | 1 | 1 | 2 | 4 | 0 | 1 | 80.0 % |", text)
        self.assertIn("- 03_test:7 `loop: e0 in a \\| b`", text)
        self.assertIn("| the same | 2 | 03: 2 | 03:7 `loop: e1 in a \\| b` |", text)
        self.assertIn("## Open: bugs that no test catches yet\n\nNone.", text)
