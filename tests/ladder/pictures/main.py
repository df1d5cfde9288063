"""main.py [NAME_test ...]: the tests of the pictures in this folder, all of them or some. EXPLAIN: the
folders of the programs explain.NAME, separated by colons; EXACT=1: pictures must agree to the byte."""
import pathlib
import sys
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent

if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.path[:0] = [str(FOLDER), str(FOLDER.parents[2] / "common")]
    names = sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*_test.py"))
    result = unittest.TextTestRunner(verbosity=1).run(
        unittest.defaultTestLoader.loadTestsFromNames(names))
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
