"""./ladder climb and check: their messages in a sandbox, and their verdicts on the lessons themselves."""
import functools
import importlib
import json
import os
import shutil
import subprocess
import unittest

from sandbox import SOURCE, Sandbox


class Judgement(unittest.TestCase):
    """Each lesson meets the conditions of its climb, and the previous one does not. Needs built programs."""

    def test_lessons(self) -> None:
        if not os.environ.get("LADDER_CPU_BUILD"):
            self.skipTest("LADDER_CPU_BUILD names no build; ctest sets it")
        judge = importlib.import_module("ladder.judging.judge")
        ladder = importlib.import_module("ladder")
        self.assertEqual(sorted(judge.CLIMB), [*ladder.lessons()[1:], *ladder.beyond()])
        self.assertEqual(set(judge.CONDITIONS), {each for name in judge.CLIMB for each in judge.requires(name)})
        for name in judge.CLIMB:
            for each in (name, ladder.below(name)):
                path = ladder.lesson_source(each)
                found = judge.climbs(name, path.read_text(encoding="utf-8"),
                                     functools.partial(judge.count, each, each, path))
                failing = [verdict for verdict in found if verdict.kind == "fails"]
                self.assertEqual(bool(failing), each != name, found)
                if each == name:  # the lesson itself meets all conditions
                    self.assertEqual({verdict.kind for verdict in found}, {"holds"}, found)
                    self.assertEqual(*judge.ideas_there(found))
            self.assertTrue(judge.CLIMB[name]["hints"])
            print("%s: %s" % (name, "; ".join(verdict.words for verdict in failing)))

    def test_an_error_in_a_counted_run(self) -> None:
        """Such a file is wrong, even if it has passed the suite."""
        judge = importlib.import_module("ladder.judging.judge")
        found = importlib.import_module("ladder.judging.figures").Figures({}, {}, {"finding": "gemm.cu:5: reads A[9]"})
        found.error = {"kind": "global_out_of_bounds"}
        with self.assertRaisesRegex(importlib.import_module("ladder").Stop, "02_coalesced fails .*: gemm.cu:5: reads A"):
            judge.climbs("02_coalesced", "", lambda words: found)


class Figures(unittest.TestCase):
    def setUp(self) -> None:
        self.module = importlib.import_module("ladder.judging.figures")
        explained = {"totals": {"fma": 120}, "arrays": [
            {"line": 1, "array": "A", "global_load": {"requests": 2, "sectors": 64}},
            {"line": 9, "array": "A", "global_load": {"requests": 2, "sectors": 16}}]}
        other = self.module.Figures({"totals": {"fma": 60}}, {}, {})
        rest = {"outcome": "right", "line": 3.0, "M": 4, "N": 5, "K": 6}
        self.figures = self.module.Figures(explained, {"BK": 8}, rest, {"before": lambda: other})

    def test_expressions(self) -> None:
        for text, value in (("A.global_load.sectors / A.global_load.requests", 20), ("total.fma / (M * N * K)", 1),
                            ("all.global_load.sectors - 8", 72), ("knob.BK + 0.5", 8.5), ("0 / 0", 0),
                            ("B.global_load.sectors", 0), ("total.fma / before.total.fma", 2),
                            ("outcome", "right"), ("line", 3), ("'wrong'", "wrong")):
            self.assertEqual(self.module.evaluate(text, self.figures), value, text)

    def test_bad_expressions(self) -> None:
        for text in ("", "total.nothing", "knob.BM", "A", "M +", "f(3)", "M ** N", "outcome + 1",
                     "__import__('os')", "before.before.M", "[1]"):
            with self.assertRaises(self.module.Unknown, msg=text):
                self.module.evaluate(text, self.figures)


class Commands(Sandbox):
    def test_climb_keeps_a_changed_file(self) -> None:
        path = self.practice("02_coalesced", "mine\n")
        self.expect(0, "exists, and your changes are kept", "climb", "02")
        self.assertEqual(path.read_text(encoding="utf-8"), "mine\n")

    def test_one_hint_at_a_time(self) -> None:
        self.practice("02_coalesced", "mine\n")
        hints = json.loads((SOURCE / "common/ladder/judging/climb.json").read_text(
            encoding="utf-8"))["climbs"]["02_coalesced"]["hints"]
        for at in [*range(len(hints)), 0]:
            answer = self.expect(0, "^hint %d of %d: " % (at + 1, len(hints)), "check", "2", "--hint")
            self.assertEqual(" ".join(answer.out.split("\n")[0].split()[4:6]), " ".join(hints[at].split()[:2]))
        for damaged in ("{", "[]", '{"hint": "x"}', '{"hint": -5}'):
            (self.tree / "practice/02_coalesced/state.json").write_text(damaged, encoding="utf-8")
            self.expect(0, "^hint [0-9]+ of ", "check", "practice/02_coalesced/gemm.cu", "--hint")

    def test_a_lesson_without_a_task(self) -> None:
        (self.tree / "13_new").mkdir()
        (self.tree / "13_new" / "gemm.cu").write_text("// 13_new: x\n// Changed from 08_tensor_core_wmma: y\n", encoding="utf-8")
        for command in ("climb", "check"):
            self.expect(2, "^ladder: 13_new has no task yet in common/ladder/judging/climb.json$", command, "13")

    def test_restart_keeps_the_old_file(self) -> None:
        name = "06.5"
        self.expect(0, "practice/%s/gemm.cu is a copy of lesson " % name, "check", name, "--restart")
        path = self.tree / "practice" / name / "gemm.cu"
        first = path.read_text(encoding="utf-8")
        self.assertTrue(first.endswith("// Exercise %s\n" % name))
        path.write_text("mine\n", encoding="utf-8")
        self.expect(0, r"kept as practice/%s/gemm.cu.before" % name, "check", name, "--restart")
        self.assertEqual(path.read_text(encoding="utf-8"), first)
        self.assertEqual(path.with_name("gemm.cu.before").read_text(encoding="utf-8"), "mine\n")
        path.write_text("mine, too\n", encoding="utf-8")
        self.expect(0, r"kept as practice/%s/gemm.cu.before.2.$" % name, "check", name, "--restart")
        self.assertEqual(path.with_name("gemm.cu.before").read_text(encoding="utf-8"), "mine\n")
        self.assertEqual(path.with_name("gemm.cu.before.2").read_text(encoding="utf-8"), "mine, too\n")

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_an_edited_lesson_is_no_reference(self) -> None:
        self.practice("01_shared_tile", "mine\n")
        lesson = self.tree / "00_naive" / "gemm.cu"
        for command in (["init", "-q"], ["add", "."], ["-c", "user.name=x", "-c", "user.email=x",
                                                      "commit", "-q", "-m", "x"]):
            subprocess.run(["git", *command], cwd=str(self.tree), check=True)
        self.expect(2, "exercise 00.1 asks for", "check", "00.1")
        with lesson.open("a", encoding="utf-8") as file:
            file.write("// edited\n")
        message = "^ladder: 00_naive/gemm.cu is edited, .*: git checkout 00_naive/gemm.cu$"
        self.expect(2, message, "check", "00.1", "1", "4", "4", "2621440")
        self.expect(2, message, "climb", "01", "--restart")
        (self.tree / "01_shared_tile" / "gemm.cu").write_text("edited\n", encoding="utf-8")
        self.expect(2, "^ladder: 01_shared_tile/gemm.cu is edited", "check", "01")
