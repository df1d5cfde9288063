"""Which folder includes which: the folders of src/ include one another as docs/architecture.md draws it, arrow by arrow.
No arrow leads back, and a folder is entered by its own header alone, FOLDER/FOLDER.h. Below them all lie simt/api/ and
the four public headers; above them lie the headers that stand in for CUDA's. Nothing outside of this project is included."""
import pathlib
import re
import unittest
from typing import Dict, List, Set

SIMT = pathlib.Path(__file__).resolve().parents[1]
PAGE = SIMT / "docs" / "architecture.md"
FOLDERS = {path.name: path for path in (SIMT / "src").iterdir() if path.is_dir()}
PUBLIC = {"report.h", "trace.h", "probe.h", "testing.h"}
PROGRAMS = {"frontend", "driver", "standalone"}  # no folder of the runtime includes them


def quoted(path: pathlib.Path) -> List[str]:
    return re.findall(r'^ *#include "(.*)"', path.read_text(encoding="utf-8"), re.M)


class Includes(unittest.TestCase):
    def setUp(self) -> None:
        graph = re.search(r"^```mermaid\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
        self.assertTrue(graph, f"{PAGE} draws nothing")
        self.drawn: Dict[str, Set[str]] = {name: set() for name in FOLDERS}
        for source, target in re.findall(r"^ *(\w+) --> (\w+)$", graph.group(1), re.M):
            self.drawn.setdefault(source, set()).add(target)

    def test_the_page_draws_the_includes(self) -> None:
        found: Dict[str, Set[str]] = {name: set() for name in self.drawn}
        for name, folder in FOLDERS.items():
            for path in [each for each in folder.rglob("*") if each.suffix in (".h", ".cpp")]:
                for header in quoted(path):
                    at = f"{path.relative_to(SIMT)} includes {header}"
                    first, *rest = header.split("/")
                    if first == "simt":
                        self.assertTrue(rest[0] == "api" or rest[0] in PUBLIC, f"{at}, which is for kernels alone")
                        continue
                    self.assertIn(first, FOLDERS, f"{at}, which is not the backend's")
                    if first != name:
                        self.assertEqual(rest, [f"{first}.h"], f"{at}, not its folder's own header")
                        self.assertIn(first, self.drawn[name], f"{at}, which {PAGE.name} does not draw")
                        found[name].add(first)
        self.assertEqual(found, self.drawn, "arrows that stand in the page and in no file")

    def test_public_headers_need_nothing_from_src(self) -> None:
        for path in (SIMT / "include").rglob("*.h"):
            for header in quoted(path):
                self.assertRegex(header, r"^simt/(api/|names/|shim/(\w+/)?)?\w+\.h$|^\w+\.h$", path)
                if path.parent.name in ("api", "simt"):
                    own = header.startswith(("simt/api/", "simt/names/")) or header[5:] in PUBLIC
                    self.assertTrue(own, f"{path} includes {header}")

    def test_nothing_of_another_project_is_included(self) -> None:
        for path in (SIMT / "tests").rglob("*"):
            if path.suffix in (".h", ".cpp", ".cu"):
                for header in quoted(path):
                    self.assertRegex(header, r"^(simt/\w+|counting/copy_cost|matrices/product|tests/[\w/]+|\w+)\.h$", path)

    def test_no_arrow_leads_back(self) -> None:
        left = dict(self.drawn)
        while left:
            ends = {name for name, targets in left.items() if not targets & set(left)}
            self.assertTrue(ends, f"a circle among {sorted(left)}")
            left = {name: targets for name, targets in left.items() if name not in ends}

    def test_each_folder_has_a_header_and_few_modules(self) -> None:
        for name in set(FOLDERS) - PROGRAMS:
            self.assertTrue((FOLDERS[name] / f"{name}.h").is_file(), name)
            self.assertLessEqual(len({path.stem for path in FOLDERS[name].iterdir()} - {name}), 16, name)


if __name__ == "__main__":
    unittest.main()
