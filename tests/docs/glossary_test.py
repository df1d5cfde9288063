#!/usr/bin/env python3
"""Tests of glossary.py: what it finds, where it sets links, and where it must not."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import glossary  # noqa: E402

TERMS = glossary.read_terms("""# Glossary

### bank
<!-- also: `banked`; not: river bank -->
A part of shared memory.

### bank conflict
Two words of a bank.

### FMA
A multiply-add.

### shared memory
Fast memory.
""")


def fixed(text: str) -> str:
    return glossary.fix(text, "g.md", TERMS)


class Fix(unittest.TestCase):
    def test_only_the_first_use_is_linked(self):
        self.assertEqual(fixed("A bank and a bank.\n"), "A [bank](g.md#bank) and a bank.\n")

    def test_longer_terms_plurals_and_line_ends(self):
        self.assertEqual(fixed("Bank conflicts, then banks in shared\nmemory.\n"),
                         "[Bank conflicts](g.md#bank-conflict), then [banks](g.md#bank) in "
                         "[shared\nmemory](g.md#shared-memory).\n")

    def test_capitals_count_where_the_term_has_them(self):
        self.assertEqual(fixed("fma, FMAs\n"), "fma, [FMAs](g.md#fma)\n")

    def test_parts_of_words_and_phrases_are_no_uses(self):
        for text in ("embankment, bank-like, x.bank\n", "the river bank\n", "bank.cu\n"):
            self.assertEqual(fixed(text), text)

    def test_nothing_is_set_where_no_link_can_stand(self):
        for text in ("# A bank\n", "bank\n----\n", "```\nbank\n```\n", "`bank` and `a bank`\n", "\n\n    bank\n",
                     "[a bank](x.md)\n", "![a bank](x.svg)\n", "[![bank](a.svg)](b.md)\n", "<!-- bank -->\n",
                     "<summary>a bank\nbank</summary>\n", "[1]: https://bank.example/bank\n",
                     "<!-- generated:x -->\nbank\n<!-- /generated -->\n", "~~~\nbank\n~~~\n"):
            self.assertEqual(fixed(text), text)

    def test_emphasis_tables_and_code_forms(self):
        self.assertEqual(fixed("| **bank** | 1 |\n"), "| **[bank](g.md#bank)** | 1 |\n")
        self.assertEqual(fixed("It is `banked`.\n"), "It is [`banked`](g.md#bank).\n")
        self.assertEqual(fixed("It is `banked(1, 2)`.\n"), "It is [`banked(1, 2)`](g.md#bank).\n")

    def test_a_link_further_down_does_not_excuse_the_first_use(self):
        text = "A bank, later a [bank](g.md#bank).\n"
        self.assertIn("bank", glossary.missing_links(text, "g.md", TERMS))
        self.assertEqual(glossary.missing_links("[Lanes](g.md#bank) and a bank.\n", "g.md", TERMS), {})

    def test_twice_is_the_same_as_once(self):
        once = fixed("A bank conflict in a bank: FMA, shared memory.\n")
        self.assertEqual(fixed(once), once)


class Check(unittest.TestCase):
    def test_the_glossary_itself(self):
        self.assertEqual(glossary.check_glossary(TERMS), [])
        for bad in ("### b\nB.\n\n### a\nA.\n", "### a\nOne. Two.\n", "### a\nNo end\n", "### a\nA.\n\n### a\nA.\n"):
            self.assertNotEqual(glossary.check_glossary(glossary.read_terms(bad)), [], bad)

    def test_a_page_with_faults_fails_and_is_fixed(self):
        tool = [sys.executable, glossary.__file__]
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text("A warp.\n\nA [lane](%s#no-such-term).\n" % glossary.link_to(page), encoding="utf-8")
            run = subprocess.run([*tool, str(page)], capture_output=True, text=True)
            self.assertEqual(run.returncode, 1)
            self.assertIn("page.md:1: the first 'warp' has no link", run.stdout)
            self.assertIn("page.md:3: ", run.stdout)
            page.write_text("A warp.\n", encoding="utf-8")
            self.assertEqual(subprocess.run([*tool, "--fix", str(page)], capture_output=True).returncode, 0)
            self.assertEqual(subprocess.run([*tool, str(page)], capture_output=True).returncode, 0)

    def test_wrong_use(self):
        run = subprocess.run([sys.executable, glossary.__file__, "/no/such/page.md"], capture_output=True, text=True)
        self.assertEqual((run.returncode, "Traceback" in run.stderr), (2, False))


if __name__ == "__main__":
    unittest.main()
