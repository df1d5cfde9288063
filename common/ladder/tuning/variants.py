"""The variants of a lesson that ./ladder tune tries: its source with other values of the knobs on top."""
import itertools
from typing import Dict, Iterator, List, NamedTuple, Tuple

from ladder.lessons import Facts, apply, facts_of, parse_edits
from ladder.lessons.limits import Demand, demand

# The knobs to try. Others are given by the hardware, as the depth of a fragment is, or by the lesson's idea.
_SIZES = ("BM", "BN", "BK", "WM", "WN", "TM", "TN", "PATCH")  # at least 4, since threads move four elements at a time
_COUNTS = ("GROUP", "WARPS_M", "WARPS_N", "LANES_M", "LANES_N")  # powers of two, at least 1
_FEW = {"STAGES": 2, "MOST_STAGES": 2, "MIN_BLOCKS": 1}  # small numbers, and the least of each
_PAD = "PAD"
_MOST_CHANGES = 3


class Variant(NamedTuple):
    """A lesson with other knobs. changes: the name and new value of each."""
    facts: Facts
    changes: Tuple[Tuple[str, int], ...]
    demand: Demand

    @property
    def name(self) -> str:
        return " ".join(f"{knob}={value}" for knob, value in self.changes) or "as it is"


def steps(knob: str, value: int) -> Dict[int, int]:
    """Other values to try, and how far each is from the present one: 1 or 2."""
    if knob in _FEW:
        found = {value - 1: 1, value + 1: 1, value + 2: 2}
        return {new: far for new, far in found.items() if new >= _FEW[knob]}
    if knob == _PAD:
        return {0: 1, 2 * value: 1} if value else {}
    found = {value // 2: 1, value * 2: 1, value // 4: 2, value * 4: 2}
    return {new: far for new, far in found.items() if new >= (1 if knob in _COUNTS else 4)}


def knobs(facts: Facts) -> Dict[str, int]:
    """The knobs to try with their present values. wgmma fixes the rows of a warpgroup, WM."""
    tried = {*_SIZES, *_COUNTS, *_FEW, _PAD} - ({"WM"} if facts.needs else set())
    return {name: int(value) for name, value in facts.knobs.items() if name in tried and value.isdigit()}


def combinations(present: Dict[str, int]) -> Iterator[Tuple[Tuple[str, int], ...]]:
    """Changes of knobs: none, then one at a time, then two, then three; near values first."""
    choices = [[(name, new, far) for new, far in steps(name, value).items()] for name, value in present.items()]
    for count in range(_MOST_CHANGES + 1):
        found = [picked for some in itertools.combinations(choices, count) for picked in itertools.product(*some)]
        for picked in sorted(found, key=lambda each: sum(far for _, _, far in each)):
            yield tuple((name, new) for name, new, _ in picked)


def variants(facts: Facts, most: int, shared: int) -> List[Variant]:
    """The lesson as it is and up to most others: those that its static_asserts allow and whose block needs at most
    shared bytes of shared memory."""
    found: List[Variant] = []
    for changes in combinations(knobs(facts)):
        if len(found) > most:
            break
        text = apply(facts.text, parse_edits([f"{knob}={value}" for knob, value in changes]))
        made = facts_of(facts.source, text)
        need = demand(made)
        if not changes or (not need.broken and need.shared <= shared):
            found.append(Variant(made, changes, need))
    return found
