"""Checks docs/learn/gpu_in_ten_minutes.md: each "$ build/cpu/bin/saxpy ..." prints the lines below it, and the pictures are
up to date."""
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "learn" / "gpu_in_ten_minutes.md").read_text(encoding="utf-8")
SAXPY = os.environ.get("LADDER_CPU_BUILD", str(ROOT / "build" / "cpu")) + "/bin/saxpy"


class Primer(unittest.TestCase):
    def test_runs(self) -> None:
        runs = re.findall(r"^\$ build/cpu/bin/saxpy *(.*)\n((?:(?!\$ |```).*\n)*)", PAGE, re.M)
        self.assertGreaterEqual(len(runs), 3)
        for arguments, shown in runs:
            run = subprocess.run([SAXPY, *arguments.split()], capture_output=True, text=True)
            self.assertEqual((run.returncode, run.stdout), (0, shown), f"saxpy {arguments}")

    def test_pictures(self) -> None:
        for name in ("gpu", "grid", "saxpy"):
            self.assertRegex(PAGE, rf"!\[[^]]{{40,}}\]\(../pictures/{name}\.svg\)")
        drawn = subprocess.run([sys.executable, "-B", str(ROOT / "docs" / "generate"), "primer", SAXPY, "--check"],
                               capture_output=True, text=True)
        self.assertEqual((drawn.returncode, drawn.stdout + drawn.stderr), (0, ""))
