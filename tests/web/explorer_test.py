"""The explorer in a browser: each lesson from its first event to its last, what it counts, and bad traces."""
import json
import os
import pathlib
import tempfile
import unittest.mock
from typing import Any, Dict, List

from browser import BrowserTest
from explorer_page import options_of, source_of, trace_of, write_page, write_run
from explained import BUILT
from ladder.pictures import gallery


def one_block(lesson: str) -> List[int]:
    """Sizes of one block tile and six tiles along K."""
    if lesson.startswith("09_"):
        return [64, 128, 96]  # of which it makes one block if it has one multiprocessor
    sizes = gallery.default_sizes(source_of(lesson))
    grid = trace_of(lesson, sizes)["grid"]
    return [sizes[0] // grid[1], sizes[1] // grid[0], sizes[2]]


def totals_of(trace: Dict[str, Any]) -> Dict[str, float]:
    """explain's figures of a launch of one block, as far as the explorer counts them."""
    t = trace["totals"]
    read, written = ("shared_load", "matrix_load"), ("shared_store", "async_store")
    return {"requests": t["global_load_requests"] + t["global_store_requests"] + t["async_load_requests"],
            "sectors": t["global_load_sectors"] + t["global_store_sectors"] + t["async_load_sectors"],
            "reads": sum(t[f"{each}_requests"] for each in read),
            "read wavefronts": sum(t[f"{each}_wavefronts"] for each in read),
            "writes": sum(t[f"{each}_requests"] for each in written),
            "write wavefronts": sum(t[f"{each}_wavefronts"] for each in written),
            "barriers": t["barriers_per_block"], "multiply-adds": t["fma"] + t["tensor_fma"]}


class ExplorerTest(BrowserTest):
    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def open(self, page: pathlib.Path, state: str = "") -> None:
        self.browser.get(f"file://{page}{state}")

    def state(self) -> Dict[str, Any]:
        return self.run_script("return shown.state()")

    def test_each_lesson_from_first_to_last(self) -> None:
        """Each warp's events are stepped through; at the end all that explain counts has been counted."""
        self.assertGreater(len(BUILT), 10)
        for lesson in BUILT:
            with self.subTest(lesson):
                with unittest.mock.patch.dict(os.environ, {"SIMT_MULTIPROCESSORS": "1"}):
                    trace = trace_of(lesson, one_block(lesson))
                self.open(write_page(self.folder, lesson, options_of(lesson), write_run(self.folder, lesson, trace)))
                found = self.run_script("""
                    const run = ladder.trace.read(ladder.traces[arguments[0]]), story = ladder.steps.read(run);
                    shown.go({warp: 0, event: 1});
                    const seen = [shown.state()];
                    for (let n = 1; n < Math.min(300, seen[0].count); ++n) {
                      shown.go(n + 1);
                      seen.push(shown.state());
                    }
                    shown.go({event: 1e9});
                    const busy = run.own.find((events) => events.length > 0);
                    return {events: seen.map((each) => each.event), last: shown.state(),
                            counts: ladder.steps.countsOfAll(run, story),
                            end: ladder.steps.countsAt(run, story, run.own.map((events) => events[events.length - 1])
                              .filter((i) => i !== undefined).reduce((a, b) => run.round[a] >= run.round[b] ? a : b))};
                """, lesson)
                self.assertEqual(found["events"], list(range(1, len(found["events"]) + 1)))
                self.assertEqual(found["last"]["event"], found["last"]["count"])
                self.assertEqual(found["counts"], list(totals_of(trace).values()))
                self.assertEqual(found["end"], found["counts"])
                self.assertEqual(self.console(), [])

    def test_bad_traces(self) -> None:
        """One line in the page says what is the matter."""
        trace = trace_of("02_coalesced", [32, 32, 32])
        text = json.dumps(trace)
        markup = "<img src=x onerror=alert(1)>"
        cases = {"no trace of gemm-ladder": {}, "reads version 1": {**trace, "version": 2},
                 "it is not JSON": text[:len(text) // 2], "it has no events": {**trace, "events": None},
                 "event 3 of the trace is none": {**trace, "events": trace["events"][:3] + [[0, 99, 0]]},
                 "the trace has no events": {**trace, "events": []},
                 "does not have 32 lanes": {**trace, "patterns": [{"at": [0]}]},
                 "it has no matrix B": {**trace, "matrices": {"A": trace["matrices"]["A"]}}}
        page = write_page(self.folder, "bad", f"{{trace: {{}}, source: '', name: {json.dumps(markup)}, hash: false}}")
        for words, case in cases.items():
            with self.subTest(words):
                self.open(page)
                self.run_script("""shown.destroy(); shown = ladder.explorer.mount(
                    document.getElementById('explorer'), {trace: arguments[0], source: '', name: arguments[1]});""",
                                case, markup)
                lines = self.run_script("return document.getElementById('explorer').innerText").split("\n")
                self.assertEqual(len(lines), 1)
                self.assertIn(words, lines[0])
                self.assertIn(markup, lines[0])
                self.assertEqual(self.run_script("return document.querySelectorAll('#explorer img').length"), 0)
        self.open(page)
        self.run_script("ladder.explorer.mount(document.getElementById('explorer'), {trace: arguments[0], "
                        "source: arguments[1], name: arguments[1]});",
                        {**trace, "lesson": markup, "sites": [{**s, "array": markup} if s.get("array") == "As" else s
                                                              for s in trace["sites"]]}, markup)
        self.assertEqual(self.run_script("return document.querySelectorAll('#explorer img').length"), 0)
