#!/usr/bin/env python3
"""glossary.py [--fix] [FILE...]: does the first use of each term of docs/learn/glossary.md link to it?

Without FILEs: the READMEs of all lessons and docs/learn/gpu_in_ten_minutes.md. --fix inserts the links that are
missing, and nothing else; what it wrote passes the check. One line a fault, ten at most; exit status 1
if there is any, 2 for wrong use.

A use is a term, or one of its other forms, in running text: not in headings, code, links, images, HTML or
generated parts, because no link can stand there. Terms are headings "### term" in the glossary, followed by
at most one comment, "<!-- also: form, form; not: phrase, phrase -->", and one sentence. A form in backticks
is found as inline code, with arguments in brackets too; plurals in -s need not be named; phrases after "not:" are no uses.
"""
import argparse
import os
import pathlib
import re
import sys
from typing import Dict, List, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
GLOSSARY = ROOT / "docs" / "learn" / "glossary.md"
GAP = r"(?:[ \t]+|[ \t]*\n[ \t]*)"  # between the words of a term: a space or the end of a line
SHOWN = 10  # faults that are printed
HIDDEN = "\0"  # stands where no term can be; no letter, so that words end at it

# Where no link can stand. Order matters: fences before inline code, images and links before the rest.
NO_TEXT = [
    re.compile(r"<!-- generated:.*?<!-- /generated -->", re.S),
    re.compile(r"<!-- answer:.*?<!-- /answer -->", re.S),  # made by docs/generate/answers.py
    re.compile(r"^(`{3,}|~{3,}).*?^\1[ \t]*$", re.S | re.M),
    re.compile(r"<!--.*?-->", re.S),
    re.compile(r"^#{1,6} .*$", re.M),
    re.compile(r"^[^\n]+\n(?:=+|-+)[ \t]*$", re.M),  # headings that are underlined
    re.compile(r"(?:\A|(?<=\n\n))(?: {4}|\t).*(?:\n(?: {4}|\t).*)*"),  # indented code
    re.compile(r"^[ \t]*</?[a-zA-Z][^\n]*(?:\n(?![ \t]*$)[^\n]+)*", re.M),  # HTML up to an empty line
    re.compile(r"!?\[(?:[^][]|\[[^][]*\])*\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^][]*\])"),
    re.compile(r"^ *\[[^]]+\]: .*$", re.M),  # definitions of links
    re.compile(r"<[^<>\s][^<>\n]*>|https?://\S+"),
]
INLINE_CODE = re.compile(r"(`+)(?!`)(.*?)(?<!`)\1(?!`)", re.S)


class Term(NamedTuple):
    name: str
    anchor: str
    forms: List[str]
    phrases: List[str]  # that hold the term but are no use of it
    text: str


def anchor_of(heading: str) -> str:
    """The anchor that GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-")


def read_terms(text: str) -> List[Term]:
    """The terms of a glossary, in its order."""
    terms = []
    for part in re.split(r"^### ", text, flags=re.M)[1:]:
        name, _, body = part.partition("\n")
        comment = re.match(r"<!-- *(.*?) *-->\n", body)
        lists: Dict[str, List[str]] = {"also": [], "not": []}
        if comment:
            body = body[comment.end():]
            for item in comment[1].split(";"):
                key, _, words = item.partition(":")
                lists[key.strip()] = [word.strip() for word in words.split(",")]
        terms.append(Term(name.strip(), anchor_of(name.strip()), [name.strip(), *lists["also"]],
                          lists["not"], body.strip()))
    return terms


def check_glossary(terms: List[Term]) -> List[str]:
    """Faults of the glossary itself: order, anchors, one sentence each."""
    faults = []
    keys = [re.sub(r"[^a-z0-9 /-]", "", term.name.lower()) for term in terms]
    faults += [f"'{b}' stands behind '{a}'" for a, b in zip(keys, keys[1:]) if b <= a]
    anchors = [term.anchor for term in terms]
    faults += [f"two terms have the anchor #{a}" for a in sorted(set(anchors)) if anchors.count(a) > 1]
    for term in terms:
        if not term.text.endswith(".") or re.search(r"[.!?] [A-Z]", term.text):
            faults.append(f"'{term.name}' is not explained in one sentence")
    return faults


def hide(text: str, code_forms: List[str]) -> str:
    """The text with HIDDEN over everything in which no link can stand; of the same length. Inline code
    stays visible, in its backticks, where it is a form of a term as a whole."""
    def cover(match: re.Match) -> str:
        return re.sub(r"[^\n]", HIDDEN, match[0])
    for pattern in NO_TEXT:
        text = pattern.sub(cover, text)

    def is_form(code: str) -> bool:
        return code in code_forms or re.sub(r"\([^()]*\)`$", "`", code) in code_forms
    return INLINE_CODE.sub(lambda m: m[0] if is_form(m[0]) else cover(m), text)


def pattern_of(term: Term) -> "re.Pattern[str]":
    """Finds a use of the term; case counts where the form has capitals or is code."""
    ways = []
    for form in sorted(term.forms, key=len, reverse=True):
        if form.startswith("`"):
            ways.append(re.escape(form[:-1]) + r"(?:\([^()`\n]*\))?`")
            continue
        words = GAP.join(re.escape(word) for word in form.split())
        case = words if form != form.lower() else f"(?i:{words})"
        ways.append(rf"(?<![\w./-]){case}(?:s|es)?(?![\w-]|\.\w)")
    return re.compile("|".join(ways))


def phrase_of(phrase: str) -> "re.Pattern[str]":
    return re.compile(r"(?<!\w)" + GAP.join(re.escape(word) for word in phrase.split()) + r"(?!\w)", re.I)


def first_uses(text: str, terms: List[Term]) -> Dict[str, "re.Match[str]"]:
    """The first use of each term by its anchor. A longer term hides the shorter one inside it."""
    shown = hide(text, [form for term in terms for form in term.forms if form.startswith("`")])
    uses: Dict[str, List["re.Match[str]"]] = {}
    for term in sorted(terms, key=lambda t: max(len(form.split()) for form in t.forms), reverse=True):
        view = shown
        for phrase in term.phrases:
            view = phrase_of(phrase).sub(lambda m: re.sub(r"[^\n]", HIDDEN, m[0]), view)
        uses[term.anchor] = list(pattern_of(term).finditer(view))
    taken: List[range] = []
    result = {}
    everything = sorted(((m.start(), -len(m[0]), anchor, m) for anchor, found in uses.items() for m in found),
                        key=lambda item: item[:3])
    for start, _, anchor, match in everything:
        if any(start < other.stop and match.end() > other.start for other in taken[-8:]):
            continue
        taken.append(range(start, match.end()))
        result.setdefault(anchor, match)
    return result


def link_to(path: pathlib.Path) -> str:
    return os.path.relpath(GLOSSARY, path.parent).replace(os.sep, "/")


def missing_links(text: str, target: str, terms: List[Term]) -> Dict[str, "re.Match[str]"]:
    """The first uses that stand before any link to their term."""
    first_link = {}
    for link in re.finditer(re.escape(f"]({target}#") + r"([^)\s]+)\)", text):
        first_link.setdefault(link[1], link.start())
    return {anchor: use for anchor, use in first_uses(text, terms).items()
            if not first_link.get(anchor, len(text) + 1) < use.start()}


def fix(text: str, target: str, terms: List[Term]) -> str:
    """The text with the missing links."""
    for anchor, use in sorted(missing_links(text, target, terms).items(), key=lambda item: -item[1].start()):
        word = text[use.start():use.end()]
        text = f"{text[:use.start()]}[{word}]({target}#{anchor}){text[use.end():]}"
    return text


def check(path: pathlib.Path, terms: List[Term]) -> List[str]:
    """The faults of one page, each with its line."""
    text = path.read_text(encoding="utf-8")
    target = link_to(path)
    anchors = {term.anchor for term in terms}
    faults = [(use.start(), f"the first '{' '.join(use[0].split())}' has no link to {target}#{anchor}")
              for anchor, use in missing_links(text, target, terms).items()]
    faults += [(link.start(), f"{target} has no term #{link[1]}")
               for link in re.finditer(re.escape(f"]({target}#") + r"([^)\s]+)\)", text)
               if link[1] not in anchors]
    name = os.path.relpath(path, ROOT)
    return [f"{name}:{text.count(chr(10), 0, start) + 1}: {fault}" for start, fault in sorted(faults)]


def main() -> int:
    parser = argparse.ArgumentParser(description="glossary.py [--fix] [FILE...]: does the first use of each "
                                     "glossary term link to it?", usage=argparse.SUPPRESS)
    parser.add_argument("--fix", action="store_true", help="insert the missing links")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="default: lessons and the primer")
    options = parser.parse_args()
    paths = [path.resolve() for path in options.files] or [
        *sorted(ROOT.glob("[0-9][0-9]_*/README.md")), ROOT / "docs" / "learn" / "gpu_in_ten_minutes.md"]
    for path in paths:
        if not path.is_file():
            parser.error(f"no file {path}")
    for path in [GLOSSARY, *paths]:
        try:
            path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            parser.error(f"cannot read {path}: {error}")
    terms = read_terms(GLOSSARY.read_text(encoding="utf-8"))
    faults = [f"docs/learn/glossary.md: {fault}" for fault in check_glossary(terms)]
    for path in paths:
        if options.fix:
            old = path.read_text(encoding="utf-8")
            new = fix(old, link_to(path), terms)
            if new != old:
                path.write_text(new, encoding="utf-8")
                links = new.count(link_to(path)) - old.count(link_to(path))
                print(f"{os.path.relpath(path, ROOT)}: {links} links set")
        faults += check(path, terms)
    if not faults:
        print(f"glossary: {len(terms)} terms, {len(paths)} pages, every first use is linked")
        return 0
    print("\n".join(faults[:SHOWN]))
    if len(faults) > SHOWN:
        print(f"... and {len(faults) - SHOWN} more")
    print("tests/docs/glossary.py --fix sets missing links")
    return 1


if __name__ == "__main__":
    sys.exit(main())
