"""main.py [NAME_test ...]: the tests of ./ladder in this folder, all of them or some."""
import pathlib
import sys
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent

if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(FOLDER))
    names = sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*_test.py"))
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(verbosity=1, buffer=False).run(suite)
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
