"""The output and exit status of a lesson program. Wrong calls and their messages are in tests/ladder/bad_calls.txt."""
import json
import pathlib
import re
import subprocess
import unittest
from typing import Dict

from ladder.lib.arguments import PROGRAM_OPTIONS
from ladder.lib.building import program

PROGRAM = program("02_coalesced")


class Program(unittest.TestCase):
    def call(self, words: str, **options: object) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([str(PROGRAM), *words.split()], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              **{"stdout": subprocess.PIPE, **options}, universal_newlines=True)  # type: ignore

    def setUp(self) -> None:
        tried = self.call("1 1 1")
        if tried.returncode == 3 and not tried.stdout and tried.stderr.count("\n") == 1:
            self.skipTest(tried.stderr.strip())

    def line(self, words: str) -> str:
        """The one line on stdout of a call that succeeds. words may ask for more than one timed batch."""
        done = self.call(words if "--reps" in words else words + " --reps 1")
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        self.assertEqual(done.stdout.count("\n"), 1, done.stdout)
        return done.stdout

    def object(self, words: str) -> Dict[str, object]:
        return json.loads(self.line(words + " --json"))

    def test_verdicts(self) -> None:
        self.assertIn("4 x     5 x     3", self.line("4 5 3"))
        strided = "33 34 35 --alpha 2 --beta -0.5"
        self.assertIn("right", self.line(strided + " --lda 40 --ldb 50 --ldc 60 --seed 7"))
        self.assertIn("right (exact)", self.line(strided + " --exact"))
        self.assertIn("not checked", self.line("33 34 35 --no-check"))
        self.assertEqual(self.object("33 34 35")["verdict"], "right")

    def test_empty_problems_have_no_speed(self) -> None:
        for sizes in ("0 5 5", "5 0 5", "5 5 0", "0 0 0"):
            line = self.line(sizes)
            self.assertIn("right", line)
            self.assertNotIn("TFLOP", line)
        self.assertIsNone(self.object("0 34 35")["ms"])

    def test_only_a_gpu_has_speeds(self) -> None:
        if self.object("33 34 35")["backend"] == "cpu":
            line = self.line("33 34 35")
            self.assertIn("on the CPU backend", line)
            for word in ("TFLOP", "cuBLAS", "peak", " ms"):
                self.assertNotIn(word, line)
            self.assertIsNone(self.object("33 34 35")["ms"])
        else:
            self.assertIn("% of cuBLAS", self.line("256 256 256 --reps 3"))
            self.assertIn("% of cuBLAS", self.line("256 256 256 --reps 3 --flush-l2 --beta 1"))
            self.assertTrue(str(self.object("256 256 256 --reps 3")["baseline"]).startswith("cublas"))
            self.assertIsNone(self.object("256 256 256 --reps 0")["ms"])

    def test_help_has_every_option(self) -> None:
        done = self.call("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(re.findall(r"(?m)^  (--[a-z0-9-]+)(?: ([a-z]))?  ", done.stdout),
                         [*((name, value) for name, (value, _) in PROGRAM_OPTIONS.items()), ("--help", "")])

    @unittest.skipUnless(pathlib.Path("/dev/full").exists(), "there is no /dev/full")
    def test_a_full_disk(self) -> None:
        with open("/dev/full", "w", encoding="utf-8") as full:
            self.assertEqual(self.call("4 5 3", stdout=full).returncode, 3)
