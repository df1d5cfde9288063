"""The pictures in the lessons' READMEs, and whether they are up to date."""
import html
import pathlib
import re
from typing import Callable, Dict, List, NamedTuple, Tuple

from ladder.lessons import ROOT, EditError, apply, code_hash, every, find, parse_edits
from ladder.lessons.arrays import knobs
from .banks import draw_reads, draw_stores
from .boxes import draw_boxes, draw_operands
from .phases import draw_phases
from .requests import draw_requests
from .run import Choice, Run
from .svg import Drawing
from .tiles import draw_tiles
from .timeline import draw_timeline

FOLDER = ROOT / "docs" / "pictures"  # NN_name/NAME.svg
CARD = {"SIMT_MULTIPROCESSORS": "2"}  # unless set otherwise: a small GPU, so that persistent blocks have several tiles


class Kind(NamedTuple):
    """A kind of picture: a function that draws it, what it shows, and whether it shows requests of single lines."""
    draw: Callable[[Run, Choice], Tuple[Drawing, str, str]]
    what: str
    of_requests: bool = False


KINDS: Dict[str, Kind] = {
    "requests": Kind(draw_requests, "the requests of a warp to global memory", True),
    "stores": Kind(draw_stores, "the stores of a warp to shared memory, bank by bank", True),
    "reads": Kind(draw_reads, "the reads of a warp from shared memory, bank by bank", True),
    "tiles": Kind(draw_tiles, "who stores which elements of C"),
    "timeline": Kind(draw_timeline, "when the buffers in shared memory are written and read"),
    "boxes": Kind(draw_boxes, "the layout of a TMA box in shared memory"),
    "operands": Kind(draw_operands, "the operands that a wgmma reads from shared memory"),
    "phases": Kind(draw_phases, "which stages TMA fills while others are multiplied"),
}


class Entry(NamedTuple):
    """A picture of a README. change: a knob that differs, as in "PAD=0"."""
    lesson: str  # its number: names may change
    kind: str
    arrays: Tuple[str, ...] = ()
    change: str = ""

    @property
    def name(self) -> str:
        return self.kind + ("_" + self.change.replace("=", "_").lower() if self.change else "")


# In the order of the README: the number of a lesson, the kind of picture, and the arrays.
ENTRIES = [
    Entry("00", "requests"),
    Entry("00", "tiles"),
    Entry("01", "timeline"),
    Entry("01", "stores", ("As",)),
    Entry("02", "requests"),
    Entry("02", "stores", ("As",)),
    Entry("03", "tiles"),
    Entry("04", "requests", ("A", "B")),
    Entry("04", "stores"),
    Entry("05", "tiles"),
    Entry("05", "reads"),
    Entry("06", "tiles"),
    Entry("06", "stores", ("As",)),
    Entry("06", "stores", ("As",), "PAD=0"),
    Entry("06", "reads"),
    Entry("07", "timeline"),
    Entry("07", "requests", ("A", "B")),
    Entry("07", "stores", ("As",)),
    Entry("08", "tiles"),
    Entry("08", "reads", ("As", "Bs")),
    Entry("08", "reads", ("As", "Bs"), "PAD=0"),
    Entry("10", "reads", ("As",)),
    Entry("10", "reads", ("As",), "SWIZZLE=1"),
    Entry("10", "stores", ("As",)),
    Entry("10", "tiles"),
    Entry("11", "boxes", ("A",)),
    Entry("11", "phases"),
    Entry("14", "phases"),
]


def default_sizes(source: str) -> List[int]:
    """M, N and K of two block tiles each way and six tiles along K; defaults for unknown knobs."""
    known = knobs(source)
    depth = known.get("BK", 0)
    return [2 * known.get("BM", 128), 2 * known.get("BN", 128), 6 * depth if depth else 64]


def changed_source(source: str, change: str) -> Tuple[str, str]:
    """The source with a knob changed as in "PAD=0", and the change in words; ("", "") if there is no such knob or the
    value is not an integer."""
    match = re.fullmatch(r"(\w+)\s*=\s*(\d+)", change.strip())
    if not match:
        return "", ""
    try:
        return apply(source, parse_edits([f"{match[1]}={match[2]}"])), f"{match[1]} = {match[2]}"
    except EditError:
        return "", ""


def origin(source: str, command: str) -> str:
    """The metadata of a picture: its command and the hash of the unchanged lesson (source)."""
    return f"{command}; lesson {code_hash(source)}"


def draw(run: Run, kind: str, choice: Choice, source: str, command: str) -> Tuple[str, str]:
    """A picture as SVG, and in words. Raises NothingToDraw."""
    drawing, title, sentence = KINDS[kind].draw(run, choice)
    return drawing.finish(title, sentence, origin(source, command)), sentence


def entry_command(entry: Entry, run: Run) -> str:
    parts = [f"./ladder picture {run.lesson} --kind {entry.kind}"]
    parts += [f"--array {','.join(entry.arrays)}"] if entry.arrays else []
    parts += [f"--with {entry.change}"] if entry.change else []
    return " ".join(parts)


def path_of(entry: Entry, lesson: str) -> pathlib.Path:
    return FOLDER / lesson / (entry.name + ".svg")


def alternative(svg: str) -> str:
    """The alternative text of a picture, from its <desc>."""
    match = re.search(r"<desc[^>]*>(.*?)</desc>", svg, re.S)
    return html.unescape(match[1]) if match else ""


def markdown(lesson: str, name: str) -> str:
    """The line that shows a picture in a lesson's README. Raises FileNotFoundError."""
    path = FOLDER / lesson / (name + ".svg")
    words = re.sub(r"([\[\]\\])", r"\\\1", alternative(path.read_text(encoding="utf-8")))
    up = "../" * len(find(lesson).folder.split("/"))
    return f"![{words}]({up}{path.relative_to(ROOT).as_posix()})\n"


def stale(lesson: str, name: str) -> bool:
    """Whether a picture belongs to other code. Needs no run; only the tests compare the drawing itself."""
    path = FOLDER / lesson / (name + ".svg")
    if not path.exists():
        return True
    return origin(find(lesson).text, "") + "</metadata>" not in path.read_text(encoding="utf-8")


def stale_pictures() -> List[Tuple[str, str]]:
    """The lesson and the name of each picture of the READMEs that must be redrawn."""
    return [(facts.name, entry.name) for facts in every() for entry in ENTRIES
            if facts.number == entry.lesson and stale(facts.name, entry.name)]


def part(*_, argument: str, lesson: str, **__) -> str:
    """A part of docs/generate, of the kind "picture"."""
    try:
        return markdown(lesson, argument)
    except FileNotFoundError:
        raise SystemExit(f"{lesson}/README.md: there is no picture '{argument}'; ./ladder picture --all "
                         "draws those of common/ladder/pictures/gallery.py") from None
