"""Renders a Markdown page as HTML in sections, like GitHub, but with links to pages of the site."""
import html
import posixpath
import re
from typing import Any, Dict, List, NamedTuple, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from generate import terms
from ladder.lib.lessons import ROOT
from ladder.publishing import drawings
from ladder.publishing.tree import Links, address, relative

_LEXERS = {"c++": "cuda", "cpp": "cuda", "cuda": "cuda", "cu": "cuda", "h": "cuda", "diff": "diff", "sh": "bash",
           "python": "python", "py": "python", "json": "json", "yaml": "yaml"}


class Section(NamedTuple):
    """A second-level heading with its content; the first section has no heading."""
    anchor: str
    title: str
    html: str
    words: str  # without markup, for the search


class Page(NamedTuple):
    """title: without markup, of the search and of the browser's window; heading: as HTML."""
    path: str
    title: str
    heading: str
    sections: List[Section]

    def contents(self) -> List[Dict[str, str]]:
        """The table of contents: the sections, or the minor headings of a page with one section."""
        found = [{"anchor": each.anchor, "title": each.title} for each in self.sections if each.anchor]
        if len(found) < 2:
            text = "".join(each.html for each in self.sections)
            found = [{"anchor": anchor, "title": html.unescape(re.sub("<[^>]*>", "", title))}
                     for anchor, title in re.findall(r'<h2 class="minor" id="([^"]*)">(.*?)</h2>', text, re.S)]
        return found


def coloured(code: str, language: str) -> str:
    """Code as HTML, in <span>s of Pygments' classes; plain text if the language is unknown."""
    lexer = _LEXERS.get(language)
    if not lexer:
        return html.escape(code)
    return str(highlight(code, get_lexer_by_name(lexer, stripnl=False, ensurenl=False), HtmlFormatter(nowrap=True)))


class Reader:
    """Reads Markdown. links: of the whole site; names, sentences: of the terms in the glossary, by anchor."""

    def __init__(self, links: Links):
        self.links = links
        text = terms.GLOSSARY.read_text(encoding="utf-8")
        known = terms.read_terms(text)
        self.names = {term.anchor: term.name.replace("`", "") for term in known}
        self.sentences = {term.anchor: re.sub(r"[`*]|\[([^]]*)\](\([^)]*\)|\[[^]]*\])?",
                                              lambda found: found[1] or "", " ".join(term.text.split()))
                          for term in known}
        self.parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        for name in ("image", "fence", "code_block", "html_block", "html_inline", "table_open", "table_close", "td_open",
                     "link_open"):
            self.parser.renderer.rules[name] = getattr(self, "_" + name)

    def page(self, path: str) -> Page:
        """The page of a file of the checkout."""
        return self.read((ROOT / path).read_text(encoding="utf-8"), path)

    def read(self, text: str, path: str) -> Page:
        env: Dict[str, Any] = {"path": path, "pictures": 0}
        tokens = self.parser.parse(text, env)
        starts = [at for at, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"]
        for token in tokens if not starts else ():  # the glossary's terms are one level below its title
            if token.tag == "h3":
                token.tag = "h2"
                if token.nesting == 1:
                    token.attrSet("class", "minor")
        title, heading = path, html.escape(path)
        if tokens and tokens[0].tag == "h1":
            title, heading = _plain(tokens[1:2]), self._render(tokens[1:2], env)
        anchors: Dict[str, int] = {}
        for at, token in enumerate(tokens):
            if token.type == "heading_open":
                anchor = terms.anchor_of(re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", tokens[at + 1].content))
                count = anchors.get(anchor, 0)
                anchors[anchor] = count + 1
                token.attrSet("id", anchor if not count else f"{anchor}-{count}")
        sections = []
        begin = 3 if tokens and tokens[0].tag == "h1" else 0
        for at, end in zip([begin, *starts], [*starts, len(tokens)]):
            part = tokens[at:end]
            opened = bool(part) and part[0].type == "heading_open" and part[0].tag == "h2"
            sections.append(Section(str(part[0].attrs["id"]) if opened else "", _plain(part[1:2]) if opened else "",
                                    self._render(part, env), _plain(part[3 if opened else 0:])))
        return Page(path, title, heading, sections)

    def _render(self, tokens: Sequence[Token], env: Dict[str, Any]) -> str:
        text = str(self.parser.renderer.render(tokens, self.parser.options, env))
        return re.sub(r"<p>\s*(<figure.*?</figure>)\s*</p>", r"\1", text, flags=re.S)

    # Rules of the parser's renderer.

    def _image(self, tokens: Sequence[Token], at: int, _: Any, env: Dict[str, Any]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(env["path"]), str(tokens[at].attrs["src"])))
        if not path.endswith(".svg"):
            self.links.copies.add(path)
            words = self.parser.renderer.renderInlineAsText(tokens[at].children or [], self.parser.options, env)
            return f'<img src="{relative(path, address(env["path"]))}" alt="{html.escape(words)}" loading="lazy">'
        env["pictures"] += 1
        return drawings.inline(path, env["pictures"])

    def _fence(self, tokens: Sequence[Token], at: int, _: Any, env: Dict[str, Any]) -> str:
        token = tokens[at]
        return f'<pre data-scrolls="Code"><code>{coloured(token.content, token.info.strip())}</code></pre>\n'

    _code_block = _fence

    def _html_block(self, tokens: Sequence[Token], at: int, _: Any, env: Dict[str, Any]) -> str:
        return re.sub(r"<!--.*?-->", "", tokens[at].content, flags=re.S)

    _html_inline = _html_block

    def _table_open(self, *_: Any) -> str:
        return '<div class="table" data-scrolls="Table"><table>\n'

    def _table_close(self, *_: Any) -> str:
        return "</table></div>\n"

    def _td_open(self, tokens: Sequence[Token], at: int, options: Any, env: Dict[str, Any]) -> str:
        if len(tokens[at + 1].content) > 120:
            tokens[at].attrSet("class", "long")
        return str(self.parser.renderer.renderToken(tokens, at, options, env))

    def _link_open(self, tokens: Sequence[Token], at: int, _: Any, env: Dict[str, Any]) -> str:
        href = str(tokens[at].attrs["href"])
        target, _, anchor = href.partition("#")
        attributes = ""
        if target.endswith("glossary.md") and anchor in self.sentences:
            attributes = f' class="term" title="{html.escape(self.sentences[anchor])}"'
        resolved = html.escape(self.links.resolve(href, env["path"]))
        return f'<a href="{resolved}"{attributes}>'


def _plain(tokens: Sequence[Token]) -> str:
    """The words of tokens, without markup and code blocks."""
    words: List[str] = []
    for token in tokens:
        for child in token.children or []:
            if child.type in ("text", "code_inline"):
                words.append(child.content)
            elif child.type in ("softbreak", "hardbreak"):
                words.append(" ")
        if token.type == "inline":
            words.append(" ")
    return " ".join("".join(words).split())
