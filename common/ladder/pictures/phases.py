"""Picture of a producer, the consumers and the stages between them: which tile TMA loads into which stage, and when it
is multiplied. The order follows the run's mbarriers, and a tensor core multiplies one tile at a time. Lengths are not
measured, because a run on a CPU has no times."""
from dataclasses import dataclass, field
from typing import Callable, Dict, List, Tuple

from .run import Choice, NothingToDraw, Run
from .svg import MARGIN, WIDTH, Drawing, box, plural

LEFT = 150
ROOM = WIDTH - 2 * MARGIN - LEFT
BAR = 22
MOST = 8  # tiles to draw
MULTIPLY, COPY, SHORT = 1.0, 0.8, 0.03  # lengths: the products of a tile, its copies, everything else
Bar = Tuple[float, float]


@dataclass
class Fill:
    """The time that a tile spends in a stage."""
    tile: int
    place: int  # the stage, named by the offset of its barrier
    asked: float
    boxes: List[Tuple[int, int]] = field(default_factory=list)  # offset and bytes
    landed: float = 0.0
    multiplied: Dict[int, Bar] = field(default_factory=dict)  # by warp, from the first product to the end of the last
    given_back: float = 0.0


@dataclass
class Leave:
    """A box that TMA stores to global memory."""
    warp: int  # the warp that requested the store
    place: int
    begin: float
    end: float
    waited_for: bool = False


@dataclass
class Story:
    fills: List[Fill] = field(default_factory=list)
    leaves: List[Leave] = field(default_factory=list)
    waits: Dict[int, List[Bar]] = field(default_factory=dict)  # by warp: waits for phases
    asking: Dict[int, List[Bar]] = field(default_factory=dict)  # by warp: from its first box of a tile to its last
    end: float = 0.0


class Player:
    """Replays the steps of a run. Each step happens as early as its dependencies allow."""

    def __init__(self, run: Run) -> None:
        self.story = Story()
        self.now: Dict[int, float] = {}  # by warp: its present time
        self.busy: Dict[int, float] = {}  # by warp: the end of its last product
        self.ends: Dict[int, List[float]] = {}  # by warp: the ends of its products
        self.cores: Dict[int, Dict[int, float]] = {}  # by tensor core and tile: the end of the products
        self.over: Dict[Tuple[int, int], float] = {}  # by barrier and phase: the end of the phase
        self.phase: Dict[int, int] = {}  # by barrier: the phase of the last arrival
        self.engine = self.outward = 0.0  # the ends of TMA's last load and of its last store
        self.current: Dict[int, Fill] = {}  # by stage
        self.waited: Dict[int, Tuple[int, int]] = {}  # by warp: the barrier and phase of its last wait
        self.empties: Dict[int, Fill] = {}  # by the barrier that releases the stage
        self.per_tile = self._per_tile(run)
        self.bytes = self._bytes(run)
        for step in run.steps:
            getattr(self, "_" + step["kind"])(step, step.get("warp", -1))
        self.story.end = max([*self.now.values(), self.engine, self.outward])

    @staticmethod
    def _per_tile(run: Run) -> int:
        """The number of products of a warp between two waits for products."""
        counts: Dict[int, List[int]] = {}
        for step in run.steps:
            if step["kind"] == "product":
                counts.setdefault(step["warp"], [0])[-1] += 1
            elif step["kind"] == "products" and counts.get(step["warp"], [0])[-1]:
                counts[step["warp"]].append(0)
        return max((max(each) for each in counts.values()), default=1)

    @staticmethod
    def _bytes(run: Run) -> int:
        """The bytes that arrive at a barrier in one phase."""
        return max((step["bytes"] for step in run.steps if step["kind"] == "arrive" and step["bytes"]), default=1)

    def _arrive(self, step: dict, warp: int) -> None:
        at = step["barrier"][1]
        self.phase[at] = step["phase"]
        now = self.now.get(warp, 0.0)
        self.over[at, step["phase"]] = max(self.over.get((at, step["phase"]), 0.0), now)
        fill = self.empties.get(at)
        if fill and not step["bytes"]:
            fill.given_back = max(fill.given_back, now)
        self.now[warp] = now + SHORT

    def _wait(self, step: dict, warp: int) -> None:
        key = step["barrier"][1], step["phase"]
        now = self.now.get(warp, 0.0)
        over = self.over.get(key, 0.0)
        if over > now + SHORT:
            self.story.waits.setdefault(warp, []).append((now, over))
        self.now[warp] = max(now, over)
        self.waited[warp] = key

    def _ask(self, step: dict, warp: int) -> None:
        place, now = step["barrier"][1], self.now.get(warp, 0.0)
        fill = self.current.get(place)
        if fill is None or fill.landed:
            fill = Fill(len(self.story.fills), place, now)
            self.current[place] = fill
            self.story.fills.append(fill)
            self.story.asking.setdefault(warp, []).append((now, now))
            if warp in self.waited and self.waited[warp][0] != place:
                self.empties[self.waited[warp][0]] = fill
        rows = step["bytes"] // step["width"]
        fill.boxes.append((step["at"][1], rows * max(step["width"], step["swizzle"])))
        self.engine = max(self.engine, now) + COPY * step["bytes"] / self.bytes
        self.now[warp] = now + SHORT
        self.story.asking[warp][-1] = (fill.asked, self.now[warp])
        key = place, self.phase.get(place, 0)
        self.over[key] = max(self.over.get(key, 0.0), self.engine)

    def _land(self, step: dict, _warp: int) -> None:
        fill = self.current[step["barrier"][1]]
        over = self.over.get((fill.place, self.phase.get(fill.place, 0)), self.engine)
        fill.landed = max(over, fill.asked + SHORT)

    def _store(self, step: dict, warp: int) -> None:
        now = self.now.get(warp, 0.0)
        self.outward = max(self.outward, now) + COPY * step["bytes"] / self.bytes
        self.story.leaves.append(Leave(warp, step["at"][1], now, self.outward))
        self.now[warp] = now + SHORT

    def _stored(self, step: dict, warp: int) -> None:
        leave = next(each for each in self.story.leaves
                     if (each.warp, each.place, each.waited_for) == (warp, step["at"][1], False))
        leave.waited_for = True
        self.now[warp] = max(self.now.get(warp, 0.0), leave.end)

    def _product(self, step: dict, warp: int) -> None:
        at = step.get("a", step["b"])[1]
        fill = next((each for each in self.current.values()
                     if any(first <= at < first + size for first, size in each.boxes)), None)
        own = max(self.now.get(warp, 0.0), self.busy.get(warp, 0.0))
        ends = self.cores.setdefault(warp % 4, {})
        begin = max([own, *(end for tile, end in ends.items() if not fill or tile != fill.tile)])
        if begin > own + SHORT:
            waits = self.story.waits.setdefault(warp, [])
            waits.append((waits.pop()[0] if waits and waits[-1][1] == own else own, begin))
            self.now[warp] = begin
        self.busy[warp] = begin + MULTIPLY / self.per_tile
        self.ends.setdefault(warp, []).append(self.busy[warp])
        if fill:
            first = fill.multiplied.get(warp, (begin, begin))[0]
            fill.multiplied[warp] = (first, self.busy[warp])
            ends[fill.tile] = self.busy[warp]

    def _products(self, step: dict, warp: int) -> None:
        if step["done"]:
            self.now[warp] = max(self.now.get(warp, 0.0), self.ends[warp][step["done"] - 1])


def _together(leaves: List[Leave]) -> List[Bar]:
    """The intervals in which at least one store is in flight."""
    bars: List[Bar] = []
    for leave in sorted(leaves, key=lambda each: each.begin):
        if bars and leave.begin <= bars[-1][1]:
            bars[-1] = (bars[-1][0], max(bars[-1][1], leave.end))
        else:
            bars.append((leave.begin, leave.end))
    return bars


def _bar(d: Drawing, x: Callable[[float], float], bar: Bar, top: float, labels: List[str], css: str,
         hatch: str = "") -> None:
    left, right = x(bar[0]), x(bar[1])
    shape = box(left, top, max(right - left, 1.5), BAR)
    d.path(css, [shape])
    if hatch:
        d.hatch(hatch, [shape])
    d.path("cell", [shape])
    fitting = [each for each in labels if 6.6 * len(each) + 4 <= right - left]
    if fitting:
        d.text((left + right) / 2, top + 15, fitting[0], "m")


def _row(d: Drawing, name: str, top: float) -> None:
    d.text(MARGIN + LEFT - 8, top + 15, name, "e")
    d.path("idle", [box(MARGIN + LEFT, top, ROOM, BAR)])


def _ahead(fills: List[Fill], places: int) -> str:
    """A sentence on the tiles that are ready or in flight while another is multiplied."""
    ready = max(sum(other.asked <= bar[0] for other in fills if other.tile > fill.tile)
                for fill in fills for bar in fill.multiplied.values())
    return (f"{plural(places, 'stage')}. While a tile is multiplied, up to {ready} later "
            f"{'one is' if ready == 1 else 'ones are'} full or in flight.")


def draw_phases(run: Run, _choice: Choice) -> Tuple[Drawing, str, str]:
    """The drawing, its title, and a description. Raises NothingToDraw."""
    story = Player(run).story if run.steps else Story()
    multiplied = [fill for fill in story.fills if fill.multiplied]
    if not multiplied:
        raise NothingToDraw(f"the first block of {run.lesson} multiplies no tile from TMA with wgmma")
    fills = story.fills[:MOST]
    end = max(bar[1] for fill in fills for bar in fill.multiplied.values())
    places = list(dict.fromkeys(fill.place for fill in fills))

    def x(time: float) -> float:
        return MARGIN + LEFT + ROOM * min(time, end) / end

    d, title = Drawing(), f"{run.lesson}: stages in shared memory between TMA and the consumers"
    d.heading(title)
    d.paragraph("From left to right: each event as early as the mbarriers and the tensor cores allow, which multiply one "
                "tile at a time. Lengths are not measured; the copies of a tile are drawn 0.8 times as long as its "
                "products. t0, t1, …: tiles of A and B along K. Grey: a wait.")
    top = d.y + 10
    for warp in sorted(story.asking):
        _row(d, f"requests: warp {warp}", top)
        for bar in (each for each in story.waits.get(warp, []) if each[0] < end):
            _bar(d, x, bar, top, ["waits for an empty stage", "until empty", "waits"], "rest")
        for number, bar in enumerate(story.asking[warp][:len(fills)]):
            if bar[0] < end:
                _bar(d, x, bar, top, [f"t{number}"], "p1", "1")
        top += BAR + 12
    for number, place in enumerate(places):
        _row(d, f"stage {number}", top)
        for fill in (each for each in fills if each.place == place):
            t = f"t{fill.tile}"
            _bar(d, x, (fill.asked, fill.landed), top, [f"{t} in flight", t], "p1", "1")
            last = max(bar[1] for bar in fill.multiplied.values()) if fill.multiplied else fill.landed
            _bar(d, x, (fill.landed, last), top, [f"{t} full", t], "p0")
        top += BAR + 4
    top += 8
    for first in sorted({warp // 4 * 4 for fill in fills for warp in fill.multiplied}):
        warps = [warp for warp in range(first, first + 4) if any(warp in fill.multiplied for fill in fills)]
        _row(d, f"multiply: warps {warps[0]}–{warps[-1]}", top)
        for bar in (each for each in story.waits.get(warps[0], []) if each[0] < end):
            _bar(d, x, bar, top, ["waits"], "rest")
        for fill in fills:
            if warps[0] in fill.multiplied:
                _bar(d, x, fill.multiplied[warps[0]], top, [f"multiply t{fill.tile}", f"× t{fill.tile}", f"t{fill.tile}"],
                     "p2", "2")
        top += BAR + 4
        leaves = [each for each in story.leaves if each.warp in warps]
        if leaves:
            _row(d, f"C of warps {warps[0]}–{warps[-1]}", top)
            for bar in (each for each in _together(leaves) if each[0] < end):
                _bar(d, x, bar, top, ["store to global memory", "store"], "p3")
            top += BAR + 4
    d.y = top
    about = _ahead(fills, len(places))
    if story.leaves:
        about += " TMA stores C in slices, while its warps continue."
    d.paragraph(about + " A stage is refilled when its consumers have released it; by then, the products of the next "
                        "tile are already running.")
    return d, title, (f"One thread of warp {min(story.asking)} requests tiles, "
                      f"{plural(len({w for f in fills for w in f.multiplied}), 'warp')} multiply them. " + about)
