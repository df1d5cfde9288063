"""The report of random problems for a gemm() that does nothing."""
import os
import pathlib
import subprocess
import unittest

PROGRAM = pathlib.Path(os.environ.get("LADDER_CPU_BUILD", "build/cpu"), "bin", "random_wrong")


class Random(unittest.TestCase):
    def failure(self, shrink: str) -> str:
        done = subprocess.run([str(PROGRAM), "[few]"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True, env={**os.environ, "LADDER_SHRINK": shrink})
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("of seed 1 fails: ", done.stdout)
        return done.stdout

    def test_a_failing_problem_is_shrunk(self) -> None:
        output = self.failure("1")
        self.assertRegex(output, r"(?s)smallest failing problem: 1 \d 1 .*\n  repeat: LADDER_SEED=1 LADDER_ONLY=\d+ \S+ "
                                 r"'many random problems'\n")

    def test_shrinking_can_be_switched_off(self) -> None:
        self.assertNotIn("smallest", self.failure("0"))
