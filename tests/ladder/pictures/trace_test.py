"""What a trace tells adds up to what the CPU backend counts."""
import unittest
from typing import Dict, List

from ladder.pictures import gallery
from ladder.pictures.run import NothingToDraw, Request, Run
from explained import counted as explained, run
from programs import LESSONS, source_of, trace

KEYS = {("load", "global"): "global_load", ("store", "global"): "global_store",
        ("copy", "global"): "async_load", ("load", "shared"): "shared_load",
        ("store", "shared"): "shared_store", ("copy", "shared"): "async_store",
        ("fragment", "shared"): "matrix_load"}


def one_block(lesson: str) -> List[int]:
    """Sizes of one block tile and some tiles along K."""
    sizes = gallery.default_sizes(source_of(lesson))
    grid = trace(lesson, tuple(sizes)).grid
    return [sizes[0] // grid[1], sizes[1] // grid[0], sizes[2]]


def add_requests(sums: Dict[str, int], request: Request) -> None:
    key = KEYS[request.kind, request.space]
    amounts = {"requests": 1, "sectors": request.sectors, "wavefronts": request.wavefronts}
    for name, amount in amounts.items():
        if amount is not None:
            sums[key + "_" + name] = sums.get(key + "_" + name, 0) + amount


def clashes(request: Request) -> List[str]:
    """Faults of the passes of a request: two words of one bank in one pass, or too many passes."""
    faults: List[str] = []
    places: Dict[tuple, int] = {}
    for lane in request.lanes:
        for i, served in enumerate(request.passes[lane]):
            word = request.at[lane] // 4 + i
            if places.setdefault((served, word % 32), word) != word and request.kind != "copy":
                faults.append("line %d: pass %d takes two words of bank %d"
                              % (request.line, served, word % 32))
    count = 1 + max(served for lane in request.lanes for served in request.passes[lane])
    if count != request.wavefronts:
        faults.append("line %d: %d passes, %d wavefronts" % (request.line, count, request.wavefronts))
    return faults


class TraceTest(unittest.TestCase):
    def check_sums(self, lesson: str, sizes: List[int]) -> None:
        totals = explained(lesson, *sizes)["totals"]
        sums: Dict[str, int] = {}
        multiplied = barriers = 0
        warps = trace(lesson, tuple(sizes)).threads // 32
        for warp in range(warps):
            traced = trace(lesson, tuple(sizes), warp)
            for request in traced.requests():
                add_requests(sums, request)
            multiplied += sum(event.get("fma", 0) for event in traced.events)
            barriers = sum(event["kind"] == "barrier" for event in traced.events)
        counted = {key: value for key, value in totals.items() if value and key.rsplit("_", 1)[0]
                   in KEYS.values() and key.rsplit("_", 1)[1] in ("requests", "sectors", "wavefronts")}
        self.assertEqual(sums, counted)
        self.assertEqual(multiplied, totals["fma"] + totals["tensor_fma"])
        self.assertEqual(barriers, totals["barriers_per_block"])

    def test_sums_equal_the_counts(self) -> None:
        for lesson in LESSONS:
            with self.subTest(lesson):
                self.check_sums(lesson, one_block(lesson))

    def test_sums_of_ragged_tiles(self) -> None:
        for lesson in LESSONS[:1] + LESSONS[4::2]:
            with self.subTest(lesson):
                m, n, k = one_block(lesson)
                self.check_sums(lesson, [m - 3, n - 1, k - 5])

    def test_passes(self) -> None:
        told = 0
        for lesson in LESSONS:
            for request in trace(lesson).requests():
                if request.space == "shared" and request.passes:
                    told += 1
                    self.assertEqual(clashes(request), [], lesson)
        self.assertGreater(told, 1000)

    def test_clashes_are_found(self) -> None:
        at = [0, 128] + [None] * 30
        passes = [[0], [0]] + [None] * 30
        self.assertTrue(clashes(Request("load", 1, "shared", "As", 4, at, wavefronts=1, passes=passes)))
        passes[1] = [1]
        self.assertTrue(clashes(Request("load", 1, "shared", "As", 4, at, wavefronts=1, passes=passes)))
        self.assertFalse(clashes(Request("load", 1, "shared", "As", 4, at, wavefronts=2, passes=passes)))

    def test_every_element_of_c_is_stored_once(self) -> None:
        for lesson in LESSONS:
            traced: Run = trace(lesson)
            places = [traced.position("C", request.at[lane] + byte) for request in traced.stores
                      for lane in request.lanes for byte in range(0, request.size, traced.element["C"])]
            self.assertEqual(len(places), len(set(places)), lesson)
            self.assertEqual(len(places), traced.sizes[0] * traced.sizes[1], lesson)

    def test_shared_elements_have_names(self) -> None:
        for lesson in LESSONS[1:]:
            traced = trace(lesson)
            for request in traced.requests():
                if request.space == "shared":
                    shape = traced.shapes.get(request.array)
                    self.assertIsNotNone(shape, "%s: %s" % (lesson, request.array))
                    for lane in request.lanes:
                        self.assertTrue(shape.name(request.at[lane]), lesson)

    def test_bad_warps(self) -> None:
        with self.assertRaisesRegex(NothingToDraw, "there is no warp 32: a block has warps 0 to 31"):
            trace("02_coalesced", warp=32)
        done = run("02_coalesced", 64, 64, 64, "--trace", "/nowhere/trace.json")
        self.assertEqual((done.returncode, done.stderr), (2, "explain: cannot write '/nowhere/trace.json'\n"))
