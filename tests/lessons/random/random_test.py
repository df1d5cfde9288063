"""What random problems say of a gemm() that does nothing."""
import os
import pathlib
import subprocess
import unittest

PROGRAM = pathlib.Path(os.environ.get("LADDER_CPU_BUILD", "build/cpu"), "bin", "random_wrong")


class Random(unittest.TestCase):
    def failure(self, *words: str) -> str:
        done = subprocess.run([str(PROGRAM), "--seed", "1", "--cases", "9", *words], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("of seed 1 fails: ", done.stdout)
        return done.stdout

    def test_a_problem_that_fails_is_made_smaller(self) -> None:
        self.assertRegex(self.failure(), r"(?s)the smallest that fails: 1 1 1 .*again: .* --seed 1 --only ")

    def test_unless_that_is_not_wanted(self) -> None:
        self.assertNotIn("smallest", self.failure("--shrink", "0"))


if __name__ == "__main__":
    unittest.main()
