"""The folders of the CPU backend (common/simt) include one another as docs/contribute/cpu_backend_inside.md draws it, to the
arrow: no arrow leads back, and a folder is entered by its own header alone, FOLDER/FOLDER.h. Below them all lie api/
and report.h, above them CUDA's headers."""
import pathlib
import re
import unittest
from typing import Dict, Set

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIMT, PAGE = ROOT / "common" / "simt", ROOT / "docs" / "contribute" / "cpu_backend_inside.md"
FOLDERS = {path.name: path for path in SIMT.iterdir() if path.is_dir() and path.name not in ("api", "include")}
FOLDERS["harness"] = ROOT / "common" / "harness" / "cpu"
ENTERED_BY_NOBODY = {"explain", "harness", "frontend"}  # programs, and the harness's own seam


class Includes(unittest.TestCase):
    def setUp(self) -> None:
        graph = re.search(r"^```mermaid\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
        self.assertTrue(graph, f"{PAGE} draws nothing")
        self.drawn: Dict[str, Set[str]] = {name: set() for name in FOLDERS}
        for source, target in re.findall(r"^ *(\w+) --> (\w+)$", graph.group(1), re.M):
            self.drawn.setdefault(source, set()).add(target)

    def test_what_is_included_is_drawn(self) -> None:
        found: Dict[str, Set[str]] = {name: set() for name in self.drawn}
        for name, folder in FOLDERS.items():
            for path in [each for each in folder.rglob("*") if each.suffix in (".h", ".cpp")]:
                for header in re.findall(r'^ *#include "(.*)"', path.read_text(encoding="utf-8"), re.M):
                    at = f"{path.relative_to(ROOT)} includes {header}"
                    self.assertTrue(header.startswith("common/"), f"{at}: say common/...")
                    parts = header.split("/")
                    if parts[1] != "simt":
                        self.assertIn(name, ("harness", "explain"), f"{at}, which is not the backend's")
                    elif parts[2] not in (name, "api", "report.h"):
                        self.assertEqual(parts[2:], [parts[2], f"{parts[2]}.h"], f"{at}, not its folder's own header")
                        self.assertIn(parts[2], self.drawn[name], f"{at}, which {PAGE.name} does not draw")
                        found[name].add(parts[2])
        self.assertEqual(found, self.drawn, "arrows that stand in the page and in no file")

    def test_cudas_headers_lie_above_and_what_they_declare_below(self) -> None:
        cudas = {path.name for path in (SIMT / "include").glob("*.h")}
        folders = [SIMT / "api", SIMT / "include", *(FOLDERS[name] for name in set(FOLDERS) - {"explain", "harness"})]
        for path in [SIMT / "report.h", *(each for folder in folders for each in folder.rglob("*.*"))]:
            folder = path.relative_to(SIMT).parts[0]
            for header in re.findall(r'^ *#include ["<](.*)[">]', path.read_text(encoding="utf-8"), re.M):
                if folder == "include":
                    self.assertRegex(header, r"^((common/simt/api|simt)/)?\w+(\.h)?$", path)
                else:
                    self.assertNotIn(header, cudas, path)
                    self.assertFalse(header.startswith("simt/"), path)
                if folder == "api" and header.startswith("common/"):
                    self.assertTrue(header.startswith("common/simt/api/"), f"{path} includes {header}")

    def test_no_arrow_leads_back(self) -> None:
        left = dict(self.drawn)
        while left:
            ends = {name for name, targets in left.items() if not targets & set(left)}
            self.assertTrue(ends, f"a circle among {sorted(left)}")
            left = {name: targets for name, targets in left.items() if name not in ends}

    def test_each_folder_has_a_header_and_a_dozen_modules_at_most(self) -> None:
        for name in set(FOLDERS) - ENTERED_BY_NOBODY:
            self.assertTrue((FOLDERS[name] / f"{name}.h").is_file(), name)
            self.assertLessEqual(len({path.stem for path in FOLDERS[name].iterdir()}), 12, name)
        self.assertEqual({path.name for path in SIMT.iterdir() if path.is_file()}, {"CMakeLists.txt", "report.h", "window.h"})


if __name__ == "__main__":
    unittest.main()
