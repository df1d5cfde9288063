"""Reference links to docs/learn/glossary.md: [word] or [words][word]. The part "terms" of a page has their definitions,
[word]: glossary.md#word. On a page with "terms all" the first use of each term becomes a link.

A use is a term or one of its other forms in running text. Headings, code, links, images, HTML and generated parts have no
uses, since they cannot contain links. A term in the glossary is a heading "### term", at most one comment
"<!-- also: form, form; not: phrase, phrase -->", and one or two sentences. A form in backticks matches inline code, also
with arguments in parentheses. Plurals in -s need not be listed. Phrases after "not:" are not uses.
"""
import os
import pathlib
import re
from typing import Dict, List, NamedTuple

from .results import ROOT, Trouble

GLOSSARY = ROOT / "docs" / "learn" / "glossary.md"
MARK = "<!-- generated:terms all -->"
GAP = r"(?:[ \t]+|[ \t]*\n[ \t]*)"  # between the words of a term: a space or the end of a line
HIDDEN = "\0"  # replaces text without terms; it is no letter, so words end at it
LABELS = {"nvcc": "nvcc, the compiler"}  # [nvcc] alone is an exercise's tag

FENCED = re.compile(r"^(`{3,}|~{3,}).*?^\1[ \t]*$", re.S | re.M)
DEFINITION = re.compile(r"^ {0,3}\[[^]]+\]: \S+$", re.M)
# Text that cannot contain links. Order matters: fences before inline code, images and links before the rest.
NO_TEXT = [
    re.compile(r"<!-- generated:.*?<!-- /generated -->", re.S),
    re.compile(r"<!-- answer:.*?<!-- /answer -->", re.S),
    FENCED,
    re.compile(r"<!--.*?-->", re.S),
    re.compile(r"^#{1,6} .*$", re.M),
    re.compile(r"(?:\A|(?<=\n\n))(?: {4}|\t).*(?:\n(?: {4}|\t).*)*"),  # indented code
    re.compile(r"^[ \t]*</?[a-zA-Z][^\n]*(?:\n(?![ \t]*$)[^\n]+)*", re.M),  # HTML up to an empty line
    re.compile(r"!?\[(?:[^][]|\[[^][]*\])*\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^][]*\])?"),
    re.compile(r"<[^<>\s][^<>\n]*>|https?://\S+"),
]
INLINE_CODE = re.compile(r"(`+)(?!`)(.*?)(?<!`)\1(?!`)", re.S)
REFERENCE = re.compile(r"(?<!!)\[((?:[^][]|\[[^][]*\])+)\](?:\[([^][]*)\]|(?!\())")


class Term(NamedTuple):
    name: str
    anchor: str
    forms: List[str]
    phrases: List[str]  # contain the term but are no use of it
    text: str


def anchor_of(heading: str) -> str:
    """GitHub's anchor for a heading."""
    return re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-")


def read_terms(text: str) -> List[Term]:
    """The terms of a glossary in its order."""
    terms = []
    for part in re.split(r"^### ", text, flags=re.M)[1:]:
        name, _, body = part.partition("\n")
        comment = re.match(r"<!-- *(.*?) *-->\n", body, re.S)
        lists: Dict[str, List[str]] = {"also": [], "not": []}
        if comment:
            body = body[comment.end():]
            for item in comment[1].split(";"):
                key, _, words = item.partition(":")
                lists[key.strip()] = [" ".join(word.split()) for word in words.split(",")]
        terms.append(Term(name.strip(), anchor_of(name.strip()), [name.strip(), *lists["also"]],
                          lists["not"], body.strip()))
    return terms


def check_glossary(terms: List[Term]) -> List[str]:
    """Faults of the glossary: wrong order, equal anchors, more than two sentences."""
    faults = []
    keys = [re.sub(r"[^a-z0-9 /-]", "", term.name.lower()) for term in terms]
    faults += [f"'{b}' comes after '{a}', which is not alphabetical" for a, b in zip(keys, keys[1:]) if b <= a]
    anchors = [term.anchor for term in terms]
    faults += [f"two terms have the anchor #{a}" for a in sorted(set(anchors)) if anchors.count(a) > 1]
    for term in terms:
        if not term.text.endswith(".") or len(re.findall(r"[.!?](?=\s|$)", term.text)) > 2:
            faults.append(f"'{term.name}' is not explained in one sentence or two")
    return faults


def hide(text: str, code_forms: List[str]) -> str:
    """The text with everything that cannot contain links replaced by HIDDEN. Its length stays the same. Inline code that is
    a form of a term stays visible, with its backticks."""
    def cover(match: re.Match) -> str:
        return re.sub(r"[^\n]", HIDDEN, match[0])
    for pattern in NO_TEXT:
        text = pattern.sub(cover, text)

    def is_form(code: str) -> bool:
        return code in code_forms or re.sub(r"\([^()]*\)`$", "`", code) in code_forms
    return INLINE_CODE.sub(lambda m: m[0] if is_form(m[0]) else cover(m), text)


def pattern_of(term: Term) -> "re.Pattern[str]":
    """A pattern for uses of the term. Case matters for forms with capitals and for code."""
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
    """The first use of each term, by anchor. A longer term hides a shorter one inside it."""
    shown = hide(text, [form for term in terms for form in term.forms if form.startswith("`")])
    lower = shown.lower()
    used = [term for term in terms  # a cheap test spares most patterns
            if any(form.strip("`").split()[0].lower() in lower for form in term.forms)]
    uses: Dict[str, List["re.Match[str]"]] = {}
    for term in sorted(used, key=lambda t: max(len(form.split()) for form in t.forms), reverse=True):
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


def label_of(term: Term) -> str:
    return LABELS.get(term.name, term.name)


def same(label: str) -> str:
    """A label's normal form, as Markdown compares labels."""
    return " ".join(label.split()).casefold()


def reference(word: str, term: Term) -> str:
    label = label_of(term)
    return f"[{word}]" if same(word) == same(label) else f"[{word}][{label}]"


def references(text: str) -> Dict[str, int]:
    """The position of the first reference to each label, by its form from same(). Code has none."""
    for pattern in (FENCED, DEFINITION):
        text = pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    inside = {place for match in INLINE_CODE.finditer(text) for place in range(match.start(), match.end())}
    found: Dict[str, int] = {}
    for match in REFERENCE.finditer(text):
        if match.start() not in inside:
            found.setdefault(same(match[2] or match[1]), match.start())
    return found


def linked(text: str, terms: List[Term]) -> str:
    """The text with a link at the first use of each term, unless a link to the term comes earlier."""
    known, first = references(text), first_uses(text, terms)
    uses = [(first[term.anchor], term) for term in terms if term.anchor in first
            and known.get(same(label_of(term)), len(text)) > first[term.anchor].start()]
    for use, term in sorted(uses, key=lambda pair: -pair[0].start()):
        text = text[:use.start()] + reference(use[0], term) + text[use.end():]
    return text


def all_terms() -> List[Term]:
    try:
        terms = read_terms(GLOSSARY.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Trouble(f"docs/learn/glossary.md: cannot be read: {error}") from None
    for fault in check_glossary(terms):
        raise Trouble(f"docs/learn/glossary.md: {fault}")
    return terms


def link_page(text: str) -> str:
    """The text of a page with its links; unchanged without "terms all"."""
    return linked(text, all_terms()) if MARK in text else text


def definitions(_, page: str, path: pathlib.Path, **__) -> str:
    """The part "terms": the targets of the page's links to terms."""
    glossary = os.path.relpath(GLOSSARY, path.parent).replace(os.sep, "/")
    known = references(page)
    return "".join(f"[{label_of(term)}]: {glossary}#{term.anchor}\n" for term in all_terms()
                   if same(label_of(term)) in known)


KINDS = {"terms": definitions}
