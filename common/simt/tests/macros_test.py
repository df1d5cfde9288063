"""The headers compile with any macro that a user has, and leave it as it is: simt/names/begin.h hides those whose names
the headers use, and end.h brings them back. Names in small letters stay in the open: the toolkit's headers have such, too.
After a change of the names, `macros_test.py --write` writes both files."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from typing import List, Set, Tuple

SIMT = pathlib.Path(__file__).resolve().parents[1]
INCLUDE = SIMT / "include"
NAMES = INCLUDE / "simt" / "names"
CXX = os.environ.get("CXX", "g++")
SIMTCC = os.environ.get("SIMTCC", "simtcc")
BEGIN, END = '#include "simt/names/begin.h"', '#include "simt/names/end.h"'
FOLDERS = [INCLUDE / "cuda", INCLUDE]  # where compilers look for headers
PUBLIC = sorted(path for folder in (INCLUDE / "cuda", INCLUDE / "nvtx3") for path in folder.rglob("*")
                if path.is_file()) + sorted((INCLUDE / "simt").glob("*.h"))


def spelled(path: pathlib.Path) -> str:
    return str(path.relative_to(FOLDERS[0] if FOLDERS[0] in path.parents else INCLUDE))


ALL = "".join(f"#include <{spelled(path)}>\n" for path in PUBLIC)


def run_it(*words: str) -> Tuple[int, str]:
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    return done.returncode, done.stdout


def compiler(*words: str) -> Tuple[int, str]:
    return run_it(CXX, "-std=c++17", *words, *(f"-I{folder}" for folder in FOLDERS))


def names_in_use(folder: pathlib.Path) -> List[str]:
    """The names that begin with a capital letter, except macros. `folder` is empty."""
    for name in ("begin.h", "end.h"):  # they hide no macro
        (folder / "simt" / "names").mkdir(parents=True, exist_ok=True)
        (folder / "simt" / "names" / name).touch()
    (folder / "all.cpp").write_text(ALL, encoding="utf-8")
    status, text = compiler("-D__CUDACC__", f"-I{folder}", "-E", "-dM", str(folder / "all.cpp"))
    assert status == 0, text
    macros = set(re.findall(r"^#define (\w+)", text, re.M))
    names: Set[str] = set()
    for path in INCLUDE.rglob("*"):
        if path.is_file() and path.parent != NAMES:
            code = re.sub(r'//.*|"(?:\\.|[^"\\\n])*"', "", path.read_text(encoding="utf-8"))
            names.update(re.findall(r"(?<![\w'])[A-Z]\w*", code))
    return sorted(name for name in names - macros if not re.match("CU|NVTX|SIMT", name))


def texts_of(names: List[str]) -> List[Tuple[pathlib.Path, str]]:
    written = "Written by tests/macros_test.py --write."
    hidden = "".join(f'#pragma push_macro("{name}")\n' for name in names) + "".join(f"#undef {name}\n" for name in names)
    return [(NAMES / "begin.h", f"// Hides the user's macros whose names these headers use, until end.h. {written}\n{hidden}"),
            (NAMES / "end.h", f"// Brings back the macros that begin.h has hidden. {written}\n" +
             "".join(f'#pragma pop_macro("{name}")\n' for name in names))]


def is_guarded(path: pathlib.Path) -> bool:
    """True if begin.h and end.h enclose the header, or if it has directives only and includes guarded headers only."""
    lines = [line for line in path.read_text(encoding="utf-8").split("\n") if line and not line.startswith("//")]
    if lines[:2] == ["#pragma once", BEGIN] and lines[-1] == END:
        return True
    if not all(line.startswith("#") for line in lines) or BEGIN in lines or END in lines:
        return False
    found = [folder / name for line in lines for name in re.findall(r'^#include [<"](.*)[>"]', line) for folder in FOLDERS]
    return all(is_guarded(header) for header in found if header.is_file())


class Macros(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="macros-test."))
        self.addCleanup(shutil.rmtree, self.folder)
        self.names = names_in_use(self.folder)

    def test_all_names_are_hidden(self) -> None:
        for path, text in texts_of(self.names):
            self.assertEqual(path.read_text(encoding="utf-8"), text, f"{__file__} --write writes {path.name}")

    def test_all_headers_hide_them(self) -> None:
        for path in PUBLIC:
            self.assertTrue(is_guarded(path), f"{path}: its first include must be {BEGIN}, its last line {END}")

    def test_macros_before_the_headers(self) -> None:
        (self.folder / "user.cpp").write_text("".join(f"#define {name} 16\n" for name in self.names) + ALL + self.checks(),
                                              encoding="utf-8")
        status, said = compiler("-fsyntax-only", str(self.folder / "user.cpp"))
        self.assertEqual(status, 0, said)

    def test_macros_of_the_command_line(self) -> None:
        (self.folder / "options").write_text("".join("-Xcompiler " * (name == "K") + f"-D{name}=16\n" for name in self.names),
                                             encoding="utf-8")
        (self.folder / "user.cu").write_text(ALL + self.checks() + """#undef N
template <int N> __global__ void fill(half* p) { p[threadIdx.x] = __float2half(N); }
void run(half* p) { fill<M><<<1, M>>>(p); }
""", encoding="utf-8")
        status, said = run_it(SIMTCC, f"@{self.folder / 'options'}", "--simt-unchecked", "-O0", "-c",
                              str(self.folder / "user.cu"), "-o", str(self.folder / "user.o"))
        self.assertEqual(status, 0, said)

    def checks(self) -> str:
        return "".join(f"static_assert({name} == 16);\n" for name in self.names)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        with tempfile.TemporaryDirectory() as made:
            for file, contents in texts_of(names_in_use(pathlib.Path(made))):
                file.parent.mkdir(exist_ok=True)
                file.write_text(contents, encoding="utf-8")
    else:
        unittest.main()
