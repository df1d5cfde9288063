"""Lessons that crash or hang. Each is reported in one line and ends with its documented status."""
import os
import pathlib
import re
import subprocess
import unittest
from typing import Tuple

PROGRAMS = pathlib.Path(os.environ.get("FAULTS", ""))
THREAD = r"gemm_kernel: thread \(0,0,0\) of block \(0,0,0\) "
# K as in misbehave.h, the exit status, and a pattern for a line of stderr.
FAULTS = [
    (101, 3, r":\d+: " + THREAD + "divides an integer by zero"),
    (102, 3, r":\d+: " + THREAD + "needs more than 640 KB of stack: endless recursion"),
    (103, 3, r":\d+: " + THREAD + r"calls abort\(\)"),
    (104, 3, r":\d+: " + THREAD + r"fails assert\(K < kAsserts\)"),
    (105, 3, r":\d+: " + THREAD + "calls a null function pointer"),
    (106, 3, r":\d+: " + THREAD + r"makes no progress: an endless loop\?"),
    (107, 3, r":\d+: " + THREAD + r"comes to this __syncthreads\(\) again and again"),
    (108, 3, r":\d+: " + THREAD + "needs more than 640 KB of stack"),
    (109, 3, r":\d+: " + THREAD + "uses index 4 of the array type"),
    (110, 3, "gemm_kernel is refused: 8192 bytes of static and 1073741824 of dynamic shared memory"),
    (111, 0, ""),
]


def run(name: str, *arguments: object) -> Tuple[int, str, str]:
    """Exit status, stdout and stderr of a program of tests/ladder/faults."""
    done = subprocess.run([str(PROGRAMS / name), *map(str, arguments)], timeout=300,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@unittest.skipUnless(os.environ.get("FAULTS"), "FAULTS names no folder with programs; ctest sets it")
class Lessons(unittest.TestCase):
    def test_each_fault_is_reported(self) -> None:
        for K, status, text in FAULTS:
            with self.subTest(K=K):
                code, out, err = run("fault.any", 8, 8, K)
                self.assertEqual(code, status, err)
                self.assertTrue(re.search(text, err), err)
                self.assertEqual(out == "", status != 0, out)
                self.assertLessEqual(len(err.splitlines()), 2 if status else 0, err)

    def test_the_suite_stops_at_an_endless_kernel(self) -> None:
        code, out, err = run("fault.endless.test")
        self.assertEqual(code, 1, out + err)
        self.assertIn("The kernel does not end; the other tests did not run.", out)
        self.assertIn("test cases: 1 |", out)
        self.assertEqual(err.count("an endless loop?"), 1, err)

    def test_random_problems_stop_at_an_endless_kernel(self) -> None:
        code, out, err = run("fault.endless.test", "[few]")
        self.assertEqual(code, 1, out + err)
        self.assertIn("The kernel does not end, so the problem was not shrunk.", out)
        self.assertEqual(err.count("an endless loop?"), 1, err)
        self.assertRegex(out, r"\n  repeat: LADDER_SEED=1 LADDER_ONLY=\d+ \S*fault.endless.test 'many random problems'\n")
