"""The explorer on the lessons' runs: every event from first to last, its counts, the elements that lanes hold, and the
pairing of events of two lessons."""
from typing import Any, Dict, List

from explained import BUILT
from explorer_page import ExplorerTest, lesson_page, options_of, trace_of, write_page, write_run
from ladder.lessons import find
from ladder.lessons.arrays import knobs


def plans(lesson: str) -> bool:
    """Whether the lesson plans its number of blocks. On one multiprocessor it launches one."""
    return lesson[:2] == "09" or lesson >= "12"


def one_block(lesson: str) -> List[int]:
    """M, N and K of one block tile and six tiles along K."""
    if lesson[:2] == "15":
        return [4, 128, 4]  # one block also for the kernel that splits A and B
    if plans(lesson):
        return [64, 128, 96]
    known = knobs(find(lesson).text)
    return [known.get("BM", 32), known.get("BN", 32), 6 * known.get("BK", 16)]


def totals_of(trace: Dict[str, Any]) -> Dict[str, float]:
    """explain's counts of a launch of one block, those that the explorer counts, too."""
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


class RunsTest(ExplorerTest):
    def test_each_lesson_from_first_to_last(self) -> None:
        """Steps through a warp's events. At the end the explorer's counts equal explain's."""
        self.assertGreater(len(BUILT), 10)
        for lesson in BUILT:
            with self.subTest(lesson):
                trace = trace_of(lesson, one_block(lesson), 1 if plans(lesson) else 132)
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

    def test_waits_have_the_numbers_of_their_phases(self) -> None:
        """Consumers wait for one tile after another. Each stage is filled several times."""
        self.open(write_page(self.folder, "12", options_of("12_persistent"),
                             write_run(self.folder, "12_persistent", trace_of("12_persistent", [64, 128, 2048]))))
        found = self.run_script("""
            const run = ladder.trace.read(ladder.traces['12_persistent']), story = ladder.steps.read(run);
            const phases = {};
            for (const {name, waits} of new ladder.views.Timeline(run, story, () => {}).barriers) {
              phases[name] = [...new Set(waits.map(([,, phase]) => phase))];
            }
            return phases;""")
        self.assertEqual(found["full[0]"], [0, 1, 2, 3][:len(found["full[0]"])])
        self.assertGreater(len(found["full[0]"]), 1)
        self.assertEqual(found["empty[0]"], [-1, 0, 1, 2][:len(found["full[0]"])])
        words = self.run_script("""
            const words = [];
            for (let event = 1; event <= shown.state().count; ++event) {
              shown.go({warp: 0, event});
              words.push(document.querySelector('.explorer-now').textContent);
            }
            return words;""")
        for said in ("tests whether phase 1 of the mbarrier full[0] has ended", "arrives at the mbarrier empty[0], phase 1"):
            self.assertTrue(any(said in each for each in words), said)

    def test_what_lanes_hold(self) -> None:
        """A lane that multiplies holds elements of A and B with the same k, from the rows and columns of its own C."""
        for lesson in BUILT:
            if lesson[:2] == "00" or "wgmma" in find(lesson).text:
                continue  # 00 reads operands from global memory, wgmma from shared memory: no fragments in registers
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
        """Another kernel, whose blocks have more threads, adds the partial sums."""
        trace = trace_of("09_any_shape", [64, 64, 1024])
        self.assertGreater(max(event[0] for event in trace["events"]), 3)
        script = write_run(self.folder, "09_any_shape", trace)
        self.open(write_page(self.folder, "09", options_of("09_any_shape"), script))
        self.run_script("shown.go({warp: 7, event: 1})")
        self.assertEqual(self.state()["warp"], 7)

    def test_ragged_sizes(self) -> None:
        """Partial tiles and tiny problems: each event can be shown, and the counts are complete."""
        for lesson in BUILT:
            for sizes in ([3, 5, 0], [33, 65, 17]):
                with self.subTest(f"{lesson} {sizes}"):
                    trace = trace_of(lesson, sizes)
                    script = write_run(self.folder, lesson, trace)
                    self.open(write_page(self.folder, lesson, options_of(lesson), script))
                    self.run_script("for (let event = 1; event <= Math.min(60, shown.state().count); ++event) "
                                    "shown.go(event);")
                    counts = self.run_script("""const run = ladder.trace.read(ladder.traces[arguments[0]]);
                        return ladder.steps.countsOfAll(run, ladder.steps.read(run));""", lesson)
                    if sum(launch["blocks"] for launch in trace["launches"]) == 1:
                        self.assertEqual(counts, list(totals_of(trace).values()))
                    self.assertEqual(self.console(), [])

    def test_lessons_are_compared_in_phase(self) -> None:
        """The lesson below is always shown at the same stage and k (or tile)."""
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
                same_k = lesson[:2] != "11"  # 11 has the same K as 10, but other tiles
                for stage, k, its_stage, its_k, _ in found:
                    self.assertEqual(stage, its_stage)
                    if stage == 1 and same_k:
                        self.assertEqual(k, its_k)
                self.run_script("shown.go(1e9)")
                rows = self.run_script("""return [...document.querySelectorAll('.explorer-table tr')].slice(2)
                    .map((row) => [...row.children].map((cell) => cell.textContent.replace(/,/g, '')));""")
                for row in rows:
                    self.assertTrue(row[0] and row[5] and all(float(cell) >= 0 for cell in row[1:5]), row)
                if lesson[:2] == "02":  # neighbouring lanes touch neighbouring addresses
                    changes = [(row[0], row[5]) for row in rows[1::4]]
                    self.assertEqual(changes, [("sectors", "1/8"), ("wavefronts of writes", "1/32")])
                forward = [event for _, _, _, _, event in found]
                self.assertGreater(len(set(forward)), 20)
                self.assertEqual(self.run_script(
                    "return document.querySelectorAll('.explorer-table tr').length"), 10)
