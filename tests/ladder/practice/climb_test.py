"""./ladder climb and check: their words in a sandbox, and their judgement backwards, by the lessons."""
import functools
import importlib
import json
import os
import pathlib
import shutil
import subprocess
import unittest
import unittest.mock
from typing import Any, Dict, List

from sandbox import SOURCE, Sandbox


class Judgement(unittest.TestCase):
    """Each lesson does what its climb asks for, and the one before it does not. Needs built programs."""

    def test_backwards(self) -> None:
        if not os.environ.get("LADDER_CPU_BUILD"):
            self.skipTest("LADDER_CPU_BUILD names no build; ctest sets it")
        judge = importlib.import_module("ladder.judging.judge")
        ladder = importlib.import_module("ladder")
        self.assertEqual(sorted(judge.CLIMB), [*ladder.lessons()[1:], *ladder.beyond()[:2]])
        self.assertEqual(set(judge.CONDITIONS), {each for climb in judge.CLIMB.values() for each in climb["requires"]})
        for name in judge.CLIMB:
            for each in (name, ladder.below(name)):
                path = ladder.lesson_source(each)
                found = judge.climbs(name, path.read_text(encoding="utf-8"),
                                     functools.partial(judge.count, each, each, path))
                failing = [verdict for verdict in found if not verdict.holds]
                self.assertEqual(bool(failing), each != name, found)
            self.assertTrue(judge.CLIMB[name]["hints"])
            print("%s: %s" % (name, "; ".join(verdict.words for verdict in failing)))


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

    def test_what_is_no_expression(self) -> None:
        for text in ("", "total.nothing", "knob.BM", "A", "M +", "f(3)", "M ** N", "outcome + 1",
                     "__import__('os')", "before.before.M", "[1]"):
            with self.assertRaises(self.module.Unknown, msg=text):
                self.module.evaluate(text, self.figures)

    def test_answers_as_people_type_them(self) -> None:
        same = self.module.same
        for value, word in ((1048576.0, "1 048 576"), (1048576.0, "2^20"), (1048576.0, "1048576"),
                            (0.125, "12.5 %"), (0.75, "3/4"), (1.5, "1,5"), (32.0, "32.1"),
                            ("right", " Right."), (0.0, "0")):
            self.assertTrue(same(value, word, 0.01), word)
        for value, word in ((32.0, "33"), (32.0, ""), (32.0, "x"), (32.0, "nan"), (32.0, "1/0"),
                            ("right", "wrong"), ("right", ""), (0.0, "0.1"), (5.0, "1e999")):
            self.assertFalse(same(value, word, 0.01), word)


class Words(Sandbox):
    def put(self, name: str, text: str) -> pathlib.Path:
        path = self.tree / "practice" / name / "gemm.cu"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def test_a_changed_file_stays(self) -> None:
        path = self.put("02_coalesced", "mine\n")
        self.expect(0, "with your changes, and stays as it is", "climb", "02")
        self.assertEqual(path.read_text(encoding="utf-8"), "mine\n")

    def test_hints_one_at_a_time(self) -> None:
        self.put("02_coalesced", "mine\n")
        hints = json.loads((SOURCE / "common/ladder/judging/climb.json").read_text(
            encoding="utf-8"))["climbs"]["02_coalesced"]["hints"]
        for at in [*range(len(hints)), 0]:
            answer = self.expect(0, "^hint %d of %d: " % (at + 1, len(hints)), "check", "2", "--hint")
            self.assertEqual(" ".join(answer.out.split("\n")[0].split()[4:6]), " ".join(hints[at].split()[:2]))
        for damaged in ("{", "[]", '{"hint": "x"}', '{"hint": -5}'):
            (self.tree / "practice/02_coalesced/state.json").write_text(damaged, encoding="utf-8")
            self.expect(0, "^hint [0-9]+ of ", "check", "practice/02_coalesced/gemm.cu", "--hint")

    @staticmethod
    def exercises() -> List[Dict[str, Any]]:
        return [each for path in sorted((SOURCE / "common/ladder/judging/exercises").glob("*.json"))
                for each in json.loads(path.read_text(encoding="utf-8"))["exercises"]]

    def test_an_edit_has_a_file_of_its_own(self) -> None:
        for name in ("00.3", "08.1"):
            lesson = next(self.tree.glob(name[:2] + "_*/gemm.cu"))
            before = lesson.read_text(encoding="utf-8")
            self.expect(2, "there is no practice/%s/gemm.cu; ./ladder check %s makes it" % (name, name),
                        "run", name)
            self.expect(0, "^practice/%s/gemm.cu is lesson " % name, "check", name, "--restart")
            # The task stands behind it: a line has the number that it has in the lesson.
            copy = (self.tree / "practice" / name / "gemm.cu").read_text(encoding="utf-8")
            self.assertTrue(copy.startswith(before + "\n// "))
            self.assertEqual(lesson.read_text(encoding="utf-8"), before)
        self.expect(2, "exercise 02.3 is no edit", "check", "02.3", "--restart")
        self.expect(2, "exercise 02.3 has nothing to edit; ./ladder check 02.3 asks", "run", "02.3")
        self.expect(2, "it takes no numbers$", "check", "08.3", "error", "--restart")
        self.expect(2, "^ladder: the run: right, wrong or error, not '7'$", "check", "08.3", "7")
        self.expect(2, "no exercise called '02.9'; did you mean 02.5", "explain", "02.9")

    def test_what_this_machine_lacks(self) -> None:
        asking = importlib.import_module("ladder.judging.asking")
        stop = importlib.import_module("ladder").Stop
        for name, tag, need in (("03.2", "nvcc", "needs nvcc "), ("08.6", "GPU", "needs an NVIDIA GPU")):
            with unittest.mock.patch.multiple(asking, find_nvcc=lambda: "", has_gpu=lambda: False), \
                    self.assertRaises(stop) as raised:
                asking.check(asking.Exercise(name, "03_thread_tile", {"tag": tag}), [], False)
            self.assertEqual(raised.exception.code, 3)
            self.assertIn(need, raised.exception.message)
            self.assertNotIn("\n", raised.exception.message)
        self.expect(2, "exercise 03.3 asks for 1 number ", "check", "03.3", "1", "2")
        self.expect(2, "exercise 03.3 asks for: ", "check", "03.3")

    def test_a_lesson_without_a_task(self) -> None:
        (self.tree / "13_new").mkdir()
        (self.tree / "13_new" / "gemm.cu").write_text("// 13_new: x\n// Changed from 08_tensor_core_wmma: y\n", encoding="utf-8")
        for command in ("climb", "check"):
            self.expect(2, "^ladder: 13_new has no task yet in common/ladder/judging/climb.json$", command, "13")

    def test_restart_keeps_the_old_file(self) -> None:
        name = next(each["id"] for each in self.exercises() if "conditions" in each)
        self.expect(0, "practice/%s/gemm.cu is lesson " % name, "check", name)
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

    @unittest.skipUnless(shutil.which("git"), "git tells what was edited")
    def test_an_edited_lesson_judges_nobody(self) -> None:
        self.put("01_shared_tile", "mine\n")
        lesson = self.tree / "00_naive" / "gemm.cu"
        for words in (["init", "-q"], ["add", "."], ["-c", "user.name=x", "-c", "user.email=x",
                                                    "commit", "-q", "-m", "x"]):
            subprocess.run(["git", *words], cwd=str(self.tree), check=True)
        self.expect(2, "exercise 00.1 asks for", "check", "00.1")
        with lesson.open("a", encoding="utf-8") as file:
            file.write("// edited\n")
        told = "^ladder: 00_naive/gemm.cu is edited, .*: git checkout 00_naive/gemm.cu$"
        self.expect(2, told, "check", "00.1", "1", "4", "4", "2621440")
        self.expect(2, told, "climb", "01", "--restart")
        (self.tree / "01_shared_tile" / "gemm.cu").write_text("edited\n", encoding="utf-8")
        self.expect(2, "^ladder: 01_shared_tile/gemm.cu is edited", "check", "01")
