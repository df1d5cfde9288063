"""Pages with only the explorer, for its tests and for manual use: python3 -B tests/web/explorer_page.py 02 writes
build/explorer/02_coalesced.html, which a browser can open as a file."""
import functools
import html
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import Any, Dict, List, Optional, Tuple

from browser import ROOT, BrowserTest
from ladder.lessons import every, find
from ladder.lib import traces
from ladder.pictures import gallery

EXPLORER = ROOT / "common" / "web" / "explorer"
PROGRAMS = pathlib.Path(os.environ.get("LADDER_CPU_BUILD", ROOT / "build" / "cpu"), "bin")
LESSONS = [facts.name for facts in every()]


@functools.lru_cache(maxsize=None)
def _traced(lesson: str, sizes: Tuple[int, ...], multiprocessors: str) -> Dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "trace.json")
        subprocess.run([str(PROGRAMS / f"explain.{lesson}"), *map(str, sizes), "--trace", str(path)], check=True,
                       timeout=120, env={**os.environ, "SIMT_MULTIPROCESSORS": multiprocessors})
        return traces.for_page(json.loads(path.read_text(encoding="utf-8")), find(lesson).text)


def trace_of(lesson: str, sizes: Optional[List[int]] = None, multiprocessors: int = 132) -> Dict[str, Any]:
    """The trace of a lesson in the form for pages."""
    return _traced(lesson, tuple(sizes or gallery.default_sizes(find(lesson).text)), str(multiprocessors))


def scripts(*more: str) -> str:
    return "\n".join(f'<script src="explorer/{name}.js"></script>' for name in traces.SCRIPTS) + "\n" + "\n".join(
        f"<script>{each}</script>" for each in more)


def write_page(folder: pathlib.Path, name: str, options: str, *files: str) -> pathlib.Path:
    """Writes a page that mounts an explorer. options: mount()'s options, in JavaScript; files: scripts in the folder."""
    shutil.copytree(EXPLORER, folder / "explorer", dirs_exist_ok=True)
    shutil.copy(ROOT / "common" / "web" / "style.css", folder)
    path = folder / f"{name}.html"
    loads = "".join(f'<script src="{html.escape(each)}"></script>\n' for each in files)
    path.write_text(f"""<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{html.escape(name)}</title>
<link rel="stylesheet" href="style.css"><link rel="stylesheet" href="explorer/explorer.css">
<body style="padding: 1rem"><main><h1>{html.escape(name)}</h1><div id="explorer"></div></main>
{loads}{scripts(f"window.shown = ladder.explorer.mount(document.getElementById('explorer'), {options});")}
</html>
""", encoding="utf-8")
    return path


def write_run(folder: pathlib.Path, lesson: str, trace: Dict[str, Any]) -> str:
    """Writes a script with a run and its source. Returns the script's name."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(find(lesson).text).replace("<", "\\u003c")
    (folder / f"{lesson}.js").write_text(
        traces.script_of(lesson, trace) + f"ladder.sources = ladder.sources || {{}};\n"
        f"ladder.sources[{json.dumps(lesson)}] = {text};\n", encoding="utf-8")
    return f"{lesson}.js"


def options_of(lesson: str) -> str:
    name = json.dumps(lesson)
    return f"{{trace: ladder.traces[{name}], source: ladder.sources[{name}], name: {name}}}"


def lesson_page(folder: pathlib.Path, lesson: str, below: str = "") -> pathlib.Path:
    """Writes the page of a lesson. below: the lesson to compare it with, or ""."""
    files = [write_run(folder, each, trace_of(each)) for each in (lesson, below) if each]
    compared = f", below: {options_of(below)}" if below else ""
    return write_page(folder, lesson, options_of(lesson)[:-1] + compared + "}", *files)


class ExplorerTest(BrowserTest):
    """Tests of one explorer, `shown` in JavaScript, on a page in a temporary folder."""

    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def open(self, page: pathlib.Path, state: str = "") -> None:
        """state: "#02/warp=1/event=5"."""
        self.browser.get(f"file://{page}{state}")

    def state(self) -> Dict[str, Any]:
        return self.run_script("return shown.state()")


if __name__ == "__main__":
    for number in sys.argv[1:]:
        at = next(i for i, each in enumerate(LESSONS) if each.startswith(number))
        print(lesson_page(ROOT / "build" / "explorer", LESSONS[at], LESSONS[at - 1] if at else ""))
