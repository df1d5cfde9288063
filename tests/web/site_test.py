"""The pages of ./ladder site, as files and in a browser."""
import json
import re
import subprocess
import sys
import unittest
from typing import List
from urllib.parse import unquote, urldefrag

from browser import MUST, ROOT, BrowserTest
from published import SITE, made, tags
from ladder.lessons import every
from ladder.lib import packages
from ladder.lib.lessons import lessons

MOST = 1_500_000  # bytes of a page and the files that it loads immediately
DOWN, LEFT, RIGHT, ENTER, ESCAPE = "\ue015", "\ue012", "\ue014", "\ue007", "\ue00c"  # from Selenium's Keys
SCREENSHOTS = (("front", "index.html", 1280, "light", "body"), ("front_phone", "index.html", 390, "dark", "body"),
               ("lesson", "02_coalesced/index.html", 1280, "light", "body"),
               ("diff", "05_outer_product/index.html", 1280, "dark", "#diff"),
               ("diff_phone", "05_outer_product/index.html", 390, "light", "#diff"),
               ("source", "03_thread_tile/index.html", 1280, "light", "#source"),
               ("speed", "07_double_buffer/index.html", 1280, "dark", "#speed"),
               ("pictures", "06_smem_transpose/index.html", 1280, "dark", "#why-it-helps"))
LESSONS = [f"{facts.folder}/index.html" for facts in every()]


@unittest.skipUnless(packages.found() or MUST, "there is no build/venv")
class Files(unittest.TestCase):
    def setUp(self) -> None:
        self.pages = sorted(made().rglob("*.html"))

    def test_links_lead_somewhere(self) -> None:
        dead: List[str] = []
        for page in self.pages:
            for href in tags(page).hrefs:
                name, part = urldefrag(href)
                if re.match(r"https?:", name):
                    continue
                target = (page.parent / unquote(name)).resolve() if name else page
                if not target.is_file() or part and unquote(part) not in tags(target).ids:
                    dead.append(f"{page.relative_to(SITE)}: {href}")
        self.assertEqual(dead, [])

    def test_nothing_is_loaded_from_elsewhere(self) -> None:
        for page in self.pages:
            for name in tags(page).loads:
                self.assertRegex(name, r"^[\w./-]+$", page)
                self.assertTrue((page.parent / name).is_file(), f"{page}: {name}")
        css = (SITE / "assets" / "site.css").read_text(encoding="utf-8")
        self.assertNotRegex(css, r"url\((?!#)|@import")

    def test_pictures_and_pages_have_the_same_colours(self) -> None:
        sys.path.append(str(ROOT / "docs"))
        from generate import charts
        from ladder.pictures import svg
        css = (SITE / "assets" / "site.css").read_text(encoding="utf-8")
        for style in (svg._STYLE, charts._STYLE):
            light, dark = (dict(re.findall(r"(--\w+):([^;}\s]+)", block)) for block in
                           re.findall(r"svg\{(--.*?)\}", style, re.S))
            for name, value in light.items():
                self.assertIn(f"{name}: light-dark({value}, {dark[name]});", css)

    def test_pictures_keep_their_style(self) -> None:
        css = (SITE / "assets" / "site.css").read_text(encoding="utf-8")
        for page in self.pages:
            for kinds, shapes in re.findall(r'<figure class="(picture[^"]*)"(.*?)</figure>', page.read_text(encoding="utf-8"), re.S):
                for name in set(" ".join(re.findall(r' class="([^"]*)"', shapes)).split()):
                    self.assertRegex(css, rf"\.({'|'.join(kinds.split())}) \.{name}[,{{]", page)

    def test_pages_are_small_and_ids_are_unique(self) -> None:
        for page in self.pages:
            size = sum(path.stat().st_size for path in {page, *((page.parent / name).resolve() for name in tags(page).loads)})
            self.assertLess(size, MOST, page)
            ids = tags(page).ids
            self.assertEqual(len(ids), len(set(ids)), page)

    def test_every_markdown_page_is_published(self) -> None:
        for path in ["README.md", *ROOT.glob("docs/*/*.md"), *ROOT.glob("[0-9][0-9]_*/README.md")]:
            name = re.sub(r"README\.md$", "index.html", str((ROOT / path).relative_to(ROOT)))
            self.assertTrue((SITE / re.sub(r"\.md$", ".html", name)).is_file(), name)
        for page in self.pages:
            self.assertNotIn("<p>| ", page.read_text(encoding="utf-8"), f"{page}: a row outside its table")

    def test_figures_of_lines_add_up(self) -> None:
        """The sums over a listing's lines equal the totals of ./ladder explain."""
        for name in lessons():
            totals = json.loads(subprocess.run([str(ROOT / "ladder"), "explain", name, "--json"], check=True,
                                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)["totals"]
            rows = re.findall(r'<tr id="L\d+">(.*?)</tr>', (SITE / name / "index.html").read_text(encoding="utf-8"))
            self.assertEqual(len(rows), len((ROOT / name / "gemm.cu").read_text(encoding="utf-8").splitlines()), name)
            found = [0, 0]
            for row in rows:
                cells = re.findall(r'<td class="number">([\d\u202f]+)</td>|<td colspan="3">(?=</td>)', row)
                for at, cell in enumerate(cells):
                    found[at] += int(cell.replace("\u202f", "")) if cell else 0
            kinds = (("global_load", "global_store", "async_load"), ("shared_load", "shared_store", "matrix_load", "async_store"))
            wanted = [sum(totals.get(kind + "_requests", 0) for kind in group) for group in kinds]
            self.assertEqual(found, wanted, name)

    def test_lessons_show_their_instructions(self) -> None:
        for name in LESSONS:
            self.assertTrue("<caption>SASS</caption>" in (SITE / name).read_text(encoding="utf-8"), name)
        text = (SITE / "beyond/14_overlap/index.html").read_text(encoding="utf-8")
        self.assertIn("<code>gemm_kernel&lt;128, 192, 2, 1&gt;</code>, compiled", " ".join(text.split()))
        self.assertIn("<code>HGMMA.64x192x16.F32 ", text)

    def test_long_pages_have_a_table_of_contents(self) -> None:
        for name in ("index.html", "docs/learn/glossary.html", *LESSONS):
            text = (SITE / name).read_text(encoding="utf-8")
            self.assertGreater(len(re.findall('<li><a href="#', text.partition('class="toc"')[2].partition("</nav>")[0])), 4, name)


class InBrowser(BrowserTest):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        made()

    def open(self, path: str, top: str = "") -> None:
        self.browser.get((top or self.serve(SITE)) + path)

    def test_no_page_has_an_error(self) -> None:
        """No page is wider than a phone, either, even with all folds open. No heading skips a level."""
        top = self.serve(SITE)
        self.size(390, 844)
        for path in sorted(SITE.rglob("*.html")):
            name = path.relative_to(SITE).as_posix()
            self.open(name, top)
            self.assertEqual(self.console(), [], name)
            self.run_script("document.querySelectorAll('main details').forEach((each) => { each.open = true; })")
            self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), 390, name)
            levels = self.run_script("return [...document.querySelectorAll('main :is(h1, h2, h3, h4)')].map((each) => +each.tagName[1])")
            self.assertTrue(all(next_ <= level + 1 for level, next_ in zip([0, *levels], levels)), f"{name}: {levels}")

    def test_the_source_fits(self) -> None:
        """With the instructions of all lines, it is no wider than its column. A phone shows the ends of its lines."""
        top = self.serve(SITE)
        for name in LESSONS:
            self.size(390, 844)
            self.open(name, top)
            self.assertLess(self.run_script("return Math.max(...[...document.querySelectorAll('.listing tr[id] > td > code')]"
                                            ".map((each) => each.getBoundingClientRect().right))"), 390, name)
            self.size(1280, 900)
            self.run_script("document.querySelectorAll('.listing details').forEach((each) => { each.open = true; })")
            wide = self.run_script("const each = document.querySelector('.listing').parentElement;"
                                   "return each.scrollWidth - each.clientWidth")
            self.assertEqual(wide, 0, name)

    def test_accessible(self) -> None:
        top = self.serve(SITE)
        some = ["index.html", "05_outer_product/index.html", "docs/learn/glossary.html", "common/gemm.h.html"]
        for scheme, names, width in (("light", [*LESSONS, *some], 1280), ("dark", some, 390)):
            self.scheme(scheme)
            self.size(width, 900)
            for name in names:
                self.open(name, top)
                self.run_script("document.querySelectorAll('.listing tr:nth-child(n + 30), .change:nth-of-type(n + 4)')"
                                ".forEach((each) => each.remove())")  # the rest is alike and would take minutes
                self.assert_accessible(f"{name}, {scheme}")

    def test_without_a_server(self) -> None:
        self.browser.get((SITE / "index.html").as_uri())
        self.browser.find_element("css selector", ".ladder li:nth-child(3) a").click()
        self.assertTrue(self.browser.current_url.endswith("/02_coalesced/index.html"))
        self.keys("/")
        self.wait("ladder.index && document.getElementById('search').open")

    def test_without_scripts(self) -> None:
        self.scripts(False)
        self.open("05_outer_product/index.html")
        shown = [each.is_displayed() for selector in (".change p", ".diff ins", "figure.picture svg", ".listing .heat",
                                                      "figure.speed svg", "#counters td", "#answer, details")
                 for each in self.browser.find_elements("css selector", selector)[:1]]
        self.assertEqual(shown, [True] * 7)
        self.assertFalse(self.browser.find_element("css selector", "[data-gpu=H100]").is_displayed())
        self.browser.find_element("css selector", "input[value=H100]").click()
        self.assertTrue(self.browser.find_element("css selector", "[data-gpu=H100]").is_displayed())
        self.open("07_double_buffer/index.html")
        self.assertIn("#include <cuda_pipeline.h>", self.browser.find_element("css selector", ".listing").text)
        row = next(each for each in self.browser.find_elements("css selector", ".listing tr[id]")
                   if "acc[m][n] += " in each.text)
        row.find_element("css selector", "summary").click()
        made = self.browser.find_element("css selector", f"#{row.get_attribute('id')} + tr.made")
        self.assertRegex(made.text, r"(?s)PTX\n1024 ×\sfma.rn.f32 .*SASS\n1024 ×\sFFMA R")
        self.open("index.html")
        self.assertIn("100 % = best of cuBLAS", self.browser.find_element("css selector", ".scale").text)
        self.assertTrue(self.browser.find_element("css selector", "#roofline ~ figure svg").is_displayed())

    def test_a_link_opens_its_fold(self) -> None:
        opened = "return document.getElementById('padding').open"
        self.open("06_smem_transpose/index.html")
        self.assertFalse(self.run_script(opened))
        self.browser.find_element("css selector", "a[href='#padding']").click()
        self.wait("document.getElementById('padding').open")
        self.open("06_smem_transpose/index.html#padding")
        self.wait("document.getElementById('padding').open")

    def test_search_by_keyboard(self) -> None:
        self.open("index.html")
        self.keys("/")
        self.wait("ladder.index")
        self.keys("bank conflict")
        self.wait("document.querySelectorAll('#found li').length > 3")
        first = self.browser.find_elements("css selector", "#found li")[0].text
        self.assertRegex(first, "^Glossary · bank conflict\n")
        self.assert_accessible("the search")
        self.keys(DOWN, DOWN)
        self.assertEqual(self.run_script("return document.querySelector('[aria-selected=true]').id"), "found-1")
        wanted = self.run_script("return document.querySelector('#found-1').href")
        self.keys(ENTER)
        self.wait(f"location.href === {json.dumps(wanted)}")
        self.keys("/")
        self.keys("<img src=x onerror=alert(1)>")
        self.wait("document.querySelector('#search [role=status]').textContent === 'Nothing found.'")
        self.keys(ESCAPE)
        self.wait("!document.getElementById('search').open")

    def test_the_switch_between_light_and_dark(self) -> None:
        colour = "return getComputedStyle(document.documentElement).backgroundColor"
        top = self.serve(SITE)
        self.open("index.html", top)
        self.assertEqual(self.run_script(colour), "rgb(255, 255, 255)")
        self.browser.find_element("css selector", "[data-switch=theme]").click()
        self.assertEqual(self.run_script(colour), "rgb(13, 17, 23)")
        self.open("docs/learn/glossary.html", top)
        self.assertEqual(self.run_script(colour), "rgb(13, 17, 23)")
        self.browser.find_element("css selector", "[data-switch=theme]").click()
        self.assertEqual(self.run_script(colour), "rgb(255, 255, 255)")

    def test_a_term_has_a_tooltip(self) -> None:
        self.open("02_coalesced/index.html")
        self.run_script("document.querySelector('a.term[href$=\"#warp\"]').focus()")
        self.assertIn("32 threads", self.browser.find_element("id", "term-tip").text)
        self.keys(ESCAPE)
        self.assertFalse(self.browser.find_element("id", "term-tip").is_displayed())

    def test_code_in_the_notes_on_a_diff(self) -> None:
        self.open("07_double_buffer/index.html")
        notes = self.browser.find_element("id", "diff")
        self.assertNotIn("`", notes.text)
        self.assertIn("zeros", [each.text for each in notes.find_elements("css selector", "p code")])

    def test_the_head_has_the_figures_of_the_page(self) -> None:
        for lesson, gpu in ("08_tensor_core_wmma", "H200"), ("beyond/14_overlap", "H100"):
            runs = json.loads((ROOT / "docs" / "results" / f"{gpu.lower()}.json").read_text(encoding="utf-8"))["runs"]
            speed = next(run["tflops"] for run in runs if run["lesson"] == lesson and
                         [run[key] for key in ("M", "N", "K", "beta")] == [4096, 4096, 4096, 0])
            self.open(f"{lesson}/index.html")
            head = self.browser.find_element("tag name", "dl").text
            self.assertIn(f"4096³, {gpu}", head)
            self.assertIn(f"{speed:.0f}", head)

    def test_the_chart_shows_its_figures(self) -> None:
        self.open("02_coalesced/index.html")
        runs = json.loads((ROOT / "docs" / "results" / "h200.json").read_text(encoding="utf-8"))["runs"]
        speed = next(run["tflops"] for run in runs if run["lesson"] == "02_coalesced" and
                     [run[key] for key in ("M", "N", "K", "beta")] == [4096, 4096, 4096, 0])
        self.run_script("document.querySelector('[data-chart]').focus()")
        self.keys(*[LEFT] * 2)
        tip = self.browser.find_element("css selector", ".plot .tip").text
        self.assertIn("4096 × 4096 × 4096", tip)
        self.assertIn(f"02_coalesced {speed:.2f}", tip)
        self.browser.find_element("css selector", "input[value=H100]").click()
        self.assertFalse(self.browser.find_element("css selector", "[data-gpu=H200]").is_displayed())

    def test_the_explorer(self) -> None:
        """It loads when it is scrolled into view. Keys step it. Its state is in the address, which opens it again."""
        top = self.serve(SITE)
        self.open("05_outer_product/index.html", top)
        self.assertEqual(self.run_script("return document.querySelectorAll('.explorer').length"), 0)
        self.run_script("document.getElementById('explorer').scrollIntoView()")
        self.wait("document.querySelector('.explorer')", 30)
        self.assertNotIn("#", self.browser.current_url)
        self.run_script("document.querySelector('.explorer').focus()")
        self.keys(RIGHT, RIGHT, RIGHT)
        self.wait("location.hash === '#05/warp=0/event=4'")
        self.assert_accessible("the explorer")
        self.open("index.html", top)
        self.open("05_outer_product/index.html#05/warp=1/event=57/compare", top)
        self.wait("document.querySelectorAll('.explorer-pair h2').length === 2", 30)
        self.assertIn("event 57 of", self.browser.find_element("css selector", ".explorer-where").text)
        self.assertEqual([each.text for each in self.browser.find_elements("css selector", ".explorer-pair h2")],
                         ["04_float4", "05_outer_product"])
        self.screenshot("site_explorer")

    def test_every_lesson_has_its_run(self) -> None:
        top = self.serve(SITE)
        for facts in every():
            if facts.not_on_cpu:
                continue
            self.open(f"{facts.folder}/index.html#{facts.number}/warp=0/event=2", top)
            self.wait("document.querySelector('.explorer, .explorer-error, [data-explorer] .bad')", 30)
            self.assertEqual(self.run_script("return document.querySelectorAll('.explorer-where').length"), 1, facts.name)
            self.assertIn("event 2 of", self.browser.find_element("css selector", ".explorer-where").text)
            self.assertEqual(self.console(), [], facts.name)

    def test_printed_pages_have_only_the_text(self) -> None:
        self.open("02_coalesced/index.html")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.setEmulatedMedia", {"media": ""})
        self.assertFalse(self.browser.find_element("css selector", ".bar").is_displayed())
        self.assertTrue(self.browser.find_element("css selector", ".diff").is_displayed())

    def test_screenshots(self) -> None:
        """Writes the views to look at before a change is merged to build/screenshots."""
        top = self.serve(SITE)
        for name, path, width, scheme, at in SCREENSHOTS:
            self.size(width, 900)
            self.scheme(scheme)
            self.open(path, top)
            self.run_script("document.querySelector(arguments[0]).scrollIntoView()", at)
            self.assertGreater(self.screenshot(f"site_{name}").stat().st_size, 10_000)
