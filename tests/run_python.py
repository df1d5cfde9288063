"""run_python.py [NAME...]: runs this folder's Python tests, all or those named. A NAME is a file's path in this folder
without .py, such as ladder/commands_test; append .CLASS to run one class. Tests are unittest's, in files *_test.py. They
can import modules from their own folder, from the folders above it, and from the package ladder.

Exit codes: 0 passed, 1 failed, 77 all skipped (it prints each reason), 2 no such file."""
import pathlib
import sys
import unittest
from typing import List

FOLDER = pathlib.Path(__file__).resolve().parent


def load(name: str) -> unittest.TestSuite:
    """The tests of a file, or of one of its classes."""
    path, _, class_name = name.partition(".")
    file = FOLDER / (path + ".py")
    if not file.is_file():
        print(f"run_python.py: there is no tests/{path}.py", file=sys.stderr)
        sys.exit(2)
    above = list(file.parents)
    for folder in (FOLDER.parent / "common", *reversed(above[:above.index(FOLDER) + 1])):
        if str(folder) in sys.path:
            sys.path.remove(str(folder))
        sys.path.insert(0, str(folder))
    return unittest.defaultTestLoader.loadTestsFromName(file.stem + ("." + class_name if class_name else ""))


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
