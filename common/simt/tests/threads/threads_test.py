"""No program in $PROGRAMS (paths, with ":" between them) has a data race that the thread sanitizer finds."""
import os
import pathlib
import subprocess
import unittest

# Of these no faults of the machine (the sanitizer tells of a signal that leaves its handler), no endless loops.
ONLY = {"checks_test": ["memory that*,messages*"]}


class Threads(unittest.TestCase):
    def test_no_program_has_a_data_race(self) -> None:
        fixed = ["setarch", "-R"]  # the sanitizer of g++ 12 knows few layouts of memory
        if subprocess.run([*fixed, "true"], stderr=subprocess.DEVNULL).returncode != 0:
            fixed = []
        programs = os.environ["PROGRAMS"].split(":")
        for program in programs:
            name = pathlib.Path(program).suffix[1:]
            done = subprocess.run([*fixed, program, *ONLY.get(name, [])], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  env={**os.environ, "SIMT_THREADS": "4", "TSAN_OPTIONS": "exitcode=66 report_signal_unsafe=0"})
            said = done.stdout.decode("utf-8", "replace")
            race = said.find("WARNING: ThreadSanitizer")
            self.assertEqual(race, -1, f"{name}: {said[race:race + 2000]}")
            self.assertEqual(done.returncode, 0, f"{name}: {said[-2000:]}")
        print(f"{len(programs)} programs without a data race")


if __name__ == "__main__":
    unittest.main()
