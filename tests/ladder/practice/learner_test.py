"""./ladder climb and check as a learner calls them: first with lesson N-1 as N's practice file, then with lesson N. All
other objects come from the build folder LADDER_CPU_BUILD, which ctest sets, so CMake is not called."""
import json
import pathlib
import re
import subprocess
from typing import Any

from built import BUILT, Built
from sandbox import SOURCE


class Climbing(Built):
    def counts(self, program: pathlib.Path) -> Any:
        """The totals and the launches of an explain program."""
        done = subprocess.run([program, "96", "64", "40", "--json"], check=True, stdout=subprocess.PIPE)
        counts = json.loads(done.stdout)
        return counts["totals"], counts["launches"]

    def climb(self, number: str) -> None:
        """Lesson N-1 must fail the check of N, and lesson N must pass."""
        below, name = (next(SOURCE.glob("%02d_*" % at)).name for at in (int(number) - 1, int(number)))
        path = self.tree / "practice" / name / "gemm.cu"
        self.expect(2, "there is no practice/%s/gemm.cu; create it with ./ladder climb %s" % (name, number),
                    "check", number)
        self.expect(0, "^practice/%s/gemm.cu is a copy of lesson %s, with the task on top" % (name, below[:2]),
                    "climb", number)
        old, new = ((SOURCE / each / "gemm.cu").read_text(encoding="utf-8") for each in (below, name))
        text = path.read_text(encoding="utf-8")
        self.assertTrue(text.startswith("// Task: turn lesson %s, below, into lesson %s." % (below, name)), text)
        self.assertTrue(text.endswith("\n\n" + old), text)
        answer = self.expect(1, "^hint 1 of ", "check", number)
        self.assertRegex(answer.out, "(?m)^  holds: correct for every size")
        self.assertRegex(answer.out, r"(?m)^  fails: [^()]*\(need [^()]*\)[^()]*\n    practice/%s/gemm.cu:\d+: " % name)
        self.assertRegex(answer.out, r"(?m)^Correct, but (the idea of lesson %s is missing|only \d of the \d ideas of "
                         r"lesson %s are there)\.$" % (number, number))
        path.write_text(text.replace(old, new), encoding="utf-8")
        answer = self.expect(0, "^Passed: your lesson %s is correct and has its idea.$" % number,
                             "check", "practice/%s/gemm.cu" % name)
        self.assertNotIn("fails", answer.out)
        self.assertIn("\nNext climb: ./ladder climb %02d\n" % (int(number) + 1), answer.out)
        self.assertEqual(self.counts(self.tree / f"build/cpu/bin/explain.practice.{name}"),
                         self.counts(BUILT / f"bin/explain.{name}"))
        self.expect(0, "^%s .* climbed$" % name, "list")
        self.expect(0, "^practice/%s/gemm.cu +passed, 1 hint given " % name, "status")
        path.write_text(text.replace(old, new.replace("__global__ void", "__global__ vod")), encoding="utf-8")
        answer = self.expect(1, r"^practice/%s/gemm.cu:\d+:\d+: error: " % name, "check", number)
        self.assertLess(len(answer.err.splitlines()), 20)
        self.assertEqual(sum(call.startswith("--build") for call in self.called()), 1)
        self.expect(0, "^practice/%s/gemm.cu +changed since it passed" % name, "status")

    def test_02(self) -> None:
        self.climb("02")

    def test_08(self) -> None:  # has other element types
        self.climb("08")

    def test_missing_ideas_are_named(self) -> None:
        self.expect(0, "^practice/06_smem_transpose/gemm.cu is a copy of lesson 05", "climb", "06")
        path = self.tree / "practice/06_smem_transpose/gemm.cu"
        text = (SOURCE / "06_smem_transpose" / "gemm.cu").read_text(encoding="utf-8")
        path.write_text(text.replace("constexpr int PAD = 4;", "constexpr int PAD = 8;"), encoding="utf-8")
        answer = self.expect(0, "^Passed: your lesson 06 is correct and has 2 of its 3 ideas.$", "check", "06")
        self.assertRegex(answer.out, r"(?m)^  left:  stores to shared memory: a 2-way bank conflict \(need none\)\n"
                                     r"    practice/06_smem_transpose/gemm.cu:\d+: shared\[c\]")
        self.expect(0, "^06_smem_transpose .* climbed$", "list")

    def test_a_wrong_result_has_a_command_that_repeats_it(self) -> None:
        self.expect(0, "^practice/02_coalesced/gemm.cu is a copy of lesson 01", "climb", "02")
        path = self.tree / "practice/02_coalesced/gemm.cu"
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("acc += Acc", "acc -= Acc"), encoding="utf-8")
        answer = self.expect(1, "^  fails: correct for every size", "check", "02")
        repeat = re.search(r"(?m)^    repeat: ./ladder (run practice/02_coalesced [0-9].*)$", answer.out)
        self.assertTrue(repeat, answer.out)
        self.expect(1, "^02_coalesced +wrong|wrong", *repeat[1].split())  # type: ignore
