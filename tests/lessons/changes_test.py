"""What a lesson changes in the one before it, as pages show it: common/ladder/publishing/changes.py."""
import subprocess
import unittest

from ladder.lessons import every, find
from ladder.lib.lessons import ROOT, below
from ladder.publishing import changes


class Changes(unittest.TestCase):
    def test_each_has_its_sentence(self) -> None:
        told = changes.sentences()
        for facts in every():
            if below(facts.name):
                names = {each.name for each in changes.changes(facts.name)} - {changes.HEADER}
                self.assertEqual(names, set(told.get(facts.number, {})), f"{facts.name} in {changes.REASONS.name}")
        for text in (text for each in told.values() for text in each.values()):
            self.assertRegex(text, r"^\S.*\.$")

    def test_lines_are_counted_as_diff_does(self) -> None:
        for facts in every():
            if below(facts.name):
                said = subprocess.run([str(ROOT / "ladder"), "diff", facts.name], check=True, stdout=subprocess.PIPE,
                                      encoding="utf-8").stdout
                self.assertIn(f"\n{changes.count(facts.name)} lines changed", said, facts.name)

    def test_all_lines_that_differ_are_shown(self) -> None:
        for facts in every():
            if not below(facts.name):
                continue
            shown = {row.new for each in changes.changes(facts.name) for run in each.runs for row in run if not row.same}
            before = find(below(facts.name)).text.splitlines()
            for number, line in enumerate(facts.text.splitlines(), 1):
                if line not in before and not (line.startswith("//") and number < 12):
                    self.assertIn(number, shown, f"{facts.name}:{number}: {line}")


if __name__ == "__main__":
    unittest.main()
