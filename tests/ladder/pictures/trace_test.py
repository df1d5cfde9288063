"""The requests of a trace add up to the CPU backend's counts."""
import json
import unittest
from unittest import mock
from typing import Dict, List

from ladder.pictures import gallery
from ladder.pictures.run import NothingToDraw, Request, Run
from explained import LESSONS, counted as explained, run
from ladder.lessons import find
from ladder.lib import traces
from programs import trace, traced

KEYS = {("load", "global"): "global_load", ("store", "global"): "global_store",
        ("copy", "global"): "async_load", ("load", "shared"): "shared_load",
        ("store", "shared"): "shared_store", ("copy", "shared"): "async_store",
        ("fragment", "shared"): "matrix_load"}


def one_block(lesson: str) -> List[int]:
    """M, N and K of one block tile with several tiles along K."""
    sizes = gallery.default_sizes(find(lesson).text)
    grid = trace(lesson, tuple(sizes)).grid
    return [sizes[0] // grid[1], sizes[1] // grid[0], sizes[2]]


def add_requests(sums: Dict[str, int], request: Request) -> None:
    key = KEYS[request.kind, request.space]
    amounts = {"requests": 1, "sectors": request.sectors, "wavefronts": request.wavefronts}
    for name, amount in amounts.items():
        if amount is not None:
            sums[key + "_" + name] = sums.get(key + "_" + name, 0) + amount


def clashes(request: Request) -> List[str]:
    """The faults of a request: two words of one bank in one wavefront, or a wrong number of wavefronts."""
    faults: List[str] = []
    places: Dict[tuple, int] = {}
    for lane in request.lanes:
        for i, served in enumerate(request.wavefront_of[lane]):
            word = request.at[lane] // 4 + i
            if places.setdefault((served, word % 32), word) != word and request.kind != "copy":
                faults.append("line %d: wavefront %d takes two words of bank %d"
                              % (request.line, served, word % 32))
    count = 1 + max(served for lane in request.lanes for served in request.wavefront_of[lane])
    if count != request.wavefronts:
        faults.append("line %d: %d wavefronts serve lanes, %d are counted" % (request.line, count, request.wavefronts))
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

    def test_wavefronts(self) -> None:
        checked = 0
        for lesson in LESSONS:
            for request in trace(lesson).requests():
                if request.space == "shared" and request.wavefront_of:
                    checked += 1
                    self.assertEqual(clashes(request), [], lesson)
        self.assertGreater(checked, 1000)

    def test_clashes_are_found(self) -> None:
        at = [0, 128] + [None] * 30
        wavefront_of = [[0], [0]] + [None] * 30
        self.assertTrue(clashes(Request("load", 1, "shared", "As", 4, at, wavefronts=1, wavefront_of=wavefront_of)))
        wavefront_of[1] = [1]
        self.assertTrue(clashes(Request("load", 1, "shared", "As", 4, at, wavefronts=1, wavefront_of=wavefront_of)))
        self.assertFalse(clashes(Request("load", 1, "shared", "As", 4, at, wavefronts=2, wavefront_of=wavefront_of)))

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

    def test_steps_have_lines_of_the_lesson(self) -> None:
        words = {"wait": "wait", "arrive": "arrive", "ask": "load(", "land": "load(", "products": "wait_group"}
        lines = find("12_persistent").text.split("\n")
        seen = set()
        for step in traced("12_persistent", (256, 256, 256))["steps"]:  # most instructions are in hopper.h
            if step["kind"] in words:
                self.assertIn(words[step["kind"]], lines[step["line"] - 1], step)
                seen.add(step["kind"])
        self.assertEqual(seen, set(words))

    def test_bad_warps(self) -> None:
        with self.assertRaisesRegex(NothingToDraw, "there is no warp 32: a block has warps 0 to 31"):
            trace("02_coalesced", warp=32)
        done = run("02_coalesced", 64, 64, 64, "--trace", "/nowhere/trace.json")
        self.assertEqual((done.returncode, done.stderr), (2, "explain: cannot write '/nowhere/trace.json'\n"))


class PageTest(unittest.TestCase):
    """Traces in the form for pages."""

    def setUp(self) -> None:
        self.trace = traced("02_coalesced", (64, 64, 192))
        self.source = find("02_coalesced").text

    def test_shapes(self) -> None:
        page = traces.for_page(self.trace, self.source)
        self.assertEqual(page["arrays"]["Bs"]["fields"][0]["dims"], [32, 32])
        self.assertEqual((page["events"], page.get("left_out")), (self.trace["events"], None))

    def test_long_ones_are_cut_where_a_round_of_warps_ends(self) -> None:
        with mock.patch.object(traces, "MOST", 100_000):
            page = traces.for_page(self.trace, self.source)
        kept = len(page["events"])
        self.assertLessEqual(len(traces.text_of(page)), 100_000)
        self.assertGreater(kept, 2000)
        self.assertEqual(page["left_out"], len(self.trace["events"]) - kept)
        self.assertEqual([page["events"][-1][0], self.trace["events"][kept][0]], [31, 0])

    def test_a_script_cannot_be_ended_from_inside(self) -> None:
        text = traces.script_of("a", {"lesson": "</script><!--", "line": "\u2028"})
        self.assertNotIn("</", text)
        self.assertNotIn("\u2028", text)
        self.assertEqual(json.loads(text[text.index(" = {\"") + 3:].rstrip(";\n"))["lesson"], "</script><!--")

    def test_stored_words_come_from_where_they_were_loaded(self) -> None:
        """The words that are stored in shared memory are all of the block's part of A and B, each once."""
        for lesson in LESSONS[1:7]:
            data = traced(lesson, tuple(gallery.default_sizes(find(lesson).text)))
            found: Dict[str, List[int]] = {"A": [], "B": []}
            for event in data["events"]:
                site = data["sites"][event[1]]
                if site["kind"] == "store" and site.get("space") == "shared":
                    for lane in data["patterns"][event[2]]["from"]:
                        words = lane if isinstance(lane, list) else [lane]
                        found[site["source"]] += [event[4] + word for word in words]
            m, n, k = data["M"] // data["grid"][1], data["N"] // data["grid"][0], data["K"]
            for name, rows, cols in (("A", m, k), ("B", k, n)):
                ld = data["matrices"][name]["ld"]
                self.assertEqual(sorted(found[name]),
                                 [4 * (row * ld + col) for row in range(rows) for col in range(cols)], lesson)
