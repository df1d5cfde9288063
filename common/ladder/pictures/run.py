"""An executed run: the events of one warp of block (0, 0), from a trace (common/simt/docs/trace.md)."""
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from ladder.lessons.arrays import Shape, shared_shapes

SECTOR = 32  # bytes


class NothingToDraw(Exception):
    """The run has nothing to draw for the request; the message says so in one line."""


@dataclass(frozen=True)
class Choice:
    """Which of a warp's requests to draw: of one line, and of some arrays (A, As); all by default."""
    line: Optional[int] = None
    arrays: Tuple[str, ...] = ()

    def takes(self, line: int, array: str) -> bool:
        return self.line in (None, line) and (not self.arrays or array in self.arrays)

    def __str__(self) -> str:
        return " ".join(([f"of {' and '.join(self.arrays)}"] if self.arrays else [])
                        + ([f"at line {self.line}"] if self.line is not None else []))


@dataclass
class Request:
    """An access of one warp. Offsets are in bytes from the beginning of the array, None for inactive lanes; size is in
    bytes per lane."""
    kind: str  # load, store, copy (cp.async), fragment (ldmatrix), atomic
    line: int
    space: str  # global or shared
    array: str
    size: int
    at: List[Optional[int]]
    sectors: Optional[int] = None  # of global memory
    wavefronts: Optional[int] = None  # of shared memory
    wavefront_of: Optional[List[Optional[List[int]]]] = None  # [lane][word], from 0
    block: int = 0
    warp: int = 0
    segment: int = 0  # barriers and commits before it

    @property
    def lanes(self) -> List[int]:
        return [lane for lane, at in enumerate(self.at) if at is not None]


@dataclass
class Run:
    lesson: str
    kernel: str
    sizes: Tuple[int, int, int]
    warp: int
    threads: int
    grid: Tuple[int, int]
    ld: Dict[str, int]  # by matrix, in elements
    element: Dict[str, int]  # by matrix, in bytes
    events: List[dict]  # of the warp, in order
    source: List[str]  # lines of gemm.cu
    changed: str = ""  # "PAD = 0" if the source is an edited copy
    stores: List[Request] = field(default_factory=list)  # to C, of all warps and blocks
    shapes: Dict[str, Shape] = field(default_factory=dict)  # of the shared arrays
    wrong: str = ""  # why the result is wrong, if it is
    steps: List[dict] = field(default_factory=list)  # of all warps and the TMA: common/simt/docs/trace.md

    def array(self, request: Request) -> str:
        """The array of a request, without indices: A, As, shared."""
        shape = self.shapes.get(request.array) if request.space == "shared" else None
        found = shape.locate(request.at[request.lanes[0]]) if shape else None
        return found[1].name if found else request.array

    def position(self, matrix: str, offset: int) -> Tuple[int, int]:
        """Row and column of the element at a byte offset in A, B or C."""
        index = offset // self.element[matrix]
        return index // self.ld[matrix], index % self.ld[matrix]

    def code(self, line: int) -> str:
        return self.source[line - 1].strip() if 0 < line <= len(self.source) else ""

    def requests(self) -> Iterator[Request]:
        """The warp's accesses in order. A copy comes twice, as a read of global memory and as a
        write of shared memory."""
        segment = 0
        for event in self.events:
            kind = event["kind"]
            if kind in ("barrier", "commit"):
                segment += 1
            elif "space" not in event:
                continue
            elif kind == "copy":
                if "from" in event:
                    yield _request(event, segment, "global", event["source"], event["from"])
                yield _request(event, segment, "shared", event["array"], event["at"])
            else:
                yield _request(event, segment, event["space"], event["array"], event["at"])

    def lines(self) -> List[int]:
        return sorted({request.line for request in self.requests()})


def _request(event: dict, segment: int, space: str, array: str, at: List[Optional[int]]) -> Request:
    shared = space == "shared"
    return Request(event["kind"], event["line"], space, array, event["size"], at,
                   None if shared else event["sectors"],
                   event["wavefronts"] if shared else None,
                   event.get("wavefront_of") if shared else None,
                   event["block"], event["warp"], segment)


def _moved(by_lane: Optional[list], offset: int) -> Optional[list]:
    """A pattern's offsets of the lanes (or of their first words), moved by an offset."""
    if by_lane is None:
        return None
    firsts = [lane[0] if isinstance(lane, list) else lane for lane in by_lane]
    return [None if first is None else first + offset for first in firsts]


def _event(data: dict, block: int, numbers: List[int]) -> dict:
    """An event of a trace, expanded with its site and the offsets of its lanes."""
    event: Dict[str, Any] = {"block": block, "warp": numbers[0], **data["sites"][numbers[1]]}
    if "space" not in event:
        if event["kind"] in ("multiply", "tensor"):
            event["fma"] = numbers[2]
        elif event["kind"] == "wait":
            event["prior"] = numbers[2]
        return event
    pattern = data["patterns"][numbers[2]]
    event.update({key: pattern[key] for key in ("sectors", "wavefronts") if key in pattern})
    event["at"] = _moved(pattern["at"], numbers[3])
    if "wavefront_of" in pattern:
        event["wavefront_of"] = [lane if lane is None or isinstance(lane, list) else [lane] for lane in pattern["wavefront_of"]]
    if event["kind"] == "copy" and len(numbers) > 4:
        event["from"] = _moved(pattern["from"], numbers[4])
    return event


def read_run(data: dict, lesson: str, source: str, changed: str = "", warp: int = 0) -> Run:
    """The run of a lesson from a trace; source: the text of the gemm.cu that ran. Raises NothingToDraw if there is no
    such warp."""
    warps = (data["threads"] + 31) // 32
    if warp >= warps:
        raise NothingToDraw(f"there is no warp {warp}: a block has "
                            + ("only warp 0" if warps == 1 else f"warps 0 to {warps - 1}"))
    matrices = data["matrices"]
    element = {name: matrix["element"] for name, matrix in matrices.items()}
    own, stores = [], []
    for block, numbers in [(0, each) for each in data["events"]] + [(each[0], each[1:]) for each in data["others"]]:
        site = data["sites"][numbers[1]]
        if site["kind"] == "store" and site.get("array") == "C":
            stores.append(_request(_event(data, block, numbers), 0, "global", "C",
                                   _moved(data["patterns"][numbers[2]]["at"], numbers[3])))
        if block == 0 and numbers[0] == warp:
            own.append(_event(data, block, numbers))
    return Run(lesson, data["kernel"], (data["M"], data["N"], data["K"]), warp,
               data["threads"], tuple(data["grid"]), {m: matrices[m]["ld"] for m in matrices},
               element, own, source.splitlines(), changed, stores,
               shared_shapes(source, data["kernel"], element), steps=data.get("steps", []))


def groups_of(run: Run, space: str, choice: Choice, kinds: Sequence[str] = ()) -> List[List[Request]]:
    """The chosen requests of the warp to one memory, grouped by line, array, kind and width. A group has those up to
    the first barrier or commit after its first request. kinds: only these. Raises NothingToDraw, with the nearest lines
    that have such requests."""
    groups: Dict[tuple, List[Request]] = {}
    lines = set()
    for request in run.requests():
        if request.space != space or (kinds and request.kind not in kinds):
            continue
        array = run.array(request)
        if not choice.arrays or array in choice.arrays:
            lines.add(request.line)
        if choice.takes(request.line, array):
            group = groups.setdefault((array, request.kind, request.line, request.size), [])
            if not group or group[0].segment == request.segment:
                group.append(request)
    if not groups:
        doing = {"store": "write", "load": "read"}.get(kinds[0] if kinds else "", "access")
        hint = f"; {nearest_lines(choice.line, lines)}" if choice.line is not None else ""
        raise NothingToDraw(f"warp {run.warp} of {run.lesson} does not {doing} {space} memory "
                            f"{choice}".rstrip() + hint)
    return list(groups.values())


def nearest_lines(line: int, lines) -> str:
    """The nearest lines that have requests, in words."""
    near = sorted(sorted(lines, key=lambda other: (abs(other - line), other))[:4])
    if not near:
        return "no line does"
    if len(near) == 1:
        return f"only line {near[0]} does"
    return f"lines {', '.join(map(str, near[:-1]))} and {near[-1]} do"
