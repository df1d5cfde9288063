"""run_python.py [NAME...]: the tests in Python of this folder, all of them or some. A NAME is a file's path in this
folder without .py, as in ladder/commands_test, with .CLASS behind it for one class of it. Tests are unittest's, in
files *_test.py; they import what stands in their own folder or in one above it, and the package ladder.

Exit codes: 0 passed, 1 failed, 77 all of them skipped (each with its reason), 2 no such file."""
import pathlib
import sys
import unittest
from typing import List

FOLDER = pathlib.Path(__file__).resolve().parent


def load(name: str) -> unittest.TestSuite:
    """The tests of a file, or of one class of it."""
    path, _, wanted = name.partition(".")
    file = FOLDER / (path + ".py")
    if not file.is_file():
        print(f"run_python.py: there is no tests/{path}.py", file=sys.stderr)
        sys.exit(2)
    above = list(file.parents)
    for folder in (FOLDER.parent / "common", *reversed(above[:above.index(FOLDER) + 1])):
        if str(folder) in sys.path:
            sys.path.remove(str(folder))
        sys.path.insert(0, str(folder))
    return unittest.defaultTestLoader.loadTestsFromName(file.stem + ("." + wanted if wanted else ""))


def main(names: List[str]) -> int:
    sys.dont_write_bytecode = True
    names = names or sorted(str(path.relative_to(FOLDER).with_suffix("")) for path in FOLDER.rglob("*_test.py"))
    result = unittest.TextTestRunner().run(unittest.TestSuite(map(load, names)))
    for test, reason in result.skipped:
        print(f"skipped: {test}: {reason}")
    if not result.wasSuccessful() or result.testsRun == 0:
        return 1
    return 77 if len(result.skipped) == result.testsRun else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
