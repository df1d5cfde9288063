"""Rules for every page: lines of at most 120 columns, links and paths that exist, short lessons."""
import json
import pathlib
import re
import unittest
from typing import Iterator, List, Tuple

from ladder.lessons import every
from ladder.lessons.copies import exercises, variants

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCED = re.compile(r"^(`{3,}|~{3,}).*?^\1[ \t]*$", re.S | re.M)
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.S)
INLINE = re.compile(r"\]\(([^()\s]+)\)")
DEFINITION = re.compile(r"^\[([^]]+)\]: (\S+)$", re.M)
REFERENCE = re.compile(r"\]\[([^][]{3,})\]")  # a shorter text is an index, not a reference


def pages() -> List[pathlib.Path]:
    """Without git, which a machine may lack."""
    return [path for path in sorted(ROOT.rglob("*.md"))
            if not any(part in ("build", "practice") or part[0] == "." for part in path.relative_to(ROOT).parts)]


def prose(path: pathlib.Path) -> str:
    """A page without its code."""
    return CODE.sub("", FENCED.sub("", path.read_text(encoding="utf-8")))


def anchors(path: pathlib.Path) -> List[str]:
    """Of the headings, as GitHub makes them, and of the folds that have one."""
    text = FENCED.sub("", path.read_text(encoding="utf-8"))
    titles = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title) for title in re.findall(r"^#+ (.*)$", text, re.M)]
    return [*(re.sub(r"[^\w\- ]", "", title.replace("`", "").lower()).replace(" ", "-") for title in titles),
            *re.findall(r'^<details id="([^"]+)">', text, re.M)]


def links() -> Iterator[Tuple[pathlib.Path, str]]:
    for page in pages():
        for link in [*INLINE.findall(prose(page)), *(target for _, target in DEFINITION.findall(prose(page)))]:
            if not re.match(r"\w+:", link):
                yield page, link


class Pages(unittest.TestCase):
    def test_lines_have_at_most_120_columns(self) -> None:
        long = [f"{page.relative_to(ROOT)}:{number}: {len(line)} columns" for page in pages()
                for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1)
                if len(line) > 120 and not line.startswith("|")]
        self.assertEqual(long, [])

    def test_no_sum_is_taken_for_a_list(self) -> None:
        """Markdown takes a line that begins with "+ " for an item."""
        items = [f"{page.relative_to(ROOT)}: {line}" for page in pages() for line in prose(page).splitlines()
                 if re.match(r" *\+ ", line)]
        self.assertEqual(items, [])

    def test_links_lead_somewhere(self) -> None:
        broken = []
        for page, link in links():
            name, _, anchor = link.partition("#")
            target = (page.parent / name) if name else page
            if not target.exists() or anchor and anchor not in anchors(target):
                broken.append(f"{page.relative_to(ROOT)}: {link}")
        self.assertEqual(broken, [])

    def test_references_have_a_definition(self) -> None:
        for page in pages():
            known = {label.casefold() for label, _ in DEFINITION.findall(page.read_text(encoding="utf-8"))}
            text = FENCED.sub("", page.read_text(encoding="utf-8"))
            wanted = {" ".join(label.split()).casefold() for label in REFERENCE.findall(CODE.sub("", text))}
            self.assertEqual(wanted - known, set(), page)

    def test_each_lesson_has_a_row(self) -> None:
        for facts in every():
            table = (facts.source.parents[1] / "README.md").read_text(encoding="utf-8")
            self.assertTrue(re.search(rf"^\| \[{facts.name}\]", table, re.M),
                            f"{facts.folder} has no row in the table of the README above it")

    def test_lessons_are_short(self) -> None:
        """Before "More": at most 700 words with tables and descriptions of pictures, and one screen of code."""
        for facts in every():
            if facts.beyond:
                continue
            text = (facts.source.parent / "README.md").read_text(encoding="utf-8")
            sections = re.findall(r"^## (.*)$", FENCED.sub("", text), re.M)
            self.assertEqual([sections[0], *sections[-3:]],
                             ["The idea", "What limits it next", "More", "Exercises"], facts.name)
            core, more = text.split("\n## Exercises\n")[0].split("\n## More\n")
            code = "".join(block[0] for block in FENCED.finditer(core))
            self.assertLessEqual(len(core.replace("|", " ").split()), 700, f"words of {facts.name}")
            self.assertLessEqual(len(code.splitlines()), 40, f"lines of code of {facts.name}")
            self.assertLessEqual(core.count("<!-- generated:picture"), 2, f"pictures of {facts.name}")
            unfolded = re.sub(r"<details[^>]*>.*?</details>", "", more, flags=re.S).strip()
            self.assertEqual(unfolded, "", f"not folded in {facts.name}")

    def test_pages_of_beyond_are_short(self) -> None:
        """Before "More": at most 800 words, without code and descriptions of pictures."""
        for facts in every():
            if facts.beyond:
                text = (facts.source.parent / "README.md").read_text(encoding="utf-8")
                core = re.sub(r"!\[.*?\]\(", "(", FENCED.sub("", text.split("\n## More\n")[0]), flags=re.S)
                self.assertLessEqual(len(core.replace("|", " ").split()), 800, f"words of {facts.name}")

    def test_what_is_folded_is_no_longer_than_what_is_not(self) -> None:
        """By words with tables, without descriptions of pictures, exercises and their answers. Pages of beyond/ have a table
        of fifteen shapes there, so they are compared without generated parts."""
        for facts in every():
            text = (facts.source.parent / "README.md").read_text(encoding="utf-8").split("\n## Exercises\n")[0]
            left_out = r"<!-- generated:.*?<!-- /generated -->" if facts.beyond else r"<!--.*?-->|!\[.*?\]\(\S*\)"
            shown = re.sub(left_out, "", text, flags=re.S).replace("|", " ")
            core, more = (len(part.split()) for part in shown.split("\n## More\n"))
            self.assertLessEqual(more, core, facts.name)

    def test_learners_pages_do_not_link_to_the_notebook(self) -> None:
        learners = {ROOT / "README.md", *(ROOT / "docs" / "learn").glob("*.md"),
                    *(facts.source.parent / "README.md" for facts in every() if not facts.beyond)}
        found = [f"{page.relative_to(ROOT)}: {link}" for page, link in links() if page in learners and "notebook" in link]
        self.assertEqual(found, [])

    def test_each_kernel_of_the_sources_is_a_lesson_or_a_variant(self) -> None:
        text = (ROOT / "docs" / "learn" / "sources.md").read_text(encoding="utf-8")
        rows = re.search(r"^## What their kernels are here\n.*?\n\|---.*?\n(.*?)\n\n", text, re.M | re.S)[1].split("\n")
        cells = [re.findall(r"[^|]+", row.strip("|")) for row in rows]
        claims = re.findall(r"^## ([^\n]*)\n(?:(?!## )[^\n]*\n)*\| claim", text, re.M)
        self.assertEqual([re.findall(r"\[(.*?)\]", row[0])[0] for row in cells if row[0].strip()], claims)
        self.assertEqual(len(claims), 5)
        copies = {copy.target for copy in variants() if not copy.fault}
        copies |= {copy.target.replace("exercise.", "exercise ") for copy in exercises()}
        for row in cells:
            named = re.findall(r"`(\d\d_\w+\.\w+)`|(exercise [\d.]+)", row[2])
            self.assertTrue(named or re.search(r"\(\S+\.(md|cu)\)", row[2]), row)
            for name in map("".join, named):
                self.assertIn(name, copies, row)

    def test_the_dev_container_runs_the_readmes_first_command(self) -> None:
        first = re.search(r"^## Start\n\n```\n(.*?) *#", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
        container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
        self.assertEqual(container["onCreateCommand"], first and first[1])

    def test_paths_exist(self) -> None:
        """Each path common/..., tests/... or docs/... in text, commands and code exists."""
        gone = []
        for page in pages():
            for path in re.findall(r"(?<![\w./-])((?:common|tests|docs)/[\w./*-]*[\w*])", page.read_text(encoding="utf-8")):
                pattern = re.sub("GPU|NN|13(?=[._])", "*", path)  # placeholders
                if not list(ROOT.glob(pattern)) and not (ROOT / "tests" / f"{path}.py").exists():
                    gone.append(f"{page.relative_to(ROOT)}: {path}")
        self.assertEqual(gone, [])
