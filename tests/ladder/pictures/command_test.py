"""./ladder picture after the run: lines and arrays without requests, and the files that it writes. Other bad calls are in
tests/ladder/bad_calls.txt."""
import pathlib
import tempfile
import unittest
from unittest import mock

from ladder import picture
from ladder.lib.arguments import parse
from ladder.lib.output import Stop
from ladder.pictures.run import Choice
from programs import trace

class CommandTest(unittest.TestCase):
    def stop(self, choice: Choice) -> str:
        with self.assertRaises(Stop) as raised:
            picture._kinds(None, trace("06_smem_transpose"), choice)
        self.assertEqual(raised.exception.code, 2)
        self.assertNotIn("\n", raised.exception.message)
        return raised.exception.message

    def test_lines_and_arrays_without_requests(self) -> None:
        message = self.stop(Choice(1))
        self.assertIn("does not access memory at line 1; lines ", message)
        self.assertIn("accesses no array called 'Zs'; it accesses A, As, B, Bs, C",
                      self.stop(Choice(None, ("As", "Zs"))))

    def test_files(self) -> None:
        """One file for each kind. A chosen array is part of the name."""
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(picture, "trace", lambda *_: trace("02_coalesced")), \
                mock.patch("builtins.print") as printed:
            self.assertEqual(picture.main(parse(picture, ["02", "--output", folder])), 0)
            self.assertEqual(picture.main(parse(picture, "02 --kind reads --array Bs --output".split() + [folder])), 0)
            names = sorted(path.name for path in pathlib.Path(folder).iterdir())
        self.assertEqual(names, ["reads.svg", "reads_bs.svg", "requests.svg", "stores.svg", "tiles.svg",
                                 "timeline.svg"])
        self.assertIn("The 32 lanes of warp 0 read", printed.call_args_list[0][0][0])
