"""Finds the generated parts of the pages and fills them. A part stands between <!-- generated:KIND ARGUMENT -->
and <!-- /generated -->, each on a line of its own."""
import pathlib
import re
from typing import Any, Callable, Dict, List, NamedTuple

from .results import ROOT, Trouble

BEGIN = re.compile(r"<!-- generated:([a-z_]+)(?: (\S+))? -->")
END = "<!-- /generated -->"
MARK = re.compile(r"<!--\s*/?\s*generated", re.I)
CODE = re.compile(r"`[^`]*`")
# Parts that have to be there, so that a lost or misspelt mark is noticed. Lessons by their number.
REQUIRED = {"README.md": ["figure share", "ladder"], "beyond/README.md": ["shapes", "figure share_beyond", "figure speed_beyond"], "NN": ["measured", "profile"], "00": ["strides"],
            "01": ["strides"], "07": ["variants"], "08": ["errors"],
            "docs/contribute/measuring.md": ["gpus", "figure speed", "figure roofline"],
            "docs/learn/sources.md": ["seed 001", "seed 003", "seed 004", "openblas"],
            "docs/learn/gpu_in_ten_minutes.md": ["hardware"]}
# What damaged data end in, where nothing looked for the damage.
DAMAGE = (KeyError, TypeError, ValueError, IndexError, AttributeError, ZeroDivisionError, OverflowError)


class Part(NamedTuple):
    """lines[begin] is its first mark and lines[end] its last."""
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
    """The parts of a page; Trouble, with the line, where marks are misspelt or do not belong together."""
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
    wanted = list(REQUIRED.get(name, []))
    if path.name == "README.md" and path.parent.parent == ROOT and path.parent.name != "beyond":  # the nine
        wanted += REQUIRED["NN"] + REQUIRED.get(path.parent.name[:2], [])
    if path.name == "README.md" and path.parent.parent == ROOT / "beyond":
        wanted += ["measured"]
    found = {part.title for part in parts}
    missing = [title for title in wanted if title not in found]
    if missing:
        raise Trouble(f"{name}: the mark <!-- generated:{missing[0]} --> is missing")


def fill(path: pathlib.Path, runs: Dict[Any, Any], kinds: Dict[str, Callable[..., str]]) -> str:
    """The text of a page with its parts made anew."""
    lines = read_page(path).splitlines(keepends=True)
    parts = find_parts(page_name(path), lines)
    check_required(path, parts)
    for part in reversed(parts):
        where = f"{page_name(path)}:{part.begin + 1}: "
        if part.kind not in kinds:
            raise Trouble(f"{where}unknown part 'generated:{part.kind}'; there are {', '.join(sorted(kinds))}")
        try:
            new = kinds[part.kind]("".join(lines[part.begin + 1:part.end]), runs=runs, argument=part.argument,
                                   lesson=path.parent.name)
        except SystemExit as stop:  # the pictures' way of telling
            raise Trouble(str(stop)) from None
        except DAMAGE as error:
            raise Trouble(f"{where}the data of 'generated:{part.title}' are damaged, or its argument is wrong: "
                          f"{type(error).__name__} {error}") from None
        if re.search(r"\b(nan|inf)\b", new) and part.kind != "file":
            raise Trouble(f"{where}the data of 'generated:{part.title}' have a value that is no number")
        lines[part.begin + 1:part.end] = [new]
    return "".join(lines)
