"""The output of ./ladder site, for its tests."""
import functools
import html.parser
import pathlib
import subprocess
from typing import List, Optional, Tuple

from browser import ROOT

SITE = ROOT / "build" / "site"


@functools.lru_cache(maxsize=None)
def made() -> pathlib.Path:
    """Builds the site once. Returns its folder."""
    done = subprocess.run([str(ROOT / "ladder"), "site", "--no-install"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, encoding="utf-8", check=False)
    if done.returncode != 0:
        raise AssertionError(f"./ladder site: {done.returncode}\n{done.stdout}")
    return SITE


class Tags(html.parser.HTMLParser):
    """A page's links (hrefs), the files that it loads immediately (loads) and its anchors (ids)."""

    def __init__(self, path: pathlib.Path):
        super().__init__()
        self.hrefs: List[str] = []
        self.loads: List[str] = []
        self.ids: List[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: List[Tuple[str, Optional[str]]]) -> None:
        found = {name: value or "" for name, value in attributes}
        self.ids += [found["id"]] if "id" in found else []
        self.hrefs += [found["href"]] if tag == "a" else []
        self.loads += [found[name] for name in ("src", "href") if name in found and tag in ("script", "img", "link")]


@functools.lru_cache(maxsize=None)
def tags(path: pathlib.Path) -> Tags:
    return Tags(path)
