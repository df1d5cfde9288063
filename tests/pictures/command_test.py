"""./ladder picture with words that it cannot use: one line, exit code 2, nothing written."""
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from ladder import picture
from ladder.lib.output import Stop
from ladder.pictures.run import Choice
from programs import ROOT, trace

# Said before anything is built.
CALLS = {
    "": "usage: ./ladder picture LESSON",
    "13": "no lesson called '13'; did you mean",
    "06 1 2": "expected the three sizes",
    "06 --kind bank": "there are requests, stores, reads, tiles, timeline",
    "06 --kind tile": "did you mean tiles?",
    "06 --line x": "--line must be a whole number",
    "06 --warp -1": "--warp",
    "06 --with PAD": "--with needs NAME=NUMBER",
    "06 --with NONE=3": "not 'NONE=3'",
    "06 --output /nowhere": "--output '/nowhere' is not a folder",
    "06 4096 64 64": "sizes up to 1024",
    "06 --check": "--check goes with --all",
    "--all 06": "--all takes no lesson",
    "--all --line 3": "--all takes no lesson",
    "06 --lines 3": "did you mean --line?",
    "06 --kind": "needs a value",
}


class CommandTest(unittest.TestCase):
    def test_bad_calls(self) -> None:
        for words, message in CALLS.items():
            with self.subTest(words):
                done = subprocess.run(
                    [sys.executable, "-I", "-B", str(ROOT / "common" / "ladder" / "__main__.py"), "picture",
                     *words.split()], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                    stdin=subprocess.DEVNULL, check=False)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn(message, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def stop(self, options: dict, choice: Choice) -> str:
        with self.assertRaises(Stop) as raised:
            picture._kinds(options, trace("06_smem_transpose"), choice)
        self.assertEqual(raised.exception.code, 2)
        self.assertNotIn("\n", raised.exception.message)
        return raised.exception.message

    def test_lines_and_arrays_without_requests(self) -> None:
        message = self.stop({}, Choice(1))
        self.assertIn("makes no request at line 1; lines ", message)
        self.assertIn("touches no array called 'Zs'; it touches A, As, B, Bs, C",
                      self.stop({}, Choice(None, ("As", "Zs"))))

    def test_files(self) -> None:
        """One file for each kind; what is asked for stands in the name."""
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(picture, "trace", lambda *_: trace("02_coalesced")), \
                mock.patch.object(picture, "need"), mock.patch("builtins.print") as printed:
            self.assertEqual(picture.main(["02", "--output", folder]), 0)
            self.assertEqual(picture.main(["02", "--output", folder, "--kind", "reads", "--array", "Bs"]), 0)
            names = sorted(path.name for path in pathlib.Path(folder).iterdir())
        self.assertEqual(names, ["reads.svg", "reads_bs.svg", "requests.svg", "stores.svg", "tiles.svg",
                                 "timeline.svg"])
        self.assertIn("The 32 lanes of warp 0 read", printed.call_args_list[0][0][0])


if __name__ == "__main__":
    unittest.main()
