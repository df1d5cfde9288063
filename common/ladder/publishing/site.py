"""The site: Markdown, sources, results and runs put into the templates of common/web/pages."""
import html
import json
import pathlib
import posixpath
import re
import shutil
from typing import Any, Dict, List, Optional

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from generate import plots, results, terms
from ladder.explain import count, finish
from ladder.lessons import every, find
from ladder.lib import traces
from ladder.lib.lessons import ROOT, below, beyond, lessons, not_on_cpu
from ladder.lib.making import EXPLAIN, lesson_file, make
from ladder.lib.output import WRONG, Progress, die
from ladder.lib.work import execute, replace_file, temporary_folder
from ladder.pictures import gallery
from ladder.publishing import changes, counts, drawings, speed
from ladder.publishing.markdown import Page, Reader, coloured
from ladder.publishing.tree import Links, address, relative, revision

WEB = ROOT / "common" / "web"
SIZE = [256, 256, 256]  # of the runs
_SCRIPTS = ("theme.js", "site.js", "search.js", "chart.js")
_GROUPS = (("Learn", "docs/learn"), ("Beyond the ladder", "beyond/README.md"), ("Results", "docs/results"),
           ("CPU backend", "common/simt"), ("Contribute", "docs/contribute"))


def _rungs(runs: Dict[str, results.Runs]) -> List[Dict[str, Any]]:
    """The lessons as the templates name them. runs: by GPU."""
    rungs = []
    for facts in every():
        problem = (facts.folder, *results.CUBE, 0)
        gpu = results.BEYOND if facts.beyond and problem in runs[results.BEYOND] else "H200"
        run = runs[gpu].get(problem)
        part = results.share(run)
        rungs.append({
            "number": facts.number, "name": facts.name, "folder": facts.folder, "url": f"{facts.folder}/index.html",
            "title": f"{facts.name}: {facts.idea}", "idea": facts.idea.rstrip("."), "beyond": facts.beyond, "gpu": gpu,
            "speed": results.speed(run["tflops"]) if run else "", "share": results.percent(part) if part else "",
            "width": round(100 * min(part or 0, 1), 1), "half": facts.input == "half"})
    return rungs


def run_lessons() -> Dict[str, Dict[str, Any]]:
    """The report of the explain program for each lesson that the CPU backend runs, by name."""
    names = [name for name in (*lessons(), *beyond()) if not not_on_cpu(name)]
    make(*((lesson_file(name), EXPLAIN) for name in names))
    reports = {}
    for name in names:
        run, _ = count(lesson_file(name), name, SIZE, [], 0.0)
        finish(name, lesson_file(name), run)
        reports[name] = run.result
    return reports


def write_trace(folder: pathlib.Path, name: str) -> None:
    """Writes a script with the trace of a block of a lesson and its source, for the explorer."""
    source = find(name).text
    with temporary_folder("trace") as place:
        path = place / "trace.json"
        done = execute([lesson_file(name).program(EXPLAIN), *gallery.default_sizes(source), "--trace", path])
        if done.status != 0:
            die(WRONG, f"{name}: its trace could not be recorded: {done.err.strip()}")
        trace = traces.for_page(json.loads(path.read_text(encoding="utf-8")), source)
    replace_file(folder / f"{name}.js", traces.script_of(name, trace) + "ladder.sources = ladder.sources || {};\n"
                 f"ladder.sources[{json.dumps(name)}] = {_in_script(source)};\n")


def _in_script(value: Any) -> str:
    """JSON that is safe inside a script."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


class Site:
    """Writes all pages into a folder."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.links = Links()
        self.reader = Reader(self.links)
        self.templates = Environment(loader=FileSystemLoader(str(WEB / "pages")), autoescape=True, trim_blocks=True,
                                     lstrip_blocks=True)
        self.templates.filters["coded"] = lambda value: Markup(re.sub("`(.+?)`", r"<code>\1</code>", html.escape(value)))
        self.templates.filters["grouped"] = lambda value: f"{value:,}".replace(",", "\u202f")
        self.runs = {gpu: results.load_runs(results.cards()[gpu]) for gpu in ("H200", results.BEYOND)}
        self.rungs = _rungs(self.runs)
        self.pages = {path: self.reader.page(path) for path in self.links.pages}
        self.revision = revision()
        self.index: List[Dict[str, str]] = []

    def _groups(self) -> List[Dict[str, Any]]:
        return [{"name": name, "pages": [{"title": page.title, "url": address(path)}
                                         for path, page in self.pages.items() if path.startswith(under)]}
                for name, under in _GROUPS]

    def write(self, template: str, url: str, page: Page, contents: Optional[List[Dict[str, str]]] = None,
              **values: Any) -> None:
        """Renders one page. url: its address; contents: its table of contents, if there is more than its sections."""
        description = " ".join(page.sections[0].words.split()[:30]) if page.sections else page.title
        text = self.templates.get_template(template).render(
            page=page, url=url, root=relative(".", url) + "/", rungs=self.rungs, groups=self._groups(),
            revision=self.revision, description=description,
            contents=contents if contents is not None else page.contents(), **values)
        replace_file(self.folder / url, re.sub(r"\n\s*\n+", "\n", text) if template == "base.html" else text)
        for each in page.sections:
            if each.words:
                self.index.append({"page": page.title, "title": each.title, "text": each.words,
                                   "url": url + (f"#{each.anchor}" if each.anchor else "")})

    def front(self) -> None:
        page = self.pages["README.md"]
        intro = re.split("<figure|<p><img", page.sections[0].html)[0]  # the page has its own
        found = re.match(r"<p>([^<?]*\?)\s*", intro)  # it begins with the question that it answers
        question = html.unescape(" ".join(found[1].split())) if found else page.title
        intro = "<p>" + intro[found.end():] if found else intro
        roofline = drawings.inline("docs/pictures/roofline.svg", 99)
        self.write("front.html", "index.html", page, question=question, intro=intro, roofline=roofline)

    def lesson(self, name: str, reports: Dict[str, Any]) -> None:
        """Writes the page of a lesson. reports: of all lessons, by name."""
        facts = find(name)
        rung = next(each for each in self.rungs if each["name"] == name)
        before = next((each for each in self.rungs if each["name"] == below(name)), None)
        page = self.pages[f"{facts.folder}/README.md"]
        anchors = [each.anchor for each in page.sections]
        places = {"diff": next(each for each in ("what-the-diff-shows", "the-idea") if each in anchors),
                  "end": next(each for each in ("more", "exercises") if each in anchors)}
        changed = changes.changes(name)
        size, rows = counts.counters(name)
        listing = counts.listing(name, reports.get(name, {}))
        at = self.rungs.index(rung)
        values = {
            "rung": rung, "before": before, "places": places, "changes": changed,
            "changed": changes.count(name) if before else 0,
            "faster": self._faster(rung, before), "listing": listing, "uncounted": _why_not(name),
            "charts": speed.charts(name), "counters": rows, "counters_size": size,
            "reasons": [counts.plain(why) for why in dict.fromkeys(each.why for each in rows if each.why)],
            "previous": self.rungs[at - 1] if at else None,
            "next": self.rungs[at + 1] if at + 1 < len(self.rungs) else None,
            "files": " ".join(f"{each}.js" for each in traces.SCRIPTS),
            "below": below(name) if below(name) in reports else ""}
        self.write("lesson.html", rung["url"], page, _contents(page, places, values), **values)

    def _faster(self, rung: Dict[str, Any], before: Optional[Dict[str, Any]]) -> str:
        """The speedup over the lesson before, at 4096³ on the lesson's GPU. FP32 is not compared with half."""
        pair = [self.runs[rung["gpu"]].get((each["folder"], *results.CUBE, 0)) for each in (rung, before) if each]
        if len(pair) < 2 or not pair[0] or not pair[1]:
            return ""
        own, other = (plots.inputs(each)[:4] for each in pair)  # without the epilogue
        if other not in ("FP32", own):
            return ""
        return f"{pair[0]['tflops'] / pair[1]['tflops']:.2f}×"

    def files(self) -> None:
        """Pages for the files that others link to."""
        for path in sorted(self.links.files):
            text = (ROOT / path).read_text(encoding="utf-8")
            code = coloured(text, pathlib.PurePosixPath(path).suffix[1:])
            self.write("code.html", address(path), Page(path, path, html.escape(path), []), code=code)
        for path in self.links.copies:
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, self.folder / path)

    def assets(self) -> None:
        css = [(WEB / name).read_text(encoding="utf-8") for name in ("style.css", "explorer/explorer.css", "pages/site.css")]
        replace_file(self.folder / "assets" / "site.css", "\n".join([*css, drawings.rules()]))
        for name in (*_SCRIPTS, "icon.svg"):
            shutil.copy(WEB / "pages" / name, self.folder / "assets" / name)
        glossary = address(terms.GLOSSARY.relative_to(ROOT).as_posix())
        self.index += [{"page": "Glossary", "title": name, "text": self.reader.sentences[anchor],
                        "url": f"{glossary}#{anchor}"} for anchor, name in self.reader.names.items()]
        shutil.copytree(WEB / "explorer", self.folder / "assets" / "explorer")
        replace_file(self.folder / "assets" / "index.js", f"'use strict';\nladder.index = {_in_script(self.index)};\n")


def _why_not(name: str) -> str:
    return f"the CPU backend cannot emulate {not_on_cpu(name)}" if not_on_cpu(name) else ""


def _contents(page: Page, places: Dict[str, str], values: Dict[str, Any]) -> List[Dict[str, str]]:
    """The table of contents of a lesson's page, with the sections that are inserted."""
    contents = []
    for each in page.sections:
        if each.anchor == places["end"]:
            contents += [("speed", "Speed")] if values["charts"] else []
            contents += [("source", "The source")]
            contents += [("counters", "Counted and measured")] if values["counters"] else []
        if each.anchor:
            contents.append((each.anchor, each.title))
        if each.anchor == places["diff"]:
            contents += [("diff", "Side by side")] if values["changes"] else []
            contents.append(("explorer", "Step through it"))
    return [{"anchor": anchor, "title": title} for anchor, title in contents]


def publish(folder: pathlib.Path) -> int:
    """Makes the site in a folder, replacing it; returns the number of pages."""
    reports = run_lessons()
    draft = folder.with_name(folder.name + ".new")
    shutil.rmtree(draft, ignore_errors=True)
    with Progress("writing the pages") as progress:
        site = Site(draft)
        site.front()
        for facts in every():
            site.lesson(facts.name, reports)
            progress.tick()
        for name in reports:
            write_trace(draft / "assets" / "traces", name)
            progress.tick()
        for path, page in site.pages.items():
            if path != "README.md" and posixpath.dirname(path) not in {facts.folder for facts in every()}:
                site.write("page.html", address(path), page)
        site.files()
        site.assets()
    shutil.rmtree(folder, ignore_errors=True)
    draft.rename(folder)
    return len(list(folder.rglob("*.html")))
