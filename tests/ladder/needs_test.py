"""Lessons of beyond/ that need an architecture: each command's message if the machine lacks it."""
import re
import shutil

from ladder.lessons import facts_of
from sandbox import SOURCE, Sandbox

H200 = {"NO_GPU": ""}
OLDER = {"NO_GPU": "", "CAPABILITY": "8.6"}
NEWER = {"NO_GPU": "", "CAPABILITY": "10.0"}


class Needs(Sandbox):
    def copy_tree(self) -> None:
        super().copy_tree()
        for name in ("11_wgmma", "12_persistent"):
            folder = self.tree / "beyond" / name
            folder.mkdir(parents=True)
            shutil.copy(SOURCE / "beyond" / name / "gemm.cu", folder)
        source = folder / "gemm.cu"  # lesson 12, as if it needed a GPU that the CPU backend cannot emulate
        source.write_text(source.read_text(encoding="utf-8").replace("sm_90a", "sm_100a"), encoding="utf-8")

    def refused(self, pattern: str, *arguments: str, env: object = None) -> None:
        """The command prints one line, ends with exit code 3 and builds nothing."""
        answer = self.expect(3, pattern, *arguments, env=env)  # type: ignore
        self.assertEqual(len((answer.out + answer.err).splitlines()), 1, answer)
        self.assertFalse([call for call in self.called() if "--build" in call or "--preset" in call])

    def test_without_a_gpu(self) -> None:
        for arguments in (["run", "12"], ["run", "08", "persistent"], ["test", "12"], ["test", "02", "12"]):
            self.refused("^ladder: 12_persistent needs sm_100a, which the CPU backend cannot emulate$", *arguments)
        self.refused("^ladder: 11_wgmma needs sm_90a: a GPU of compute capability 9.0, and nvcc$", "profile", "11")
        self.refused("needs an NVIDIA GPU", "bench", "11")
        self.expect(0, "^11_wgmma +right$", "run", "11")

    def test_with_another_gpu(self) -> None:
        for arguments in (["run", "11"], ["test", "11"], ["bench", "11"], ["profile", "11"],
                      ["profile", "--collect", "11"]):
            self.refused("^ladder: 11_wgmma needs sm_90a: a GPU of compute capability 9.0, not 8.6$", *arguments,
                         env=OLDER)
        self.refused("not an unknown one$", "run", "11", env={**H200, "CAPABILITY": " "})

    def test_the_cpu_backend(self) -> None:
        for arguments in (["explain", "12"], ["explain", "08", "--against", "12"], ["picture", "12"], ["mutate", "12"]):
            self.refused("^ladder: 12_persistent needs sm_100a, which the CPU backend cannot emulate$", *arguments,
                         env=H200)
        self.expect(0, "^Totals +11_wgmma$", "explain", "11", env=H200)

    def test_commands_that_need_no_gpu(self) -> None:
        self.expect(0, "^[1-9][0-9]* lines changed", "diff", "11")
        self.expect(0, "^practice/11_wgmma/gemm.cu is a copy of lesson 08", "climb", "11")
        facts = facts_of(self.tree / "practice" / "11_wgmma" / "gemm.cu")
        self.assertEqual((facts.needs, facts.fault), ("90a", ""))
        self.expect(0, "^00_naive +right$", "run", "00")

    def test_exercises(self) -> None:
        """Exercises with the tag GPU need the lesson's GPU. The others are answered from the source."""
        answer = self.expect(0, "^  yes: byte of As.0.: 1 504$", "check", "11.1", "1504")
        self.assertRegex(answer.out, "5 XOR 3")
        self.expect(1, "^  no:  byte of As.0.: not 1505$", "check", "11.1", "1505")
        self.expect(2, "^ladder: byte of As.0.: a number, not 'foo'$", "check", "11.1", "foo")
        self.refused("^ladder: exercise 11.5 needs an NVIDIA GPU, .*: ./ladder check 11.5 --answer$",
                     "check", "11.5")
        self.refused("^ladder: 11_wgmma needs sm_90a: .*, not 8.6$", "check", "11.5", env=OLDER)
        self.assertFalse((self.tree / "practice" / "11.5").exists())
        answer = self.expect(0, "^See the effect: ./ladder run 11.5, ", "check", "11.5", env=H200)
        self.assertRegex(answer.out, "(?m)^practice/11.5/gemm.cu is a copy of lesson 11")
        self.expect(0, "^[1-9] lines changed", "diff", "11.5")

    def test_with_its_gpu(self) -> None:
        self.expect(0, "^11_wgmma +2.250 .* right$", "run", "11", env=H200)
        path = self.tree / "docs" / "results" / "rtx_1.json"
        for word in ("11", "00"):  # the second run keeps the first one's rows
            self.expect(0, "wrote docs/results/rtx_1.json", "bench", word, "--processes", "1", env=H200)
            self.assertEqual(path.read_text(encoding="utf-8").count('{"lesson": "beyond/11_wgmma", "M": '), 17)
        self.expect(0, "wrote build/quick.json", "bench", "11", "--quick", env=H200)

    def test_tests_of_both(self) -> None:
        """The CPU build gets only the targets of lessons that it has."""
        self.ctest_says('<testcase name="x" time="1" status="run"/>')
        for lessons, env, *targets in ((["11"], H200, "gpu 11_wgmma.usual", "cpu 11_wgmma.usual"),
                                       (["12"], NEWER, "gpu 12_persistent.usual"),
                                       (["02", "12"], NEWER, "gpu 02_coalesced.usual 12_persistent.usual",
                                        "cpu 02_coalesced.usual")):
            self.calls.unlink(missing_ok=True)
            self.ladder("test", *lessons, env=env)
            self.assertEqual([re.sub(r"--build build/(\w+) .*--target", r"\1", call) for call in self.called()
                              if call.startswith("--build")], targets)

    def test_a_header_of_another_lesson(self) -> None:
        path = self.tree / "02_coalesced" / "gemm.cu"
        path.write_text("// Needs: sm_100a\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
        self.refused("^ladder: 02_coalesced needs sm_100a: a GPU of compute capability 10.0, not 9.0$",
                     "run", "02", env=H200)
