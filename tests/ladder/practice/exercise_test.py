"""./ladder check of exercises: answers as people type them, the dialogue on a terminal, the verdicts on files. Right and
wrong edits are in common/ladder/judging/exercises; the rows LESSON.answers judge all of them."""
import importlib
import os
import pty
import re
import select
import time
import unittest
import unittest.mock
from typing import List

from built import BUILT, Built
from sandbox import SOURCE, Answer, Sandbox


class Typed(unittest.TestCase):
    def setUp(self) -> None:
        self.module = importlib.import_module("ladder.judging.typed")

    def test_right(self) -> None:
        for value, word, question in (
                (1048576.0, "1 048 576", ""), (1048576.0, "2^20", ""), (1048576.0, "1,048,576", ""),
                (1048576.0, "1.05e6", ""),
                (1024.0, "1,024", ""), (1.024, "1,024", ""), (1.5, "1,5", ""), (0.01, "1e-2", ""), (0.75, "3/4", ""),
                (0.125, "12.5 %", ""), (2.7778, "2.78 %", "in percent"), (2.7778, "2.78%", "in percent"),
                (2.7778, "1/36", "in percent"), (2.7778, "0.0278", "in percent"), (2.7778, "2.78", "in percent"),
                (4096.0, "4 KB", "bytes of a block"), (4096.0, "4KiB", "bytes"), (12288.0, "12288 bytes", "bytes"),
                (4.0, "4 sectors", "sectors per request"), (1.611, "1.61 GB", "GB of A"), ("right", " Right.", ""),
                (32.0, "32.04", ""), (0.0, "0", ""), (32.0, " 32 ", "")):
            self.assertTrue(self.module.same(value, word, question), (value, word, question))
        self.assertTrue(self.module.same(3.577, "3.6", "", digits=2))
        self.assertTrue(self.module.same(121.0, "128", "", within=0.1))

    def test_not_right(self) -> None:
        for value, word, question in (
                (32.0, "33", ""), (2.7778, "2.8", "in percent"), (32.0, "32.1", ""), (0.125, "12.5", ""),
                (0.0, "0.1", ""), (4096.0, "4", "bytes"), ("right", "wrong", ""), ("right", "", "")):
            self.assertFalse(self.module.same(value, word, question), (value, word, question))
        self.assertFalse(self.module.same(1504.0, "1500", "", digits=0))

    def test_no_number(self) -> None:
        for word in ("", " ", "foo", "nan", "inf", "1/0", "1e999", "1 2", "4 KB", "4 bananas", "-8^0.5", "--4", "%"):
            self.assertEqual(self.module.readings(word, "sectors per request"), [], word)
            self.assertEqual(self.module.unreadable(word, "sectors per request"), "a number", word)
        self.assertEqual(self.module.unreadable("7", "the run", True), "right, wrong or error")


class Commands(Sandbox):
    """Calls that need no build."""

    def test_an_edit_has_its_own_file(self) -> None:
        for name in ("00.3", "08.1"):
            lesson = next(self.tree.glob(name[:2] + "_*/gemm.cu"))
            before = lesson.read_text(encoding="utf-8")
            self.expect(2, "there is no practice/%s/gemm.cu; create it with ./ladder check %s" % (name, name),
                        "run", name)
            self.expect(0, "^practice/%s/gemm.cu is a copy of lesson " % name, "check", name, "--restart")
            # The task follows the lesson's text, so line numbers are those of the lesson.
            copy = (self.tree / "practice" / name / "gemm.cu").read_text(encoding="utf-8")
            self.assertTrue(copy.startswith(before + "\n// "))
            self.assertEqual(lesson.read_text(encoding="utf-8"), before)

    def test_hints(self) -> None:
        for number, text in ((1, "m0 = "), (2, "this shows it, without any edit:"), (1, "m0 = ")):  # then from the first
            answer = self.expect(0, "^hint %d of 2: %s" % (number, text), "check", "02.3", "--hint")
            self.assertEqual(answer.out.count("hint "), 1)
        self.expect(0, r"^  \./ladder explain 02 ", "check", "02.3", "--hint")

    def test_a_machine_without_nvcc_or_gpu(self) -> None:
        asking = importlib.import_module("ladder.judging.asking")
        stop = importlib.import_module("ladder").Stop
        for name, tag, need in (("03.2", "nvcc", "needs nvcc "), ("08.6", "GPU", "needs an NVIDIA GPU")):
            with unittest.mock.patch.multiple(asking, find_nvcc=lambda: "", has_gpu=lambda: False), \
                    self.assertRaises(stop) as raised:
                asking.check(asking.Exercise(name, "03_thread_tile", {"tag": tag}), [])
            self.assertEqual(raised.exception.code, 3)
            self.assertIn(need, raised.exception.message)
            self.assertNotIn("\n", raised.exception.message)


class Dialogue(Built):
    def setUp(self) -> None:
        super().setUp()
        for path in SOURCE.glob("[0-9][0-9]_*/README.md"):
            (self.tree / path.parent.name / "README.md").write_bytes(path.read_bytes())

    def type(self, lines: List[str], *arguments: str) -> Answer:
        """Runs ./ladder on a terminal and types one line at each question."""
        lines = list(lines)
        child, terminal = pty.fork()
        if child == 0:
            os.execve(str(self.tree / "ladder"), ["ladder", *arguments], self.environment)
        output, answered, end = b"", 0, time.monotonic() + self.patience
        while time.monotonic() < end:
            if select.select([terminal], [], [], 0.1)[0]:
                try:
                    output += os.read(terminal, 65536)
                except OSError:  # it has ended
                    break
            elif output.endswith(b"? ") and len(output) > answered:
                answered = len(output)
                os.write(terminal, (lines.pop(0) + "\n").encode() if lines else b"\x04")
        status = os.waitpid(child, 0)[1]
        os.close(terminal)
        text = re.sub(r"[^\n]*\x1b\[K|\x1b\[[\d;]*m", "", output.decode("utf-8", "replace").replace("\r\n", "\n"))
        self.assertNotIn("Traceback", text)
        return Answer(os.WEXITSTATUS(status), text, "")

    def put(self, name: str, copy: str) -> None:
        """Writes an edited copy as the learner's file."""
        text = (BUILT / "copies" / copy / "gemm.cu").read_text(encoding="utf-8")
        self.practice(name, text + "\n// the task\n")

    def test_from_a_wrong_answer_to_the_end(self) -> None:
        answer = self.type(["8", "", "foo", "2", "8", "2.78 %"], "check", "00.2")
        self.assertEqual(answer.status, 1, answer.out)
        self.assertEqual(answer.out.count("  please type a number; "), 2, answer.out)
        for line in ("  yes: sectors per request of A: 8", "  no:  sectors per request of B: not 2", "hint 1 of ",
                     "  yes: the ceiling, in percent of the peak: 2.778",
                     "To see the answers: ./ladder check 00.2 --answer"):
            self.assertIn("\n" + line, answer.out)
        self.assertEqual(answer.out.count("\nhint "), 1)  # the next one on demand
        self.assertIn("    for the next one: ./ladder check 00.2 --hint\n", answer.out)
        self.assertNotIn("of B: 1", answer.out)
        self.assertNotIn("one row of 4 floats of B", answer.out)  # the explanation
        answer = self.type(["1"], "check", "00.2")  # right answers are not asked for again
        self.assertEqual(answer.status, 0, answer.out)
        self.assertIn("3 of 4 numbers are right already", answer.out)
        self.assertIn("one row of 4 floats of B", answer.out)
        self.assertIn("Now edit practice/00.2/gemm.cu", answer.out)
        self.put("00.2", "exercise.00.2.columns")
        answer = self.expect(1, "^  fails: at 256 256 256: its counts differ",
                             "check", "00.2", "8", "1", "8", "1/36")
        self.assertNotIn("is done", answer.out)
        self.put("00.2", "exercise.00.2")
        self.expect(0, "^Exercise 00.2 is done", "check", "00.2")
        self.expect(0, r"^practice/00.2/gemm.cu +done, 1 hint given ", "status")

    def test_a_run_with_another_outcome(self) -> None:
        self.expect(0, "starts again", "check", "00.3", "--restart")
        self.put("00.3", "exercise.00.3.columns")
        answer = self.expect(1, "^  fails: at 97 131 65: it ", "check", "00.3", "error", "33", "right", "error")
        self.assertEqual(answer.out.count("  yes: "), 4)
        self.put("00.3", "exercise.00.3")
        self.expect(0, "is done", "check", "00.3", "error", "33", "right", "error")

    def test_messages_do_not_reveal_answers(self) -> None:
        self.expect(0, "starts again", "check", "06.5", "--restart")
        self.put("06.5", "exercise.06.5.bare")
        answer = self.expect(1, "^  fails: wavefronts of the shared stores: [0-9 ]+$", "check", "06.5", "8", "1")
        self.assertNotIn("need", answer.out)
        self.expect(1, "^  fails: .* \\(need at most ", "check", "06.5", "1", "12 KB")

    def test_an_exercise_without_a_file(self) -> None:
        self.assertEqual(self.type([], "check", "02.3").status, 2)  # the end of the input
        answer = self.expect(1, "^  no:  different words", "check", "02.3", "32")
        self.assertNotIn("practice/02.3", answer.out)
        self.assertEqual(answer.out.count("\nhint "), 1)
        self.expect(0, "^Exercise 02.3 is done", "check", "02.3", "1")
        self.expect(0, "^exercise 02.3 +done, 1 hint given ", "status")
        self.expect(0, "^Exercise 02.3 is done", "check", "02.3")  # and stays done

    def test_answers(self) -> None:
        answer = self.expect(0, "^- sectors per request of B: 1$", "check", "00.2", "--answer")
        for line in ("  BM=8", r"  ./ladder explain 00.2  (Diagnosis)"):
            self.assertIn(line, answer.out.splitlines())
