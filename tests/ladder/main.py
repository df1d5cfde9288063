"""main.py [NAME_test ...]: the tests of ./ladder in this folder and its rooms, all of them or some."""
import pathlib
import sys
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent

if __name__ == "__main__":
    sys.dont_write_bytecode = True
    files = sorted(FOLDER.rglob("*_test.py"))
    sys.path[:0] = sorted({str(FOLDER), *(str(path.parent) for path in files)})
    names = sys.argv[1:] or [path.stem for path in files]
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(verbosity=1, buffer=False).run(suite)
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
