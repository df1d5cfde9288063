"""Pictures of docs/pictures embedded in a page, with the page's switchable colours and searchable text."""
import html
import re

from generate import charts, primer
from ladder.lib.lessons import ROOT
from ladder.pictures import svg

_COLOURS = re.compile(r"^svg\{--.*?\}\n|^@media .*?\}\}\n", re.M | re.S)


def rules() -> str:
    """The style of the shapes in all pictures. The colours come from common/web/style.css."""
    def within(css: str, name: str) -> str:
        body = _COLOURS.sub("", css.strip() + "\n")
        return re.sub(r"(?m)(^|\})([^{}\n]+)\{", lambda found: found[1] + ", ".join(
            f".{name} {each.strip()}" for each in found[2].split(",")) + "{", body)
    return within(svg._STYLE, "picture") + within(charts._STYLE, "chart") + within(primer.STYLE, "primer")


def inline(path: str, number: int) -> str:
    """The <svg> of a file of docs/pictures. number: of the picture in its page, for unique ids."""
    text = (ROOT / path).read_text(encoding="utf-8")
    kind = "picture" + (" chart" if "--c0:" in text else " primer" if primer.STYLE in text else "")
    text = re.sub(r"<style>.*?</style>|<metadata>.*?</metadata>", "", text, flags=re.S)
    for name in set(re.findall(r'\bid="(\w+)"', text)):
        text = re.sub(rf'id="{name}"', f'id="s{number}{name}"', text)
        text = text.replace(f"url(#{name})", f"url(#s{number}{name})")
    text = re.sub(r'aria-labelledby="[^"]*"', f'aria-labelledby="s{number}t s{number}d"', text)
    title = re.search(r"<title[^>]*>(.*?)</title>", text)
    label = title[1] if title else html.escape(path)
    return f'<figure class="{kind}" data-scrolls="{label}">{text.strip()}</figure>'
