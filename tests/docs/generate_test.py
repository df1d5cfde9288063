"""Runs docs/generate in a copy of the pages with invented data: its messages about missing, damaged and strange data and
marks, and its tables and plots."""
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

from ladder import bench
from ladder.lessons import code_hash, every
from ladder.lib.metrics import METRICS

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))
from generate import results, schema  # noqa: E402

LADDER = [facts.folder for facts in every() if not facts.beyond]
MARK = "<!-- generated:%s -->\n<!-- /generated -->\n"
SHARES = (0.01, 0.025, 0.16, 0.37, 0.42, 0.68, 0.84, 1.01, 0.55)  # of cuBLAS's best speed, by lesson


def hash_of(folder: str) -> str:
    return code_hash((ROOT / folder / "gemm.cu").read_text(encoding="utf-8"))


def speed_data(scale: float = 1) -> dict:
    """Invented runs of all lessons."""
    runs = []
    for i, name in enumerate(LADDER):
        half = i == len(LADDER) - 1
        for size in (256, 1024, 4096, 16384):
            base = (700 if half else 50) * min(1, (size / 2048) ** 1.5) * scale
            tflops = base * SHARES[i]
            runs.append({"lesson": name, "M": size, "N": size, "K": size, "alpha": 1, "beta": 0,
                         "ms": {"min": 1, "median": 2e-9 * size ** 3 / tflops, "max": 3}, "tflops": tflops,
                         "baseline": "cublasGemmEx" if half else "cublasSgemm", "baseline_tflops": 0.8 * base,
                         "best_tflops": base,
                         "source_hash": hash_of(name)})
    return {"gpu": "made up", "sm_clock_mhz": 1980, "driver": "580.1", "cuda": "13.0", "date": "2026-11-25", "runs": runs}


def profile_data() -> dict:
    lessons = []
    for i, name in enumerate(LADDER):
        values = {metric.key: 10.0 + i for metric in METRICS}
        values.update(time_ns=3e8 / 2 ** i, load_sectors=32e6, load_requests=1e6 * (i + 1), load_wavefronts=4e9 / (i + 1),
                      dram_read_bytes=4e8 + 9e9 / (i + 1) ** 2, dram_write_bytes=7e7, tensor_percent=None,
                      fma_percent=10.0 * i if i < 8 else 5.0, tensor_hmma_percent=72.0 if i == 8 else 0,
                      stall_barrier=0.25 * i)
        lessons.append({"lesson": name, "source_hash": hash_of(name), "values": values})
    return {"gpu": "made up", "lessons": lessons}


class Generate(unittest.TestCase):
    def setUp(self) -> None:
        self.tree = pathlib.Path(tempfile.mkdtemp(prefix="generate-test."))
        self.addCleanup(shutil.rmtree, self.tree, ignore_errors=True)
        skip = shutil.ignore_patterns("__pycache__", "h200.json", "h100.json", "profile-*", "bandwidth-*")
        for name in ("docs", "common/ladder", "common/measure", "beyond", "tests/ptx_mma", *LADDER):
            shutil.copytree(ROOT / name, self.tree / name, ignore=skip)
        shutil.copy(ROOT / "README.md", self.tree)
        (self.tree / "tests/lessons").mkdir()
        shutil.copy(ROOT / "tests/lessons/variants.txt", self.tree / "tests/lessons")
        self.results = self.tree / "docs" / "results"

    def put(self, name: str, data: object) -> None:
        (self.results / name).write_text(json.dumps(data), encoding="utf-8")

    def put_all(self) -> None:
        self.put("h200.json", speed_data())
        self.put("h100.json", speed_data(0.8))
        self.put("profile-h200.json", profile_data())
        self.put("bandwidth-h200.json", {"fp32_peak_tflops": 66.9, "half_tensor_peak_tflops": 989,
                                         "runs": [{"gb_per_s": 4100}, {"gb_per_s": 4321}]})

    def generate(self, status: int, *arguments: str, env=None) -> str:
        done = subprocess.run([sys.executable, "-B", str(self.tree / "docs" / "generate"), *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env)
        output = done.stdout.decode("utf-8", "replace")
        text = re.sub(r"(?m)^docs/pictures/\w+/.*\n", "", output)  # programs of pictures have their own test
        self.assertNotIn("Traceback", text)
        only_pictures = done.returncode == 1 and output and not text.strip()
        self.assertEqual(0 if only_pictures else done.returncode, status, text)
        return text

    def refused(self, pattern: str) -> None:
        """It ends with one line that matches and writes nothing."""
        before = self.contents()
        text = self.generate(2)
        self.assertRegex(text, pattern)
        self.assertEqual(len([line for line in text.splitlines() if "before its last edit" not in line]), 1, text)
        self.assertEqual(before, self.contents())

    def contents(self) -> dict:
        return {path: path.read_bytes() for path in self.tree.rglob("*") if path.is_file()}

    def page(self, name: str) -> str:
        return (self.tree / name).read_text(encoding="utf-8")

    def change(self, name: str, old: str, new: str) -> None:
        text = self.page(name)
        self.assertIn(old, text)
        (self.tree / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    def test_variants_in_the_pages_of_their_lessons(self) -> None:
        self.put("variants-h200.json", {"rows": [{"variant": "06_smem_transpose.transposed_A", "M": 4096, "N": 4096,
                                                  "K": 4096, "tflops": 47.5, "baseline_tflops": 50}]})
        self.generate(0)
        self.assertRegex(self.page("06_smem_transpose/README.md"), r"\| A is passed transposed.* \| 47.5 \(0.95\) \|")
        self.assertIn("| the lesson | not measured |", self.page("07_double_buffer/README.md"))

    def test_times_in_graphs(self) -> None:
        source = code_hash(self.page("02_coalesced/gemm.cu"))
        run = {"lesson": "02_coalesced", "M": 512, "N": 512, "K": 512, "us": 8, "best_us": 10, "graph_us": 4,
               "graph_best_us": 3, "source_hash": source}
        data = {**speed_data(), "runs": [run, {**run, "lesson": "03_thread_tile", "source_hash": "old"}]}
        self.put("graphs-h100.json", data)
        (self.tree / "beyond/README.md").write_text(
            "".join(MARK % part for part in ("shapes", "plot share_beyond", "plot speed_beyond", "graphs")),
            encoding="utf-8")
        self.generate(0)
        self.assertIn("| 02 | 512³ | 8.0 | 4.0 | 1.25 | 0.75 |", self.page("beyond/README.md"))
        self.assertIn("| 03\\* | 512³", self.page("beyond/README.md"))
        self.assertIn("an earlier `gemm.cu`.", self.page("beyond/README.md"))
        self.put("graphs-h100.json", {**data, "runs": [{**run, "graph_us": 0}]})
        self.refused(r"graphs-h100.json: damaged: runs\[0\].graph_us: 0 is not a number above 0")

    def test_nothing_measured(self) -> None:
        self.generate(0)
        self.generate(0, "--check")
        self.assertIn("Not measured.", self.page("02_coalesced/README.md"))
        self.assertIn("Not measured.", self.page("beyond/README.md"))
        for name in ("share", "speed", "roofline", "speed_beyond"):
            self.assertIn("Not measured", self.page(f"docs/pictures/{name}.svg"))
        self.generate(0, env={"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"})

    def test_a_lesson_beyond(self) -> None:
        shutil.rmtree(self.tree / "beyond")
        folder = self.tree / "beyond" / "09_made_up"
        folder.mkdir(parents=True)
        (folder / "gemm.cu").write_text("// 09_made_up: no idea.\n// Changed from 07_double_buffer: nothing.\n", encoding="utf-8")
        (folder / "README.md").write_text(MARK % "measured" + MARK % "terms", encoding="utf-8")
        (folder.parent / "README.md").write_text("no mark\n", encoding="utf-8")
        self.refused(r"beyond/README.md: the mark <!-- generated:shapes --> is missing$")
        (folder.parent / "README.md").write_text(
            "".join(MARK % part for part in ("shapes", "plot share_beyond", "plot speed_beyond")), encoding="utf-8")
        data = speed_data()
        for run in [run for run in data["runs"] if run["lesson"].startswith("07")]:
            data["runs"].append({**run, "lesson": "beyond/09_made_up", "tflops": 1.25 * run["tflops"],
                                 "ms": {"median": run["ms"]["median"] / 1.25},
                                 "source_hash": code_hash((folder / "gemm.cu").read_text(encoding="utf-8"))})
        self.put("h100.json", data)
        self.generate(0)
        self.assertIn("one NVIDIA H100", self.page("docs/pictures/speed_beyond.svg"))
        self.assertRegex(self.page("beyond/README.md"), r"(?m)^\| 4096³ \| 1.01 \| 1.26 \|$")
        self.assertRegex(self.page("beyond/README.md"), r"(?m)^\| geometric mean \| 1.01 \| 1.26 \|$")
        self.assertNotIn("256³", self.page("beyond/README.md"))
        self.assertRegex(self.page("beyond/09_made_up/README.md"), r"(?m)^\| 4096³ .*\| 1.25× \|$")
        self.assertIn(">09_made_up<", self.page("docs/pictures/speed_beyond.svg"))
        self.assertNotIn("09_made_up", self.page("docs/pictures/share.svg"))
        self.assertNotIn("last edit", self.page("beyond/README.md") + self.page("beyond/09_made_up/README.md"))
        self.put("h200.json", data)
        self.put("h100.json", speed_data())  # this lesson was not measured on the card of the other tables
        self.generate(0)
        self.assertRegex(self.page("beyond/09_made_up/README.md"), r"(?m)^\| M × N × K \(H200\) ")
        self.put("h100.json", data)
        source = (folder / "gemm.cu").read_text(encoding="utf-8")
        (folder / "gemm.cu").write_text(source + "using Input = e4m3;  // FP8\n", encoding="utf-8")
        self.generate(0)
        self.assertIn("best of cuBLAS, FP8", self.page("docs/pictures/speed_beyond.svg"))
        self.assertIn("FP8 inputs", self.page("docs/pictures/share_beyond.svg"))
        (folder / "gemm.cu").write_text(source, encoding="utf-8")
        with open(folder / "gemm.cu", "a", encoding="utf-8") as source:
            source.write("int edited;\n")
        self.generate(0)
        self.assertRegex(self.page("beyond/README.md"), r"(?m)^\| M × N × K \(H100\) \| 07 \| 09\\\* \|$")
        self.assertIn("an earlier `gemm.cu`", self.page("beyond/README.md"))
        self.assertRegex(self.page("beyond/09_made_up/README.md"), r"(?s)\| 1.25× \|.*an earlier `gemm.cu`")

    def test_errors_of_all_ways(self) -> None:
        lesson = "15_fp32_on_tensor_cores"
        ways = ("07_double_buffer", "08_tensor_core_wmma", "cuBLAS FP32", "cuBLAS TF32", "cuBLAS half", lesson,
                lesson + ".nine_products", lesson + ".three_products")
        depths = [("uniform", K) for K in (256, 1024, 4096)] + [("spread20", 4096)]
        made = [{"way": way, "tflops": {"4096": 50.0 + i, "8192": 60.0 * (i + 1), "row_nans": 20.0 + i}, "rows": [
            {"inputs": inputs, "K": K, "max": 2.0 ** (i - 22),
             "rms": None if way == "cuBLAS half" and inputs == "spread20" else 2.0 ** (i - 24)}
            for inputs, K in depths]} for i, way in enumerate(ways)]
        self.put("errors.json", {"ways": made})
        self.generate(0)
        page = self.page(f"beyond/{lesson}/README.md")
        self.assertRegex(page, r"(?m)^\| from 2⁻²⁰ to 2²⁰ \| 4096 \| 1.00 \| 4.00 \| 64.0 \| 32.0 \| 128 \| 8.00 \| ∞ \|$")
        self.assertRegex(page, r"(?m)^\| TFLOP/s at 8192³ \|  \| 60.0 \| 180 \| ")
        self.assertRegex(page, r"(?m)^\| TFLOP/s at 4096³, one NaN in each row of A \|  \| 20.0 \| 22.0 \| ")
        self.assertNotIn("one NaN in A", page)  # not measured
        self.assertIn("six products 360 TFLOP/s with an error of 32.0", self.page("docs/pictures/accuracy.svg"))
        del made[-1]
        self.put("errors.json", {"ways": made})
        self.generate(0)
        self.assertIn("ot measured", self.page("docs/pictures/accuracy.svg"))

    def test_all_measured(self) -> None:
        self.put_all()
        self.generate(0)
        self.generate(0, "--check")
        for name in ("share", "speed", "roofline"):
            svg = self.page(f"docs/pictures/{name}.svg")
            ET.fromstring(svg)
            self.assertEqual([lesson for lesson in LADDER if lesson not in svg.split("</desc>")[1]], [])
            self.assertNotRegex(svg.lower(), r"\bnan\b|not measured")
            for x, y in re.findall(r'<text x="([\d.-]+)" y="([\d.-]+)"', svg):
                self.assertTrue(0 <= float(x) <= 860 and 0 <= float(y) <= 560, (x, y))
        measuring = self.page("docs/contribute/measuring.md")
        self.assertRegex(measuring, r"\[02_coalesced\]\(../../02_.*\| 6.40× \| 6.40× \| 16 % \| 16 % \|")
        self.assertRegex(measuring, r"!\[[^]]{200,}\]\(../pictures/roofline.svg\)")
        profile = re.search(r"generated:profile.*?/generated", self.page("05_outer_product/README.md"), re.S)[0]
        for part in ("| 04 | 05 |", "per global load request | 6.40 | 5.33 |", "| 40 % | 50 % |"):
            self.assertIn(part, profile)
        self.assertEqual(profile.count("\n|"), 11)
        self.assertIn("| 70 % | 72 % |", self.page("08_tensor_core_wmma/README.md"))
        self.assertRegex(self.page("02_coalesced/README.md"), r"(?m)^\| 256³ .*\| – \| 6.40× \|$")
        self.assertRegex(self.page("02_coalesced/README.md"), r"(?m)^\| 1024³ .*\| 20 % \| 16 % \| 6.40× \|$")
        data = speed_data(0.9)
        self.put("h200.json", data)
        text = self.generate(1, "--check")
        for name in ("02_coalesced/README.md", "docs/pictures/share.svg"):
            self.assertRegex(text, f"(?m)^{name}: differs from the data")
        (self.tree / "docs/pictures/share.svg").unlink()
        self.assertRegex(self.generate(1, "--check"), "(?m)^docs/pictures/share.svg: is missing")

    def test_older_source_and_missing_values(self) -> None:
        self.put_all()
        for name, edit in (("03_thread_tile", "int more;\n"), ("04_float4", "// a comment\n\n/* and\none */\n")):
            with open(self.tree / name / "gemm.cu", "a", encoding="utf-8") as file:
                file.write(edit)
        data = profile_data()
        del data["lessons"][2]["values"]["issue_percent"]
        data["lessons"][2]["values"]["dram_read_bytes"] = None
        self.put("profile-h200.json", data)
        text = self.generate(0)
        self.assertIn("h200.json: 03_thread_tile was measured before its last edit", text)
        self.assertNotIn("04_float4 was measured", text)
        self.assertIn("issue slots | 11 % | not measured |", self.page("02_coalesced/README.md"))
        self.assertIn(">not measured<", self.page("docs/pictures/share.svg"))
        self.assertIn("not measured: 02_coalesced, 03_thread_tile<", self.page("docs/pictures/roofline.svg"))

    def test_marks(self) -> None:
        self.generate(0)
        name = "02_coalesced/README.md"
        good = self.page(name)
        for old, new, message in (
                ("<!-- generated:measured -->", "<!-- generatd:measured -->", "ends no part"),
                ("<!-- generated:measured -->", "<!-- generated measured -->", "misspelt mark"),
                ("<!-- generated:measured -->", "<!-- generated:mesured -->", "measured --> is missing"),
                ("<!-- /generated -->", "", "begins inside of another"),
                ("generated:picture ", "generated:plot ", "there is no plot"),
                ("generated:picture ", "generated:picture un", "there is no picture"),
                ("generated:picture ", "generated:strides un", "has no model of")):
            (self.tree / name).write_text(good, encoding="utf-8")
            self.change(name, old, new)
            self.refused(rf"^generate: {name}.*{message}")
        (self.tree / name).write_text(good + "`<!-- generated:x -->` is a mark\n", encoding="utf-8")
        self.generate(0, "--check")

    def test_terms(self) -> None:
        """The first use of a term becomes a link, also in the plural and across a line's end. Code, titles and later uses
        stay."""
        self.generate(0)
        name = "docs/learn/gpu_in_ten_minutes.md"
        (self.tree / name).write_text(
            "# Warps\n\n`warp` and warp.cu: Bank conflicts, banks and shared\nmemory of a lane, a bank, a [warp].\n\n"
            + MARK % "hardware" + MARK % "terms all", encoding="utf-8")
        self.generate(0)
        text = self.page(name)
        self.assertIn("# Warps\n\n`warp` and warp.cu: [Bank conflicts][bank conflict], [banks][bank] and [shared\nmemory] of "
                      "a [lane], a bank, a [warp].\n", text)
        self.assertEqual(re.findall(r"(?m)^\[([^]]+)\]: glossary.md#([\w-]+)$", text)[:3],
                         [("bank", "bank"), ("bank conflict", "bank-conflict"), ("lane", "lane")])
        self.change("docs/learn/glossary.md", "### bank\n", "### bank\nTwo. Sentences.\n")
        self.refused("glossary.md: 'bank' is not explained in one sentence")

    def test_damaged_results(self) -> None:
        runs = json.dumps(speed_data())
        for bad, message in ((runs[:500], "damaged"), ("[" * 100000, "damaged"), ("{}", "gpu is missing"),
                             (runs.replace('"tflops": ', '"tflops": -', 1), r"runs\[0\].tflops: -.* is not a number above 0")):
            self.put("h200.json", {})
            (self.results / "h200.json").write_text(bad, encoding="utf-8")
            self.refused(rf"^generate: docs/results/h200.json: .*{message}")

    def test_a_strangers_card(self) -> None:
        """A file that ./ladder bench wrote elsewhere gets its columns. docs/generate reports wrong fields, units and hashes."""
        good = speed_data(0.5)
        stale = [{**run, "source_hash": "0" * 16} if run["lesson"] == "05_outer_product" else run for run in good["runs"]]
        self.put("rtx_4090.json", {**good, "gpu": "NVIDIA GeForce RTX 4090", "runs": stale})
        self.assertIn("rtx_4090.json: 05_outer_product was measured before its last edit", self.generate(0))
        page = self.page("docs/contribute/measuring.md")
        self.assertIn("| lesson | step, H200 | step, H100 | step, RTX 4090 | of the best of cuBLAS, H200 |", page)
        rows = {row.split("]")[0][3:]: row.strip(" |").split(" | ") for row in page.splitlines() if row.startswith("| [0")}
        self.assertEqual(rows["02_coalesced"][1:4], ["not measured"] * 2 + ["6.40×"])
        self.assertEqual(rows["05_outer_product"][3::3], ["not measured"] * 2)
        run = good["runs"][3]
        for change, said in (
                ({"date": "25.11.2026"}, "date: '25.11.2026' is not a date"),
                ({"sm_clock_mhz": 1980e6}, "sm_clock_mhz: 1980000000.0 is not a clock in MHz"),
                ({"driver": None}, "driver: None is not text"),
                ({"runs": [run, run]}, r"runs\[1\] is a second run of 00_naive 16384 16384 16384 0"),
                ({"runs": [{**run, "ms": {"median": run["ms"]["median"] / 1000}}]}, r"runs\[0\].tflops: 0.25 is not 250, which"),
                ({"runs": [{**run, "best_tflops": 1.0}]}, r"runs\[0\].best_tflops: 1.0 is not at least 20"),
                ({"runs": [{**run, "source_hash": "0123"}]}, r"runs\[0\].source_hash: '0123' is not a hash of 16 digits")):
            self.put("rtx_4090.json", {**good, **change})
            self.refused("^generate: docs/results/rtx_4090.json: damaged: " + said)

    def test_bench_writes_what_the_tables_read(self) -> None:
        names = {**results.cards(), "X": bench.gpu_file_name("NVIDIA GeForce RTX 4090") + ".json"}
        for name in names.values():
            self.assertNotIn("-", name)
        for name in results.cards().values():
            gpu = json.loads((ROOT / "docs" / "results" / name).read_text(encoding="utf-8"))["gpu"]
            self.assertTrue(bench.gpu_file_name(gpu).startswith(name[:-5]), f"{name} has the figures of a {gpu}")
            results.read(name)  # Trouble if it does not fit

    def test_schema(self) -> None:
        """A figure of a file that tables read must not be NaN, infinite, negative, text, null or a list."""
        run = speed_data()["runs"][0]
        for key, bad in (("tflops", math.nan), ("tflops", 0), ("tflops", math.inf), ("tflops", "9"), ("ms", 3),
                         ("ms", {"median": -1}), ("lesson", ["a"]), ("lesson", 3), ("M", None), ("M", True),
                         ("baseline_tflops", -1), ("best_tflops", 0), ("beta", []), ("source_hash", 0)):
            fault = schema.fault({**speed_data(), "runs": [run, {**run, key: bad}]}, schema.SPEEDS)
            self.assertRegex(fault, rf"^runs\[1\].{key}.* is not ")
        for name, wanted in [*schema.FILES.items(), *((name, schema.SPEEDS) for name in results.cards().values())]:
            good = json.loads((ROOT / "docs" / "results" / name).read_text(encoding="utf-8"))
            self.assertEqual(schema.fault(good, wanted), "", name)
            text = json.dumps(good)
            self.assertNotEqual(schema.fault(json.loads(re.sub(r'": \d[\d.e+-]*', '": -1', text)), wanted), "", name)
            self.assertNotEqual(schema.fault([], wanted), "", name)
