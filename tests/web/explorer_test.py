"""The explorer in a browser: each lesson from its first event to its last, what it counts, and bad traces."""
import json
import pathlib
import tempfile
from typing import Any, Dict, List

from browser import BrowserTest
from explained import BUILT
from explorer_page import lesson_page, options_of, source_of, trace_of, write_page, write_run
from ladder.lessons.arrays import knobs
from ladder.lib import traces
from ladder.pictures import gallery


def one_block(lesson: str) -> List[int]:
    """Sizes of one block tile and six tiles along K."""
    if lesson[:2] in ("09", "12"):
        return [64, 128, 96]  # of which they make one block
    known = knobs(source_of(lesson))
    return [known.get("BM", 32), known.get("BN", 32), 6 * known.get("BK", 16)]


def totals_of(trace: Dict[str, Any]) -> Dict[str, float]:
    """explain's figures of a launch of one block, as far as the explorer counts them."""
    t = trace["totals"]
    read, written = ("shared_load", "matrix_load"), ("shared_store", "async_store")
    moved = ("global_load", "global_store", "async_load", "bulk_load", "bulk_store")
    return {"requests": sum(t[f"{each}_requests"] for each in moved),
            "sectors": sum(t[f"{each}_sectors"] for each in moved),
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
                trace = trace_of(lesson, one_block(lesson), 1 if lesson[:2] == "09" else 132)
                self.assertEqual(trace["grid"], [1, 1])
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

    def test_what_lanes_hold(self) -> None:
        """Where a lane multiplies, it holds elements of A and B of one k, of the rows and columns of its own C."""
        for lesson in BUILT:
            if lesson[:2] in ("00", "11", "12"):
                continue  # from global memory at once, and from shared memory past the registers
            with self.subTest(lesson):
                self.open(write_page(self.folder, lesson, options_of(lesson),
                                     write_run(self.folder, lesson, trace_of(lesson))))
                found = self.run_script("""
                    const run = ladder.trace.read(ladder.traces[arguments[0]]), story = ladder.steps.read(run);
                    const found = {held: 0, faults: []};
                    for (const warp of [0, run.warps - 1]) {
                      const sums = ladder.views.Registers.sums(run, warp);
                      const products = run.own[warp].filter((i) => ladder.trace.multiplyAdds(run, i) > 0
                        && story.stage[i] === ladder.steps.COMPUTE);
                      for (let n = 2; n < products.length; n += Math.ceil(products.length / 12)) {
                        const i = products[n], shared = ladder.steps.sharedAt(run, story, i);
                        for (const lane of [0, 5, 30]) {
                          const {A, B} = ladder.views.Registers.held(run, story, shared, {i, warp, lane});
                          const rows = new Set(sums[lane].map(({row}) => row));
                          const cols = new Set(sums[lane].map(({col}) => col));
                          const own = arguments[1]
                            || (A.every(({row}) => rows.has(row)) && B.every(({col}) => cols.has(col)));
                          const same = Math.floor(A[0].col / arguments[2]) === Math.floor(B[0].row / arguments[2]);
                          found.held += 1;
                          if (!own || !same) found.faults.push([warp, lane, run.place[i] + 1, A, B]);
                        }
                      }
                    }
                    return found;""", lesson, lesson[:2] in ("08", "10"), 16 if lesson[:2] in ("08", "10") else 1)
                self.assertGreater(found["held"], 50)
                self.assertEqual(found["faults"][:1], [])

    def test_several_launches(self) -> None:
        """The parts of sums are added by another kernel, whose blocks have more threads."""
        trace = trace_of("09_any_shape", [64, 64, 1024])
        self.assertGreater(max(event[0] for event in trace["events"]), 3)
        script = write_run(self.folder, "09_any_shape", trace)
        self.open(write_page(self.folder, "09", options_of("09_any_shape"), script))
        self.run_script("shown.go({warp: 7, event: 1})")
        self.assertEqual(self.state()["warp"], 7)

    def test_addresses(self) -> None:
        """A state has an address: it is opened by it, written into it, and changed by it."""
        page = lesson_page(self.folder, "02_coalesced", "01_shared_tile")
        self.open(page, "#02/warp=1/event=57/lane=5")
        state = self.state()
        self.assertEqual([state[key] for key in ("warp", "event", "lane", "comparing")], [1, 57, 5, False])
        self.run_script("shown.go({warp: 3, event: 12})")
        self.wait("location.hash === '#02/warp=3/event=12/lane=5'")
        self.run_script("location.hash = '#02/warp=2/event=9/lane=31/compare'")
        self.wait("shown.state().comparing && shown.state().warp === 2")
        for words, event in (("#02/warp=77/event=99999", 613), ("#02/warp=x/event=-1", 613), ("#02/event=0", 1)):
            self.run_script("location.hash = arguments[0]", words)
            self.wait(f"shown.state().event === {event}")
        self.run_script("location.hash = '#03/warp=1/event=5'")  # of another explorer in the page
        self.assertEqual(self.state()["event"], 1)

    def test_keys_and_buttons(self) -> None:
        from selenium.webdriver.common.keys import Keys
        page = lesson_page(self.folder, "07_double_buffer", "06_smem_transpose")
        self.open(page)
        self.run_script("document.querySelector('.explorer').focus()")
        at, last = self.state()["event"], self.state()["count"]
        for key, expected in ((Keys.ARROW_RIGHT, at + 1), (Keys.ARROW_RIGHT, at + 2), (Keys.ARROW_LEFT, at + 1),
                              (Keys.END, last), (Keys.ARROW_RIGHT, last), (Keys.HOME, 1)):
            self.keys(key)
            self.assertEqual(self.state()["event"], expected)
        line = self.state()["line"]
        self.keys(Keys.ARROW_DOWN)
        self.assertNotEqual(self.state()["line"], line)
        self.keys(Keys.HOME, "]", "]")
        first = self.state()
        self.keys("]", "[")
        self.assertEqual((self.state()["stage"], self.state()["k"]), (first["stage"], first["k"]))
        self.keys("w", "w", "W", "l", "l", "l", "L")
        self.assertEqual((self.state()["warp"], self.state()["lane"]), (1, 2))
        self.keys("c")
        self.assertTrue(self.state()["comparing"])
        self.keys("c", Keys.HOME, " ")
        self.wait("shown.state().event > 3")  # it plays
        self.keys(" ")
        stopped = self.state()["event"]
        self.assertEqual(self.run_script("return document.querySelector('.explorer-scrub').value"), str(stopped))
        self.run_script("shown.go({event: document.querySelector('.explorer-scrub').max / 2})")
        while self.state()["kind"] != "load":
            self.run_script("shown.go(shown.state().event + 1)")
        self.run_script("""const canvas = document.querySelectorAll('.explorer-canvas')[2];
            const box = canvas.getBoundingClientRect();
            canvas.dispatchEvent(new MouseEvent('click', {clientX: box.right - 5, clientY: box.top + 24 + 20}));""")
        self.assertGreater(self.state()["lane"], 5)
        self.run_script("document.querySelectorAll('.explorer-busy')[4].click()")
        busy = self.run_script("return document.querySelector('.explorer-current .explorer-line-number').textContent")
        self.assertEqual(int(busy), self.state()["line"])
        self.run_script("""const room = document.querySelector('.explorer-timeline');
            const box = room.getBoundingClientRect();
            room.dispatchEvent(new MouseEvent('click', {clientX: box.right - 3, clientY: box.top + 26}));""")
        self.assertEqual(self.state()["warp"], 0)
        self.assertGreater(self.state()["event"], self.state()["count"] - 5)

    def test_lessons_are_compared_in_phase(self) -> None:
        """The lesson below stands at the same stage and k (or tile), wherever the lesson is."""
        for lesson, below in (("02_coalesced", "01_shared_tile"), ("06_smem_transpose", "05_outer_product"),
                              ("07_double_buffer", "06_smem_transpose"), ("11_wgmma", "10_mma_swizzle")):
            with self.subTest(lesson):
                self.open(lesson_page(self.folder, lesson, below), f"#{lesson[:2]}/compare")
                found = self.run_script("""
                    const seen = [], step = Math.max(1, Math.floor(shown.state().count / 60));
                    for (let event = 1; event <= shown.state().count; event += step) {
                      shown.go(event);
                      const {stage, k, other} = shown.state();
                      seen.push([stage, k, other.stage, other.k, other.event]);
                    }
                    return seen;""")
                same_k = lesson[:2] != "11"  # whose K is that of 10, but not its first tiles
                for stage, k, its_stage, its_k, _ in found:
                    self.assertEqual(stage, its_stage)
                    if stage == 1 and same_k:
                        self.assertEqual(k, its_k)
                forward = [event for _, _, _, _, event in found]
                self.assertGreater(len(set(forward)), 20)
                self.assertEqual(self.run_script(
                    "return document.querySelectorAll('.explorer-table tr').length"), 10)

    def test_for_all(self) -> None:
        """Light and dark, wide and narrow: nothing serious to be found by axe-core, nothing wider than the page."""
        page = lesson_page(self.folder, "06_smem_transpose", "05_outer_product")
        at = self.serve(self.folder)
        for scheme, width, state in (("light", 1280, ""), ("dark", 390, ""), ("dark", 1280, "/compare"),
                                     ("light", 390, "/compare")):
            with self.subTest(f"{scheme} {width} {state}"):
                self.size(width, 900)
                self.scheme(scheme)
                self.browser.get("about:blank")
                self.browser.get(f"{at}{page.name}#06/warp=1/event=60/lane=5{state}")
                self.assert_accessible()
                self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), width)

    def test_a_step_is_quick(self) -> None:
        """Of all events of the block: no time is judged strictly, a machine may be busy."""
        page = lesson_page(self.folder, "05_outer_product", "04_float4")
        self.open(page, "#05")
        for words, act in (("alone", ""), ("compared", "location.hash = '#05/compare'")):
            self.run_script(act)
            self.wait(f"shown.state().comparing === {'true' if act else 'false'}")
            times = self.run_script("""
                const times = [];
                for (let event = 1; event <= Math.min(800, shown.state().count); ++event) {
                  const begin = performance.now();
                  shown.go(event);
                  document.body.offsetHeight;  // laid out, too
                  times.push(performance.now() - begin);
                }
                return times.sort((a, b) => a - b);""")
            print(f"a step of 05_outer_product, {words}: {times[len(times) // 2]:.1f} ms, "
                  f"95 of 100 below {times[len(times) * 95 // 100]:.1f} ms")
            self.assertLess(times[len(times) // 2], 160)

    def test_a_long_trace_is_cut(self) -> None:
        trace = trace_of("02_coalesced", [32, 32, 32])
        cut = {**trace, "events": trace["events"][:500], "left_out": len(trace["events"]) - 500}
        self.open(write_page(self.folder, "cut", options_of("cut").replace("ladder.sources", "({})"),
                             self.script("cut", cut)))
        notice = self.run_script("return document.querySelector('.explorer-notice').textContent")
        self.assertIn(f"{len(trace['events']) - 500} later events", notice)

    def script(self, name: str, trace: Dict[str, Any]) -> str:
        (self.folder / f"{name}.js").write_text(traces.script_of(name, trace), encoding="utf-8")
        return f"{name}.js"

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
