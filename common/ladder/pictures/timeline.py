"""Picture of the buffers in shared memory over a run: which tile along K is copied into which buffer, waited for, read
and multiplied, in the order in which one warp did it."""
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple

from .run import Choice, NothingToDraw, Run
from .svg import LINE, MARGIN, WIDTH, Drawing, box, plural

LEFT = 112  # room for the names of the rows
ROOM = WIDTH - 2 * MARGIN - LEFT
BAR = 24  # height of a bar
MOST = 8  # K tiles that are drawn


@dataclass
class Buffer:
    """A part of a shared array that takes a K tile at a time."""
    array: str
    first: int  # offsets in bytes
    last: int
    name: str = ""


@dataclass
class Use:
    """One stay of a K tile in a buffer; times are places in the order of the run."""
    buffer: int
    tile: int
    begin: int  # the first copy or store
    filled: int  # the last
    arrived: int = -1  # the barrier behind which all may read it
    first_read: int = -1
    last_read: int = -1
    asynchronous: bool = False


@dataclass
class Story:
    buffers: List[Buffer] = field(default_factory=list)
    uses: List[Use] = field(default_factory=list)
    multiplies: List[Tuple[int, int]] = field(default_factory=list)  # time, multiply-adds
    waits: List[Tuple[int, int]] = field(default_factory=list)  # time, groups that may be missing
    barriers: List[int] = field(default_factory=list)
    late: List[Tuple[int, int]] = field(default_factory=list)  # reads behind those of a later tile


def _column(run: Run, array: str, offset: int) -> int:
    """The k of an element of A or B."""
    return run.position(array, offset)[1 if array == "A" else 0]


def _fills(run: Run) -> List[Tuple[int, str, List[int], int, bool]]:
    """Writes of A's elements to shared memory: time, array, offsets, least k, asynchronous. A store is assumed to write
    the elements of the load before it."""
    found = []
    loaded: Optional[int] = None
    for time, event in enumerate(run.events):
        at = [a for a in event.get("at", ()) if a is not None]
        if event["kind"] == "copy" and event.get("source") == "A":
            k = min(_column(run, "A", a) for a in event["from"] if a is not None)
            found.append((time, event["array"], at, k, True))
        elif event["kind"] == "load" and event["array"] in "AB":
            loaded = min(_column(run, "A", a) for a in at) if event["array"] == "A" else None
        elif event["kind"] == "store" and event["space"] == "shared" and loaded is not None:
            found.append((time, event["array"], at, loaded, False))
    return found


def _depth(run: Run) -> int:
    """Elements of K in a tile: the step from one group of fills to the next."""
    groups: Dict[int, set] = {}
    segment = 0
    times = {time: k for time, _, _, k, _ in _fills(run)}
    for time, event in enumerate(run.events):
        segment += event["kind"] in ("barrier", "commit")
        if time in times:
            groups.setdefault(segment, set()).add(times[time])
    starts = sorted({min(ks) for ks in groups.values()})
    if len(starts) < 2:
        raise NothingToDraw(f"warp {run.warp} of {run.lesson} does not copy two tiles of A to shared memory")
    return starts[1] - starts[0]


def read_story(run: Run) -> Story:
    """The history of A's buffers. B's buffers fill and empty with them. Raises NothingToDraw."""
    depth = _depth(run)
    story = Story()
    spans: Dict[int, List[Tuple[int, str, int, int, bool]]] = {}  # by tile
    for time, array, at, k, asynchronous in _fills(run):
        spans.setdefault(k // depth, []).append((time, array, min(at), max(at), asynchronous))
    for tile in sorted(spans):
        fills = spans[tile]
        array, first, last = fills[0][1], min(f[2] for f in fills), max(f[3] for f in fills)
        number = next((i for i, b in enumerate(story.buffers)
                       if b.array == array and first <= b.last and b.first <= last), None)
        if number is None:
            number = len(story.buffers)
            story.buffers.append(Buffer(array, first, last, _name(run, array, first)))
        else:
            known = story.buffers[number]
            known.first, known.last = min(first, known.first), max(last, known.last)
        story.uses.append(Use(number, tile, fills[0][0], fills[-1][0], asynchronous=fills[0][4]))
    _follow(run, story)
    for use in story.uses:
        ends = [time for time in story.barriers if time > use.filled
                and (use.first_read < 0 or time < use.first_read)]
        use.arrived = ends[-1] if ends else use.filled
    return story


def _name(run: Run, array: str, offset: int) -> str:
    shape = run.shapes.get(array)
    return shape.array(offset) if shape else array


def _follow(run: Run, story: Story) -> None:
    """Collects waits, barriers, reads and multiply-adds. A warp writes only a part of a buffer and reads other warps'
    parts, so a read belongs to the last buffer that begins before it. Stores after the reads of the last tile have
    begun are results for C."""
    for time, event in enumerate(run.events):
        kind = event["kind"]
        if event.get("array") == "C" or kind == "store" and all(use.first_read >= 0 for use in story.uses):
            return
        if "fma" in event:
            story.multiplies.append((time, event["fma"]))
        elif kind == "wait":
            story.waits.append((time, event["prior"]))
        elif kind == "barrier":
            story.barriers.append(time)
        elif kind in ("load", "fragment") and event["space"] == "shared":
            use = _read_by(story, event, time)
            newest = max((u.tile for u in story.uses if u.first_read >= 0), default=0)
            if use is not None and use.tile < newest:
                story.late.append((time, use.buffer))
            elif use is not None:
                use.first_read = time if use.first_read < 0 else use.first_read
                use.last_read = time


def _read_by(story: Story, event: dict, time: int) -> Optional[Use]:
    lowest = min(a for a in event["at"] if a is not None)
    before = [i for i, b in enumerate(story.buffers)
              if b.array == event["array"] and _start(story, i) <= lowest]
    if not before:
        return None
    number = max(before, key=lambda i: story.buffers[i].first)
    uses = [use for use in story.uses if use.buffer == number and use.filled < time]
    return uses[-1] if uses else None


def _start(story: Story, number: int) -> int:
    """The beginning of a buffer. Other warps than the first write at an offset from it, the same in all buffers."""
    return story.buffers[number].first - min(b.first for b in story.buffers)


class Clock:
    """Pixels for the order of the run: multiply-adds take the width, everything else a little."""

    def __init__(self, run: Run, until: int, barriers: List[int], tiles: int) -> None:
        weights = []
        total = sum(e.get("fma", 0) for e in run.events[:until]) or 1
        fills = len([e for e in run.events[:until] if e["kind"] in ("copy", "store")]) or 1
        fill = max(1.6, 20 * tiles / fills)  # of a tile's, which together have room for its name
        for event in run.events[:until]:
            kind = event["kind"]
            small = {"copy": fill, "store": fill, "barrier": 4, "wait": 4}.get(kind, 0.0)
            weights.append((event["fma"] / total if "fma" in event else 0.0, small))
        fixed = sum(small for _, small in weights)
        scale = min(1.0, 0.45 * ROOM / fixed) if fixed else 1.0
        room = ROOM - fixed * scale
        self.at = [0.0]
        for share, small in weights:
            self.at.append(self.at[-1] + share * room + small * scale)
        self.dashes = [self.x(time) + 2 for time in barriers if time < until]

    def free(self, left: float, right: float) -> Tuple[float, float]:
        """The widest part of an interval without a barrier's line."""
        ends = [left, *(x for x in self.dashes if left < x < right), right]
        return max(zip(ends, ends[1:]), key=lambda pair: pair[1] - pair[0])

    def x(self, time: int) -> float:
        return MARGIN + LEFT + self.at[min(max(time, 0), len(self.at) - 1)]


def _bar(d: Drawing, clock: Clock, begin: int, end: int, top: float, words: List[str], css: str,
         hatch: str = "") -> None:
    """Draws a bar from one time to the end of another, with the longest text that fits."""
    left, right = clock.x(begin), clock.x(end + 1)
    width = max(right - left, 2)
    d.path(css, [box(left, top, width, BAR)])
    if hatch:
        d.hatch(hatch, [box(left, top, width, BAR)])
    d.path("cell", [box(left, top, width, BAR)])
    left, right = clock.free(left, right)
    fitting = [w for w in words if 6.4 * len(w) + 6 <= right - left]
    if fitting:
        d.text((left + right) / 2, top + 16, fitting[0], "m")


def draw_timeline(run: Run, _choice: Choice) -> Tuple[Drawing, str, str]:
    """The drawing, its title, and a description. Raises NothingToDraw."""
    story = read_story(run)
    tiles = len(story.uses)
    total = sum(fma for _, fma in story.multiplies)
    if not total:
        raise NothingToDraw(f"warp {run.warp} of {run.lesson} multiplies nothing")
    until = _end(story, total, tiles)
    clock = Clock(run, until, story.barriers, tiles)
    title = f"{run.lesson}: buffers of shared memory in the order in which warp {run.warp} used them"
    d = Drawing()
    d.heading(title)
    d.paragraph("From left to right: the order of events, not time. The width of a multiplication is its number of "
                "multiply-adds. Dashed: a barrier for all warps. t0, t1, …: tiles of A along K. The tiles of B, "
                "which are not drawn, go with them.")
    top = d.y + 10
    heads = top
    for number, buffer in enumerate(story.buffers):
        d.text(MARGIN + LEFT - 8, top + 16, buffer.name, "e")
        d.path("idle", [box(MARGIN + LEFT, top, ROOM, BAR)])
        for use in (u for u in story.uses if u.buffer == number and u.begin < until):
            t = f"t{use.tile}"
            _bar(d, clock, use.begin, min(use.arrived, until), top,
                 [f"copy {t} in flight", f"copy {t}", t] if use.asynchronous
                 else [f"store {t}", t], "p1", "1")
            if use.first_read >= 0:
                _bar(d, clock, use.arrived + 1, min(use.last_read, until), top, [f"read {t}", t], "p0")
        for time, _ in (late for late in story.late if late[1] == number and late[0] < until):
            d.path("rest", [box(clock.x(time), top, 4, BAR)])
        top += BAR + 8
    d.text(MARGIN + LEFT - 8, top + 16, "multiply-adds", "e")
    _draw_multiplies(d, story, clock, total, tiles, top)
    top += BAR + 4
    d.path("dash", [f"M{x:.1f} {heads - 6:.1f}V{top + 4:.1f}" for x in clock.dashes])
    d.y = top
    if story.waits:
        d.y += LINE
        d.text(MARGIN + LEFT - 8, d.y, "wait", "s e")
    shown_at = -100.0
    for time, prior in story.waits:
        if clock.x(time) - shown_at > 54 and time < until:
            shown_at = clock.x(time)
            d.text(min(shown_at + 2, WIDTH - MARGIN - 24), d.y, f"≤ {prior} left" if prior else "all", "s m")
    about, sentence = _words(story, run, tiles)
    d.y += 4
    d.paragraph(about)
    return d, title, sentence


def _end(story: Story, total: int, tiles: int) -> int:
    """The time after the last multiply-adds that are drawn."""
    done = 0
    for time, fma in story.multiplies:
        done += fma
        if done >= min(MOST, tiles) * total // tiles:
            break
    return time + 1


def _draw_multiplies(d: Drawing, story: Story, clock: Clock, total: int, tiles: int, top: float) -> None:
    """Draws a bar for each tile. Assumes that the products come in the order of k, equally many for each tile."""
    done, begin, tile = 0, None, 0
    for time, fma in story.multiplies:
        begin = time if begin is None else begin
        done += fma
        if done >= (tile + 1) * total // tiles and tile < MOST:
            _bar(d, clock, begin, time, top, [f"multiply t{tile}", f"× t{tile}", f"t{tile}"], "p2", "2")
            tile, begin = tile + 1, None


def _words(story: Story, run: Run, tiles: int) -> Tuple[str, str]:
    """A caption and an alternative text."""
    ahead = _ahead(story)
    barriers = len([t for t in story.barriers if t > story.uses[0].begin])
    buffers = plural(len(story.buffers), "buffer")
    per_tile = f"{barriers} barriers for {tiles} tiles"
    are = "is" if ahead == 1 else "are"
    if story.uses[0].asynchronous:
        about = (f"{buffers}, {per_tile}. While a tile is multiplied, {ahead} later {are} being copied. "
                 "Below a barrier: the groups of copies that may still be in flight after the wait before it."
                 + (" Grey: a read of old data after the last tile." if story.late else ""))
        return about, (f"Warp {run.warp} uses {buffers} in turn: while it multiplies one tile along K, "
                       f"{plural(ahead, 'later tile')} {are} being copied; {per_tile}.")
    about = f"{buffers}, {per_tile}. No tile is stored while another is multiplied."
    if ahead:
        about = f"{buffers}, {per_tile}. A tile is stored while another is multiplied."
    return about, f"Warp {run.warp} uses {buffers}. " + about.partition(". ")[2] + f" {per_tile}."


def _ahead(story: Story) -> int:
    """The largest number of tiles in flight while the warp reads another."""
    return max((sum(other.begin < use.last_read and other.arrived > use.last_read
                    for other in story.uses if other is not use)
                for use in story.uses if use.last_read >= 0), default=0)
