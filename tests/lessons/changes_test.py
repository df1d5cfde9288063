"""A lesson's changes to the previous one, as pages and ./ladder diff show them."""
import functools
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
from typing import List, Tuple

from ladder.lessons import every, find
from ladder.lessons.functions import difference, hunks
from ladder.lib.lessons import ROOT, below
from ladder.publishing import changes


@functools.lru_cache(maxsize=None)
def printed(name: str) -> str:
    """The output of ./ladder diff."""
    return subprocess.run([str(ROOT / "ladder"), "diff", name], check=True, stdout=subprocess.PIPE,
                          encoding="utf-8").stdout


class Changes(unittest.TestCase):
    def test_every_change_has_a_sentence(self) -> None:
        sentences = changes.sentences()
        for facts in every():
            if below(facts.name):
                names = {each.name for each in changes.changes(facts.name)} - {changes.HEADER}
                self.assertEqual(names, set(sentences.get(facts.number, {})), f"{facts.name} in {changes.REASONS.name}")
        for text in (text for each in sentences.values() for text in each.values()):
            self.assertRegex(text, r"^\S.*\.$")

    def test_lines_are_counted_as_diff_does(self) -> None:
        for facts in every():
            if below(facts.name):
                self.assertIn(f"\n{changes.count(facts.name)} lines changed", printed(facts.name))

    def test_all_changed_lines_are_shown(self) -> None:
        for facts in every():
            if not below(facts.name):
                continue
            shown = {row.new for each in changes.changes(facts.name) for run in each.runs for row in run if not row.same}
            before = find(below(facts.name)).text.splitlines()
            for number, line in enumerate(facts.text.splitlines(), 1):
                if line not in before and not (line.startswith("//") and number < 12):
                    self.assertIn(number, shown, f"{facts.name}:{number}: {line}")

    def test_pages_count_as_diff_does(self) -> None:
        for facts in every():
            page = (facts.source.parent / "README.md").read_text(encoding="utf-8")
            for lines in re.findall(rf"`\./ladder diff {facts.number}`[^.`]*: ([0-9]+) lines", page):
                self.assertEqual(int(lines), changes.count(facts.name), f"{facts.folder}/README.md")


def pairs() -> List[Tuple[str, str]]:
    """Texts to compare: each lesson and the previous one, lessons that are far apart, and short texts."""
    names = [(below(facts.name), facts.name) for facts in every() if below(facts.name)]
    far = [("02_coalesced", "05_outer_product"), ("08_tensor_core_wmma", "00_naive"),
           ("14_overlap", "07_double_buffer")]
    text = find("05_outer_product").text
    renamed = text.replace("load_tile", "copy_tile").replace("\n\n// Accumulators", "\n// Accumulators")
    return [*((find(old).text, find(new).text) for old, new in (*names, *far)), (text, renamed), (renamed, text),
            ("", text), (text, ""), ("a\n", "b\n"), ("a\n\nb\n", "a\n\nb\n\nint c() {\n}\n")]


def applied(old: str, found: list) -> str:
    """Applies hunks to a text. Raises AssertionError if one does not fit its place."""
    before, after, at = old.splitlines(), [], 0
    for hunk in found:
        place = re.sub(r"([-+][0-9]+)(?![0-9,])", r"\1,1", hunk.place)  # "-3 +3,2" is short for "-3,1 +3,2"
        numbers = [int(each) for each in re.findall(r"[0-9]+", place)]
        start = numbers[0] - (numbers[1] > 0)
        assert start >= at, f"{hunk.place} overlaps the previous hunk"
        after += before[at:start]
        assert len(after) == numbers[2] - (numbers[3] > 0), hunk.place
        left = [line.text for line in hunk.lines if line.kind != "+"]
        right = [line.text for line in hunk.lines if line.kind != "-"]
        assert before[start:start + numbers[1]] == left and len(right) == numbers[3], hunk.place
        after, at = after + right, start + numbers[1]
    return "".join(line + "\n" for line in after + before[at:])


class Hunks(unittest.TestCase):
    def test_they_make_the_new_text(self) -> None:
        for old, new in pairs():
            for apart in (False, True):
                self.assertEqual(applied(old, hunks(difference(old, new), apart)), new)

    def test_split_hunks_have_one_declaration_each(self) -> None:
        for old, new in pairs():
            for hunk in hunks(difference(old, new), apart=True):
                self.assertEqual({line.name for line in hunk.lines}, set(hunk.names), hunk.place)
                self.assertEqual(len(hunk.names), 1)

    def test_a_renamed_function_is_not_a_new_one(self) -> None:
        text = find("05_outer_product").text
        lines = difference(text, text.replace("load_tile", "copy_tile"))
        self.assertEqual(sum(line.kind == "+" for line in lines), text.count("load_tile"))

    def test_patch_and_git_take_them(self) -> None:
        tools = [["git", "apply", "-p0", "diff"], ["patch", "-p0", "-F0", "-s", "-i", "diff"]]
        folder = pathlib.Path(tempfile.mkdtemp(prefix="ladder-test."))
        self.addCleanup(shutil.rmtree, folder)
        for facts in every():
            if not below(facts.name):
                continue
            text = re.sub(r"^(---|\+\+\+) .*", r"\1 gemm.cu", printed(facts.name), count=2, flags=re.M)
            (folder / "diff").write_text(text, encoding="utf-8")
            for tool in tools:
                if not shutil.which(tool[0]):
                    continue
                (folder / "gemm.cu").write_text(find(below(facts.name)).text, encoding="utf-8")
                done = subprocess.run(tool, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                self.assertEqual((done.returncode, done.stdout), (0, b""), f"{tool[0]}: {facts.name}")
                made = (folder / "gemm.cu").read_text(encoding="utf-8")
                self.assertEqual(made, facts.text, f"{tool[0]}: {facts.name}")
