#!/usr/bin/env python3
"""generate_test.py [--keep FOLDER]: docs/generate in a copy of the pages, with made-up data that never touch
docs/results: what it says of missing, damaged and strange data and marks, and that its figures follow the data."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

ROOT = pathlib.Path(__file__).resolve().parents[2]
LESSONS = sorted(path.parent.name for path in ROOT.glob("[0-9][0-9]_*/gemm.cu"))
MARKS = {"README.md": ["figure share", "ladder"], "docs/contribute/measuring.md": ["gpus", "figure speed", "figure roofline"]}
sys.path.insert(0, str(ROOT / "common"))
from ladder.lib import source  # noqa: E402
from ladder.lib.metrics import METRICS  # noqa: E402


def copy_pages(tree: pathlib.Path) -> None:
    """The pages, the scripts and the sources; READMEs get the marks that they may still lack."""
    shutil.copytree(ROOT / "docs", tree / "docs", ignore=shutil.ignore_patterns("__pycache__", "*.json"))
    shutil.copytree(ROOT / "common" / "ladder", tree / "common" / "ladder",
                    ignore=shutil.ignore_patterns("__pycache__"))
    for path in [*ROOT.glob("[0-9][0-9]_*/*"), *ROOT.glob("common/measure/gpu/*.cu"), ROOT / "README.md"]:
        (tree / path.relative_to(ROOT)).parent.mkdir(exist_ok=True, parents=True)
        shutil.copy(path, tree / path.relative_to(ROOT))
    for name in ("hardware", "seeds", "errors", "variants", "openblas-cpu", "stride-h200"):
        shutil.copy(ROOT / "docs" / "results" / f"{name}.json", tree / "docs" / "results")
    for path in [tree / "README.md", *tree.glob("[0-9][0-9]_*/README.md")]:
        text = path.read_text(encoding="utf-8")
        for title in MARKS["README.md"] if path.parent == tree else ["profile"]:
            if f"generated:{title} -->" not in text:
                text += f"\n<!-- generated:{title} -->\n<!-- /generated -->\n"
        path.write_text(text, encoding="utf-8")


def source_hash(tree: pathlib.Path, name: str) -> str:
    return source.source_hash(tree / name / "gemm.cu")


def speed_data(tree: pathlib.Path, scale: float = 1) -> dict:
    """Runs that look like a ladder. They are invented."""
    runs = []
    for i, name in enumerate(LESSONS):
        half = i == len(LESSONS) - 1
        for size in (256, 512, 1024, 2048, 4096, 8192, 16384):
            if i < 2 and size > 4096:
                continue
            base = (700 if half else 50) * min(1, (size / 2048) ** 1.5) * scale
            tflops = base * (0.01, 0.025, 0.16, 0.37, 0.42, 0.68, 0.84, 1.01, 0.55)[min(i, 8)]
            runs.append({"lesson": name, "M": size, "N": size, "K": size, "alpha": 1, "beta": 0,
                         "ms": {"min": 1, "median": 2e-9 * size ** 3 / tflops, "max": 3}, "tflops": tflops,
                         "baseline": "cublasGemmEx" if half else "cublasSgemm", "baseline_tflops": base,
                         "source_hash": source_hash(tree, name)})
    return {"gpu": "made up", "runs": runs}


def profile_data(tree: pathlib.Path) -> dict:
    lessons = []
    for i, name in enumerate(LESSONS):
        values = {metric.key: 10.0 + i for metric in METRICS}
        values.update(time_ns=3e8 / 2 ** i, load_sectors=32e6, load_requests=1e6 * (i + 1), load_wavefronts=4e9 / (i + 1),
                      dram_read_bytes=4e8 + 9e9 / (i + 1) ** 2, dram_write_bytes=7e7, fma_percent=10.0 * i if i < 8 else 5.0,
                      tensor_percent=None, tensor_hmma_percent=72.0 if i == 8 else 0, stall_barrier=0.25 * i)
        lessons.append({"lesson": name, "source_hash": source_hash(tree, name), "values": values})
    return {"gpu": "made up", "lessons": lessons}


BANDWIDTH = {"gpu": "made up", "fp32_peak_tflops": 66.9, "half_tensor_peak_tflops": 989, "stated_gb_per_s": 4900,
             "runs": [{"gb_per_s": 4100}, {"gb_per_s": 4321}]}


class Generate(unittest.TestCase):
    def setUp(self) -> None:
        self.tree = pathlib.Path(tempfile.mkdtemp(prefix="generate-test."))
        self.addCleanup(shutil.rmtree, self.tree, ignore_errors=True)
        copy_pages(self.tree)
        self.results = self.tree / "docs" / "results"

    def put(self, name: str, data: object) -> None:
        (self.results / name).write_text(json.dumps(data), encoding="utf-8")

    def put_all(self) -> None:
        self.put("h200.json", speed_data(self.tree))
        self.put("h100.json", speed_data(self.tree, 0.8))
        self.put("profile-h200.json", profile_data(self.tree))
        self.put("bandwidth-h200.json", BANDWIDTH)

    def generate(self, status: int, *words: str, env=None) -> str:
        done = subprocess.run([sys.executable, "-B", str(self.tree / "docs" / "generate"), *words],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env)
        told = done.stdout.decode("utf-8", "replace")
        text = re.sub(r"(?m)^docs/pictures/.*\n", "", told)  # whether those are of today's sources is another's test
        self.assertNotIn("Traceback", text)
        only_pictures = done.returncode == 1 and told and not text.strip()
        self.assertEqual(0 if only_pictures else done.returncode, status, text)
        return text

    def told(self, pattern: str, status: int = 2) -> None:
        """Both ways of running end with one line that says so, and nothing is written."""
        before = self.contents()
        for words in ((), ("--check",)) if status == 2 else (("--check",),):
            text = self.generate(status, *words)
            self.assertRegex(text, pattern)
            self.assertEqual(len([line for line in text.splitlines() if "before its last edit" not in line]), 1, text)
        self.assertEqual(before, self.contents())

    def contents(self) -> dict:
        return {path: path.read_bytes() for path in self.tree.rglob("*") if path.is_file()}

    def page(self, name: str) -> str:
        return (self.tree / name).read_text(encoding="utf-8")

    def test_nothing_measured(self) -> None:
        self.generate(0)
        self.generate(0, "--check")
        self.assertIn("Not measured.", self.page("02_coalesced/README.md"))
        for name in ("share", "speed", "roofline"):
            self.assertIn("Not measured", self.page(f"docs/pictures/{name}.svg"))
        self.assertNotIn("nan", self.page("README.md"))

    def test_beyond(self) -> None:
        folder = self.tree / "beyond" / "09_made_up"
        folder.mkdir(parents=True)
        (folder / "gemm.cu").write_text("// Changed from 07_double_buffer: nothing.\n", encoding="utf-8")
        mark = "<!-- generated:%s -->\n<!-- /generated -->\n"
        (folder / "README.md").write_text(mark % "measured", encoding="utf-8")
        (folder.parent / "README.md").write_text("no mark\n", encoding="utf-8")
        self.told(r"beyond/README.md: the mark <!-- generated:shapes --> is missing$")
        (folder.parent / "README.md").write_text(
            "".join(mark % part for part in ("shapes", "figure share_beyond", "figure speed_beyond")), encoding="utf-8")
        self.generate(0)
        for name in ("README.md", "09_made_up/README.md"):
            self.assertIn("Not measured.", self.page("beyond/" + name))
        data = speed_data(self.tree)
        for run in [run for run in data["runs"] if run["lesson"].startswith("07")]:
            data["runs"].append({**run, "lesson": "beyond/09_made_up", "tflops": 1.25 * run["tflops"],
                                 "source_hash": source_hash(self.tree, "beyond/09_made_up")})
        self.put("h200.json", data)
        self.generate(0)
        self.assertRegex(self.page("beyond/README.md"), r"(?m)^\| 4096³ \| 1.01 \| 0.55 \| 1.26 \|$")
        self.assertRegex(self.page("beyond/README.md"), r"(?m)^\| geometric mean \| 1.01 \| 0.55 \| 1.26 \|$")
        self.assertNotIn("256³", self.page("beyond/README.md"))
        self.assertRegex(self.page("beyond/09_made_up/README.md"), r"(?m)^\| 4096³ .*\| 1.25× \|$")
        self.assertRegex(self.page("beyond/README.md"), r"!\[Bars: 07_double_buffer 101.0 %.*, 08_.* and 09_made_up 126 % "
                         r".*\]\(../docs/pictures/share_beyond.svg\)")
        self.assertIn(">09_made_up<", self.page("docs/pictures/speed_beyond.svg"))
        self.assertNotIn("09_made_up", self.page("docs/pictures/share.svg"))

    def test_all_measured(self) -> None:
        self.put_all()
        self.generate(0)
        self.generate(0, "--check")
        for name in ("share", "speed", "roofline"):
            svg = self.page(f"docs/pictures/{name}.svg")
            ET.fromstring(svg)
            self.assertEqual([lesson for lesson in LESSONS if lesson not in svg.split("</desc>")[1]], [])
            self.assertNotRegex(svg.lower(), r"\bnan\b|not measured")
            self.assertLess(svg.count("\n"), 300)
            for x, y in re.findall(r'<text x="([\d.-]+)" y="([\d.-]+)"', svg):
                self.assertTrue(0 <= float(x) <= 860 and 0 <= float(y) <= 560, (x, y))
        self.assertRegex(self.page("docs/contribute/measuring.md"), r"\[02_coalesced\].*\| 6.40× \| 6.40× \| 16 % \| 16 % \|")
        profile = re.search(r"generated:profile.*?/generated", self.page("05_outer_product/README.md"), re.S)[0]
        self.assertIn("| 04 | 05 |", profile)
        self.assertIn("per global load request | 6.40 | 5.33 |", profile)
        self.assertIn("| 40 % | 50 % |", profile)
        self.assertEqual(profile.count("\n|"), 11)
        self.assertIn("| 70 % | 72 % |", self.page("08_tensor_core_wmma/README.md"))
        self.assertRegex(self.page("README.md"), r"!\[Bars: .*07_double_buffer 101.0 %.*\]\(docs/pictures/share.svg\)")
        self.assertRegex(self.page("docs/contribute/measuring.md"), r"!\[[^]]{200,}\]\(figures/roofline.svg\)")

    def test_other_data_differ(self) -> None:
        self.put_all()
        self.generate(0)
        data = speed_data(self.tree)
        for run in data["runs"]:
            run["tflops"] *= 0.9
        self.put("h200.json", data)
        text = self.generate(1, "--check")
        for name in ("README.md", "02_coalesced/README.md", "docs/pictures/share.svg", "docs/pictures/speed.svg"):
            self.assertRegex(text, f"(?m)^{name}: differs from the data")

    def test_older_source_and_missing_values(self) -> None:
        self.put_all()
        for number, edit in (("03", "int more;\n"), ("05", "int more;\n"), ("04", "// a comment\n\n/* and\none */\n")):
            path = next(self.tree.glob(number + "_*/gemm.cu"))
            path.write_text(path.read_text(encoding="utf-8") + edit, encoding="utf-8")
        data = profile_data(self.tree)
        del data["lessons"][2]["values"]["issue_percent"]
        data["lessons"][2]["values"]["dram_read_bytes"] = None
        self.put("profile-h200.json", data)
        text = self.generate(0)
        self.assertIn("h200.json: 03_thread_tile was measured before its last edit", text)
        self.assertNotIn("04_float4 was measured", text)
        self.assertIn("issue slots | 11 % | not measured |", self.page("02_coalesced/README.md"))
        self.assertIn(">not measured<", self.page("docs/pictures/share.svg"))
        self.assertIn("not measured: 02_coalesced, 03_thread_tile, 05_outer_product<",
                      self.page("docs/pictures/roofline.svg"))

    def test_marks(self) -> None:
        self.generate(0)
        page = self.tree / "02_coalesced" / "README.md"
        good = self.page("02_coalesced/README.md")
        for old, new, said in (
                ("<!-- generated:measured -->", "<!-- generatd:measured -->", "ends no part"),
                ("<!-- generated:measured -->", "<!-- generated measured -->", "misspelt mark"),
                ("<!-- generated:measured -->", "<!-- generated:mesured -->", "mesured|measured --> is missing"),
                ("<!-- generated:profile -->\n", "", "ends no part"),
                ("<!-- /generated -->", "", "begins inside of another|has no '<!-- /generated -->'"),
                ("<!-- /generated -->", "<!-- / generated -->", "misspelt mark")):
            page.write_text(good.replace(old, new, 1), encoding="utf-8")
            self.told(r"^generate: 02_coalesced/README.md.*(%s)" % said)
        page.write_text(re.sub(r"<!-- generated:measured.*?/generated -->", "", good, flags=re.S), encoding="utf-8")
        self.told("02_coalesced/README.md: the mark <!-- generated:measured --> is missing")
        page.write_text(good + "`<!-- generated:x -->` is a mark\n```\n<!-- /generated -->\n```\n", encoding="utf-8")
        self.generate(0, "--check")
        page.write_text(good + "<!-- generated:plot bars -->\n<!-- /generated -->\n", encoding="utf-8")
        self.told("there is no figure 'bars'")
        page.unlink()
        (self.tree / "README.md").unlink()
        self.told("README.md: cannot be read")

    def test_missing_and_edited_figures(self) -> None:
        self.put_all()
        self.generate(0)
        path = self.tree / "docs" / "pictures" / "share.svg"
        path.write_text(path.read_text(encoding="utf-8").replace("16 %", "17 %"), encoding="utf-8")
        self.told("^docs/pictures/share.svg: differs from the data", 1)
        path.unlink()
        self.told("^docs/pictures/share.svg: is missing", 1)

    def test_damaged_results(self) -> None:
        self.put_all()
        self.generate(0)
        good = (self.results / "h200.json").read_text(encoding="utf-8")
        path = self.results / "h200.json"
        for bad, said in ((good[:500], "damaged"), ("", "damaged"), ("[]", "damaged"), ("{}", "called 'runs'"),
                          ('{"runs": [3]}', "called 'runs'"), (re.sub(r'"tflops": [\d.]+', '"tflops": NaN', good),
                                                               "NaN for a number"),
                          (re.sub(r'"tflops": [\d.]+', '"tflops": 0', good), "called 'tflops'"),
                          (re.sub(r'"tflops": [\d.]+', '"tflops": "9"', good), "called 'tflops'"),
                          (re.sub(r'"ms": {[^}]*}', '"ms": 3', good), "no times"),
                          ("[" * 100000, "damaged")):
            path.write_text(bad, encoding="utf-8")
            self.told(r"^generate: docs/results/h200.json: .*%s" % said)
        path.write_bytes(b"\xff\xfe{")
        self.told("^generate: docs/results/h200.json: damaged")
        path.unlink()
        path.mkdir()
        self.told("^generate: docs/results/h200.json: cannot be read")
        path.rmdir()
        path.write_text(good, encoding="utf-8")
        for name in ("h100", "profile-h200", "bandwidth-h200", "hardware", "seeds", "errors", "variants",
                     "openblas-cpu", "stride-h200"):
            other = self.results / f"{name}.json"
            text = other.read_text(encoding="utf-8")
            for bad in (text[:len(text) // 2], '{"runs": [{}], "lessons": [{}], "rows": [{}], "cards": [{}]}'):
                with self.subTest(name=name, bad=bad[:40]):
                    other.write_text(bad, encoding="utf-8")
                    if not (bad != text[:len(text) // 2] and name in ("h100", "profile-h200")):  # of older sources
                        self.told(r"^generate: .*damaged|has no")
            other.write_text(text, encoding="utf-8")

    def test_other_locale(self) -> None:
        self.generate(0, env={"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"})
        self.generate(0, "--check")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--keep"]:  # a filled copy, to look at
        case = Generate()
        case.tree = pathlib.Path(sys.argv[2])
        copy_pages(case.tree)
        case.results = case.tree / "docs" / "results"
        case.put_all()
        print(case.generate(0))
    else:
        unittest.main()
