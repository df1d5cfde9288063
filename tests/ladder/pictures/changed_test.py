"""The pictures of lessons with a changed knob in docs/pictures are up to date."""
import unittest

from ladder.pictures import gallery
from programs import check_entry


class ChangedTest(unittest.TestCase):
    def test_readmes(self) -> None:
        entries = [entry for entry in gallery.ENTRIES if entry.change]
        self.assertTrue(entries)
        for entry in entries:
            with self.subTest(entry.lesson + " " + entry.name):
                check_entry(self, entry)
