"""Runs the cells of docs/learn/gemm_ladder.ipynb in order in a copy of the checkout, without Jupyter. It links programs with
the objects of the build folder LADDER_CPU_BUILD, so it compiles only the lessons' kernels."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
from typing import Any, Dict, List

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "docs" / "learn" / "gemm_ladder.ipynb"
sys.path[:0] = [str(ROOT / "tests" / "ladder"), str(ROOT / "tests" / "ladder" / "practice")]
from built import Built  # noqa: E402

CLONE = "git clone"


def cells(kind: str = "code") -> List[Dict[str, Any]]:
    return [each for each in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if each["cell_type"] == kind]


def source(cell: Dict[str, Any]) -> str:
    return "".join(cell["source"])


class Form(unittest.TestCase):
    def test_a_notebook(self) -> None:
        notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
        self.assertEqual((notebook["nbformat"], notebook["nbformat_minor"]), (4, 5))
        names = [each["id"] for each in notebook["cells"]]
        self.assertEqual(len(names), len(set(names)))
        for each in cells():
            self.assertEqual((each["outputs"], each["execution_count"]), ([], None), f"{each['id']} has been run")
        self.assertRegex(source(cells()[0]), r'^REPOSITORY = "https://[^"]+"')
        self.assertIn(CLONE, source(cells()[0]))

    def test_lines_are_short(self) -> None:
        for each in [*cells(), *cells("markdown")]:
            for line in source(each).splitlines():
                self.assertLessEqual(len(line), 100, f"{each['id']}: {line}")


class Notebook(Built):
    tree_name = "gemm-ladder"

    def copy_tree(self) -> None:
        listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others",
                                 "--exclude-standard"], check=True, capture_output=True, text=True).stdout
        for name in filter(None, listed.split("\0")):
            if (ROOT / name).is_file():
                (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, self.tree / name)

    def bash(self, script: str, status: int) -> str:
        done = subprocess.run(["bash", "-c", script], cwd=self.tree, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=500)
        self.assertEqual(done.returncode, status, f"{script}\n{done.stdout}")
        return done.stdout

    def write(self, text: str) -> None:
        first, _, rest = text.partition("\n")
        path = self.tree / first.split()[1]
        self.assertTrue(path.parent.is_dir(), f"{first}: there is no such folder yet")
        path.write_text(rest + "\n", encoding="utf-8")

    def run_cell(self, cell: Dict[str, Any]) -> str:
        """The output of the cell's commands. The cell's metadata may have the expected status of the last one."""
        text, status, output = source(cell), cell["metadata"].get("ladder", {}).get("status", 0), ""
        if text.startswith("%%writefile "):
            self.write(text)
        elif text.startswith("%%bash\n"):
            output = self.bash("set -e\n" + text.partition("\n")[2], status)
        else:
            lines = text.splitlines()
            commands = [line[1:] for line in lines if line.startswith("!")]
            for at, command in enumerate(commands, 1):
                output += self.bash(command, status if at == len(commands) else 0)
            others = [line for line in lines if not line.startswith("!")]
            for line in others:  # the only Python that this test understands
                self.assertRegex(line, r'^(from IPython\.display import SVG|SVG\("[^"]+"\))$')
            for picture in re.findall(r'^SVG\("(.+)"\)$', "\n".join(others), re.M):
                self.assertIn("<svg ", (self.tree / picture).read_text(encoding="utf-8"))
        return output

    def test_its_cells(self) -> None:
        output = {each["id"]: self.run_cell(each) for each in cells() if CLONE not in source(each)}
        self.assertRegex(output["run"], r"(?m)^00_naive +right")
        self.assertRegex(output["explain"], "(?m)^Totals")
        self.assertRegex(output["diff"], r"(?m)^@@ .* @@ gemm_kernel\(\): ")
        self.assertRegex(output["check"], r"only \d of the \d ideas of lesson 02 are there")
        self.assertRegex(output["check"], r"(?m)^  holds: correct for every size")
        self.finish(next(source(each) for each in cells() if each["id"] == "edit"))

    def finish(self, text: str) -> None:
        """The last cell's suggestion completes the lesson."""
        for old, new in (("m0 = threadIdx.x % BM", "m0 = threadIdx.x / BN"),
                         ("n0 = threadIdx.x / BM", "n0 = threadIdx.x % BN")):
            self.assertEqual(text.count(old), 1)
            text = text.replace(old, new)
        self.write(text)
        self.assertRegex(self.bash("./ladder check 02", 0), r"(?m)^Passed: your lesson 02 is correct")
