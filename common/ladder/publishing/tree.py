"""The pages of the site, and the targets of links. A page has the path of its Markdown: README.md becomes index.html,
any other NAME.md becomes NAME.html, and a file that a page links to is shown as FILE.html."""
import os
import posixpath
import re
from typing import Dict, List, Set

from ladder.lessons import every
from ladder.lib.lessons import ROOT
from ladder.lib.machine import output_of
from ladder.lib.output import WRONG, die

_FOLDERS = ("docs", "beyond", "common/simt/docs")  # their Markdown is part of the site


def sources() -> List[str]:
    """The paths of all Markdown that becomes a page, relative to the checkout."""
    found = ["README.md", *(f"{facts.folder}/README.md" for facts in every()), "common/simt/README.md"]
    for folder in _FOLDERS:
        found += sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*.md"))
    return list(dict.fromkeys(found))


def address(path: str) -> str:
    """The path of a file's page in the site."""
    folder, name = posixpath.split(path)
    if name == "README.md":
        return posixpath.join(folder, "index.html")
    return (path[:-3] if name.endswith(".md") else path) + ".html"


def relative(target: str, page: str) -> str:
    """The relative link from a page to another address of the site. target may have a #part."""
    name, hash_, part = target.partition("#")
    if name == page and part:
        return "#" + part
    return posixpath.relpath(name, posixpath.dirname(page) or ".") + hash_ + part


class Links:
    """Resolves links. files: linked files that are not pages and so must be shown; copies: files that pages show as
    they are."""

    def __init__(self) -> None:
        self.pages: Dict[str, str] = {path: address(path) for path in sources()}
        self.codes = {f"{facts.folder}/gemm.cu": f"{facts.folder}/index.html#source" for facts in every()}
        self.files: Set[str] = set()
        self.copies: Set[str] = set()

    def resolve(self, href: str, path: str) -> str:
        """The site's link for a link in the Markdown file path. A broken link ends the command."""
        if re.match(r"\w+:|#", href):
            return href
        name, hash_, part = href.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if (ROOT / target).is_dir():
            target = posixpath.join(target, "README.md")
        if target in self.codes:
            return relative(self.codes[target], address(path))
        if target not in self.pages:
            if not (ROOT / target).is_file() or os.pardir in target.split("/"):
                die(WRONG, f"{path}: broken link to '{href}'")
            self.files.add(target)
        return relative(address(target) + hash_ + part, address(path))


def revision() -> str:
    """The short hash of the site's commit; "" without git."""
    status, text = output_of(["git", "-C", str(ROOT), f"--git-dir={ROOT / '.git'}", "rev-parse", "--short", "HEAD"])
    return text.strip() if status == 0 else ""
