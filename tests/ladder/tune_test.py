"""./ladder tune without a GPU: which variants it tries, how it ranks them, and its table. A stand-in runs the programs.
bad_calls.txt has what it refuses."""
import argparse
import contextlib
import io
import pathlib
import re
import shutil
import tempfile
from typing import Any, Dict, List
from unittest import TestCase, mock

from sandbox import Sandbox

from ladder import Run, tune
from ladder.judging import files
from ladder.lessons import apply, every, facts_of, find, parse_edits
from ladder.lessons.limits import demand
from ladder.mutation import programs
from ladder.tuning import measuring
from ladder.tuning.measuring import Card, Result, check_all, ranked, time_all
from ladder.tuning.variants import Variant, combinations, knobs, steps, variants

H100 = Card(227 * 1024, 2048)
KB99 = 99 * 1024
# The fields that tune reads, as lesson 05 printed them at 4096 x 4096 x 4096.
PRINTED: Dict[str, Any] = {"gpu": "NVIDIA H200", "best_tflops": 51.16, "registers": 128, "blocks_per_sm": 4,
                           "block": [128, 1, 1], "verdict": "right"}


def printed(tflops: float, **other: Any) -> Dict[str, Any]:
    ms = 2 * 4096 ** 3 / (tflops * 1e9)
    return {**PRINTED, "tflops": tflops, "ms": {"min": ms * 0.99, "median": ms, "max": ms * 1.02}, **other}


def some(name: str, most: int) -> List[Variant]:
    return variants(find(name), most, KB99)


class Variants(TestCase):
    def edited(self, name: str, *lines: str) -> Any:
        facts = find(name)
        return demand(facts_of(facts.source, apply(facts.text, parse_edits(lines))))

    def test_single_changes_come_first(self) -> None:
        for facts in every():
            counts = [len(each.changes) for each in variants(facts, 60, 227 * 1024)]
            self.assertEqual(counts, sorted(counts), facts.name)
            self.assertEqual(counts[0], 0)
            self.assertGreater(len(counts), 1, facts.name)
            self.assertLessEqual(len(counts), 61, facts.name)
        self.assertEqual([each.name for each in some("02_coalesced", 4)], ["as it is", "BM=16", "BN=16", "BK=64", "BM=8"])

    def test_each_is_another_program(self) -> None:
        found = some("07_double_buffer", 60)
        self.assertEqual(len({each.facts.text for each in found}), len(found))
        for each in found:
            for knob, value in each.changes:
                self.assertEqual(each.facts.knobs[knob], str(value))

    def test_values(self) -> None:
        self.assertEqual(list(steps("BM", 32)), [16, 64, 8, 128])
        self.assertEqual(list(steps("TM", 8)), [4, 16, 32])
        self.assertEqual(list(steps("STAGES", 3)), [2, 4, 5])
        self.assertEqual(list(steps("MIN_BLOCKS", 1)), [2, 3])
        self.assertEqual((list(steps("PAD", 4)), list(steps("PAD", 0))), ([0, 8], []))
        self.assertEqual(list(combinations({"STAGES": 2}))[:3], [(), (("STAGES", 3),), (("STAGES", 4),)])
        self.assertNotIn("MMA", knobs(find("08_tensor_core_wmma")))
        self.assertNotIn("WM", knobs(find("11_wgmma")))

    def test_what_the_source_does_not_allow(self) -> None:
        for name, edits, broken in (
                ("00_naive", ["BM=64"], "2048 threads a block"),
                ("02_coalesced", ["BK=16", "BM=8"], "ROWS % (NUM_THREADS / COLS) == 0"),
                ("05_outer_product", ["TN=16", "BN=256"], "ROWS % (NUM_THREADS / LANES) == 0"),
                ("07_double_buffer", ["TM=4"], "(WM / TM) * (WN / TN) == 32"),
                ("07_double_buffer", ["STAGES=4"], "50176 bytes of static shared memory"),
                ("11_wgmma", ["BK=32"], "BK == ATOM")):
            self.assertEqual(self.edited(name, *edits).broken, broken, (name, edits))
        for facts in every():
            self.assertEqual(demand(facts).broken, "", facts.name)

    def test_shared_memory(self) -> None:
        self.assertEqual(self.edited("05_outer_product", "BK=32").shared, 4 * 32 * (64 + 128))
        self.assertEqual(demand(find("08_tensor_core_wmma")).shared, 3 * 2 * (128 * 40 + 32 * 264) + 8 * 256 * 4)
        self.assertGreater(demand(find("11_wgmma")).shared, KB99)
        more = {each.name for each in variants(find("08_tensor_core_wmma"), 60, H100.shared)}
        self.assertTrue({"STAGES=4"} <= more - {each.name for each in some("08_tensor_core_wmma", 60)})


    def test_the_list_leaves_out_what_the_source_does_not_show(self) -> None:
        for name, head in (("00_naive", ["threads", "shared", "bytes"]), ("09_any_shape", ["threads"]), ("12_persistent", [])):
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                tune.list_variants(some(name, 2))
            lines = out.getvalue().splitlines()
            self.assertEqual(lines[0].split(), ["knobs", *head])
            self.assertEqual(lines[4:], [] if len(head) == 3 else [
                "Not listed: %s. The program chooses one of several kernels when it runs." %
                ", ".join(each for each in ("threads", "shared bytes") if each not in head)])


class Fake:
    """Runs programs: answers[name of the variant] has a function for small problems and one that gives TFLOP/s."""

    def __init__(self, results: List[Result], speeds: Dict[str, List[float]], faults: Dict[str, Run]):
        self.names = {result.path: result.variant.name for result in results}
        self.speeds, self.faults, self.calls = speeds, faults, []  # type: ignore

    def __call__(self, path: pathlib.Path, arguments: List[str]) -> Run:
        name = self.names[path]
        self.calls.append((name, arguments))
        if name in self.faults:
            return self.faults[name]
        if "--exact" in arguments:
            return Run(0, {**PRINTED, "ms": None, "tflops": None}, "", "")
        speeds = self.speeds[name]
        return Run(0, printed(speeds.pop(0) if len(speeds) > 1 else speeds[0]), "", "")


class Measured(TestCase):
    def setUp(self) -> None:
        self.results = [Result(each, pathlib.Path(str(at))) for at, each in enumerate(some("02_coalesced", 4))]

    def measure(self, speeds: Dict[str, List[float]], faults: Dict[str, Run]) -> Fake:
        fake = Fake(self.results, speeds, faults)
        check_all(self.results, fake)
        time_all(self.results, ["64", "64", "64", "--reps", "5"], fake)
        return fake

    def test_checks_then_times_and_the_leaders_again(self) -> None:
        wrong = Run(1, {**PRINTED, "verdict": "wrong: C[0][1] is 2, expected 3"}, "", "")
        refused = Run(3, {}, "", "test: too many resources requested for launch\nmore\n")
        # BN=16 has one lucky run, so that BK=64 is the best by the median.
        fake = self.measure({"as it is": [8.0], "BN=16": [9.9, 7.0, 7.1], "BK=64": [8.5]},
                            {"BM=16": wrong, "BM=8": refused})
        timed, faults = ranked(self.results)
        self.assertEqual([each.variant.name for each in timed], ["BK=64", "as it is", "BN=16"])
        self.assertEqual([len(each.runs) for each in timed], [3, 3, 3])
        self.assertEqual({each.variant.name: each.fault for each in faults},
                         {"BM=16": "wrong: C[0][1] is 2, expected 3", "BM=8": "too many resources requested for launch"})
        exact = [words for name, words in fake.calls if name == "BK=64" and "--exact" in words]
        self.assertEqual([words[:3] for words in exact], [["512", "512", "512"], ["333", "257", "131"]])
        self.assertEqual([name for name, words in fake.calls if name == "BM=8"], ["BM=8"])
        self.assertNotIn("--exact", fake.calls[-1][1])

    def test_a_wrong_result_at_the_timed_size(self) -> None:
        results = self.results[:2]
        fake = Fake(results, {"as it is": [8.0]}, {})
        check_all(results, fake)
        fake.faults["BM=16"] = Run(1, {**PRINTED, "verdict": "wrong"}, "", "")
        time_all(results, [], fake)
        self.assertEqual([each.fault for each in results], ["", "wrong"])

    def table(self) -> List[str]:
        out = io.StringIO()
        timed, faults = ranked(self.results)
        with contextlib.redirect_stdout(out):
            tune.print_table(timed, H100)
            tune.print_faults(faults)
        return re.sub(" +", " ", out.getvalue()).splitlines()

    def test_table(self) -> None:
        self.measure({name: [speed] for name, speed in zip(
            ("as it is", "BN=16", "BK=64", "BM=8"), (8.0, 4.0, 10.0, 2.0))}, {"BM=16": Run(1, {}, "", "")})
        best = PRINTED["best_tflops"]
        threads = PRINTED["block"][0] * PRINTED["blocks_per_sm"]
        rest = f"{PRINTED['registers']} {100 * threads / 2048:.0f} %"
        self.assertEqual(self.table(), [
            "knobs registers occupancy TFLOP/s of the best of cuBLAS spread processes",
            f"BK=64 {rest} 10.00 {1000 / best:.1f} % 3.0 % 3", f"as it is {rest} 8.00 {800 / best:.1f} % 3.0 % 3",
            f"BN=16 {rest} 4.00 {400 / best:.1f} % 3.0 % 3", f"BM=8 {rest} 2.00 {200 / best:.1f} % 3.0 % 1",
            "Not in the table: 1 variant", " BM=16: ended with status 1"])

    def test_without_cublas(self) -> None:
        """Integers have no baseline: then TFLOP/s decide."""
        for result, speed in zip(self.results, (3.0, 5.0, 4.0, 1.0, 2.0)):
            result.runs = [printed(speed, best_tflops=None, registers=None, blocks_per_sm=None)]
        self.assertEqual(self.table()[1], "BM=16 - - 5.00 - 3.0 % 1")
        self.assertEqual([line.split()[0] for line in self.table()[1:]], ["BM=16", "BN=16", "as", "BM=8", "BK=64"])


class Practice(TestCase):
    """The whole command but the compiler, the card and the programs."""

    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tune-test."))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        for where, what in ((files, {"FOLDER": self.folder, "lock": lambda: None}),
                            (tune, {"build": lambda *_: None, "card": lambda _: H100, "build_all": self.build_all,
                                    "run_limited": lambda *words: self.fake(*words)})):
            patch = mock.patch.multiple(where, **what)  # type: ignore
            patch.start()
            self.addCleanup(patch.stop)
        self.speeds: Dict[str, List[float]] = {"as it is": [8.0], "BM=16": [9.0], "BN=16": [10.0]}

    def build_all(self, name: str, found: List[Variant], _: pathlib.Path) -> List[Result]:
        results = [Result(each, pathlib.Path(str(at))) for at, each in enumerate(found)]
        self.fake = Fake(results, self.speeds, {})
        return results

    def tune(self, restart: bool = False) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            status = tune.tune(find("02_coalesced"), ["64"] * 3, argparse.Namespace(most=2, reps=5, restart=restart))
        self.assertEqual(status, 0)
        return out.getvalue()

    def test_writes_the_best(self) -> None:
        said = self.tune()
        self.assertIn("\npractice/02.0/gemm.cu is lesson 02 with BN=16: 1.250 times as fast.\n", said)
        self.assertTrue(said.startswith(f"02_coalesced on {PRINTED['gpu']}, M N K = 64 64 64\nknobs "))
        text = files.file_of("02.0").read_text(encoding="utf-8")
        self.assertIn("constexpr int BN = 16;", text)
        self.assertTrue(text.startswith("// ./ladder tune made this on "))
        self.assertEqual(find("02_coalesced").text.replace("BN = 32", "BN = 16"), text.partition("\n\n")[2])
        self.speeds["BM=16"] = [11.0]  # its own file is no learner's
        self.assertIn("is lesson 02 with BM=16", self.tune())

    def test_never_over_a_learners_file(self) -> None:
        path = files.file_of("02.0")
        path.parent.mkdir(parents=True)
        path.write_text("mine\n", encoding="utf-8")
        self.assertIn("practice/02.0/gemm.cu has changes of yours and is kept", self.tune())
        self.assertEqual(path.read_text(encoding="utf-8"), "mine\n")
        with mock.patch.object(files, "ROOT", self.folder):
            self.assertIn("practice/02.0/gemm.cu is lesson 02 with BN=16", self.tune(restart=True))
        self.assertEqual(path.with_name("gemm.cu.before").read_text(encoding="utf-8"), "mine\n")

    def test_nothing_to_write(self) -> None:
        self.speeds["as it is"] = [12.0]
        self.assertIn("No variant is faster than lesson 02 as it is", self.tune())
        self.assertFalse(files.file_of("02.0").exists())

    def test_within_the_spread(self) -> None:
        self.speeds["as it is"] = [9.9]
        self.assertIn("BN=16: 1.010 times as fast, a difference within the spread.", self.tune())


class Programs(Sandbox):
    def test_list_needs_nothing(self) -> None:
        answer = self.expect(0, "^as it is +1024 +8192$", "tune", "2", "--list", "--most", "3")
        self.assertEqual((len(answer.out.splitlines()), answer.err), (5, ""))
        self.assertEqual(self.called(), [])
        self.assertFalse((self.tree / "build").exists())

    def test_how_variants_are_linked(self) -> None:
        """As the lesson is, from another folder: paths are absolute, and the linker writes no list of dependencies."""
        (self.work / "main.o").touch()
        told = ("[1/9] nvcc x\n: && ccache g++ -O3 -Wl,--dependency-file=CMakeFiles/02_x.dir/link.d "
                "CMakeFiles/02_x.kernel.dir/gemm.cu.o main.o -o bin/02_x -lcublas && :\n").encode()
        with mock.patch.object(programs, "built", lambda _: self.work), \
                mock.patch.object(programs.subprocess, "run", lambda *_, **__: argparse.Namespace(stdout=told)):
            self.assertEqual(programs.cmakes_link("02_x", "gpu", "02_x"),
                             ["g++", "-O3", "gemm.o", str(self.work / "main.o"), "-o", "test", "-lcublas"])

    def test_variants_that_cannot_be_built(self) -> None:
        """The compiler refuses the second variant, the linker the third."""
        refuse = 'if grep -q "$0" gemm.cu; then echo "gemm.cu(9): error: no"; exit 1; fi; '
        compiler = ["sh", "-c", refuse + "cp gemm.cu gemm.o", "BM = 16;"]
        linker = ["sh", "-c", refuse + "cp gemm.o test", "BN = 16;"]
        with mock.patch.object(measuring, "cmakes_compile", lambda *_: compiler), \
                mock.patch.object(measuring, "cmakes_link", lambda *_: linker), \
                contextlib.redirect_stderr(io.StringIO()):
            results = measuring.build_all("02_coalesced", some("02_coalesced", 3), self.work)
        self.assertEqual([(each.variant.name, each.fault.partition(":")[0], each.path.is_file()) for each in results],
                         [("as it is", "", True), ("BM=16", "does not compile", False),
                          ("BN=16", "does not link", False), ("BK=64", "", True)])
        self.assertRegex(results[1].fault, r"gemm\.cu.9.*: error: no$")

    def test_the_card(self) -> None:
        said = "G\n  shared memory            228 KiB per SM, 48 KiB per block (227 KiB on request)\n  threads per SM           2048\n"
        with mock.patch.object(measuring, "execute", lambda _: argparse.Namespace(out=said, err="")):
            self.assertEqual(measuring.card("02_coalesced"), H100)
