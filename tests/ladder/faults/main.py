"""main.py [NAME_test ...]: the tests of faults in this folder, all of them or some. Where each is tested:

  the disk is full, read-only; no network, no root                         disk_test.py
  a log or a build folder that is a file or a dangling link                ../ladder/faults_test.py
  a path with spaces, quotes, letters beyond ASCII, a real build           checkout_test.py, ../ladder/faults_test.py
  kill -9 while building; SIGHUP, SIGINT, SIGTERM; two commands at once    checkout_test.py, ../ladder/stopping_test.py
  a damaged CMake cache; another commit's build folder; a moved checkout   checkout_test.py, ../ladder/faults_test.py
  low ulimit -v, -n, -s, -f                                                checkout_test.py
  a lesson that loops, recurses, aborts, asserts, divides by zero, takes
  1 GB of shared memory, 2 MB of stack, an index or a pointer too far      lessons_test.py
  a lesson that does not compile                                           checkout_test.py
  limits of shared memory and launches                                     ../simt/checks/faults_test.cpp
  a GPU's, a tool's and a terminal's absence                               ../ladder/commands_test.py
  no packages at all, online and offline                                   ../bare_machine.sh, outside of CI
"""
import pathlib
import sys
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent

if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]
    names = sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*_test.py"))
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(verbosity=1, buffer=False).run(suite)
    for test, reason in result.skipped:
        print("skipped: %s: %s" % (test, reason))
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
