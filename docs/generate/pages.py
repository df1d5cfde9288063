"""Finds the generated parts of the pages and fills them. A part lies between the lines <!-- generated:KIND ARGUMENT --> and
<!-- /generated -->."""
import pathlib
import re
from typing import Any, Callable, Dict, List, NamedTuple

from .results import ROOT, Trouble
from .terms import link_page

BEGIN = re.compile(r"<!-- generated:([a-z_]+)(?: (\S+))? -->")
END = "<!-- /generated -->"
MARK = re.compile(r"<!--\s*/?\s*generated", re.I)
CODE = re.compile(r"`[^`]*`")
# Required parts of a page or of each lesson's README, so that a deleted mark is noticed.
REQUIRED = {"README.md": ["ladder"],
            "beyond/README.md": ["shapes", "plot share_beyond", "plot speed_beyond"],
            "docs/learn/questions.md": ["plot share"],
            "docs/contribute/measuring.md": ["gpus", "plot speed", "plot roofline"],
            "docs/learn/row_strides.md": ["strides 00_naive", "strides 01_shared_tile", "terms all"]}
LESSONS = ["measured", "profile", "terms all"]
BEYOND = ["measured", "terms"]


class Part(NamedTuple):
    """lines[begin] is the opening mark, lines[end] the closing one. The functions of kinds get by name: the runs, the
    argument, the lesson (the page's folder), the page's text and path."""
    kind: str
    argument: str
    begin: int
    end: int

    @property
    def title(self) -> str:
        return f"{self.kind} {self.argument}".strip()


def pages() -> List[pathlib.Path]:
    return [ROOT / "README.md", *sorted(ROOT.glob("[0-9][0-9]_*/README.md")),
            *sorted(ROOT.glob("beyond/README.md")), *sorted(ROOT.glob("beyond/[0-9][0-9]_*/README.md")),
            *sorted(ROOT.glob("docs/*/*.md"))]


def page_name(path: pathlib.Path) -> str:
    return str(path.relative_to(ROOT))


def read_page(path: pathlib.Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise Trouble(f"{page_name(path)}: cannot be read") from None


def find_parts(name: str, lines: List[str]) -> List[Part]:
    """The parts of a page. Raises Trouble with the line number if a mark is misspelt or lacks its partner."""
    parts: List[Part] = []
    begin = None
    fenced = False
    for i, line in enumerate(lines):
        fenced ^= line.lstrip().startswith("```")
        if fenced or not MARK.search(CODE.sub("", line)):
            continue
        where = f"{name}:{i + 1}: "
        match = BEGIN.fullmatch(line.strip())
        if match and begin is None:
            begin = (match[1], match[2] or "", i)
        elif match:
            raise Trouble(f"{where}a part begins inside of another: line {begin[2] + 1} has no '{END}'")
        elif line.strip() == END and begin is not None:
            parts.append(Part(*begin, i))
            begin = None
        elif line.strip() == END:
            raise Trouble(f"{where}'{END}' ends no part: is the mark that begins it misspelt?")
        else:
            raise Trouble(f"{where}misspelt mark '{line.strip()[:60]}'; '<!-- generated:KIND ARGUMENT -->' is right")
    if begin is not None:
        raise Trouble(f"{name}:{begin[2] + 1}: the part 'generated:{begin[0]}' has no '{END}'")
    return parts


def check_required(path: pathlib.Path, parts: List[Part]) -> None:
    name = page_name(path)
    wanted = REQUIRED.get(name, [])
    if path.name == "README.md" and name not in REQUIRED:
        wanted = BEYOND if path.parent.parent.name == "beyond" else LESSONS
    found = {part.title for part in parts}
    missing = [title for title in wanted if title not in found]
    if missing:
        raise Trouble(f"{name}: the mark <!-- generated:{missing[0]} --> is missing")


def fill(path: pathlib.Path, runs: Dict[Any, Any], kinds: Dict[str, Callable[..., str]]) -> str:
    """The text of a page with new parts and linked terms. Definitions of terms come last, since other parts may use terms."""
    text = read_page(path)
    check_required(path, find_parts(page_name(path), text.splitlines()))
    for late in (False, True):
        lines = text.splitlines(keepends=True)
        for part in reversed(find_parts(page_name(path), lines)):
            if (part.kind == "terms") == late:
                lines[part.begin + 1:part.end] = [make(path, part, lines, runs, kinds)]
        text = "".join(lines) if late else link_page("".join(lines))
    return text


def make(path: pathlib.Path, part: Part, lines: List[str], runs: Dict[Any, Any],
         kinds: Dict[str, Callable[..., str]]) -> str:
    """The new text of one part of a page."""
    where = f"{page_name(path)}:{part.begin + 1}: "
    if part.kind not in kinds:
        raise Trouble(f"{where}unknown part 'generated:{part.kind}'; there are {', '.join(sorted(kinds))}")
    try:
        return kinds[part.kind]("".join(lines[part.begin + 1:part.end]), runs=runs, argument=part.argument,
                                lesson=path.parent.name, page="".join(lines), path=path)
    except Trouble as trouble:
        raise Trouble(f"{where}{trouble}") from None
