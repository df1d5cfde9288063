#!/usr/bin/env python3
"""weekly.py [STEP...]: tests that take too long for .ci/run or are random. Needs the packages of `.ci/run packages`.
Each step writes its output to build/weekly/STEP.txt. docs/results/reliability.md has the last figures.

  all        ./ladder test --all: edited copies of the lessons, all planted bugs, scale, values at every place; then the
             solutions of ideas.txt against the suites and nvcc
  random     2,000 random problems per lesson with a new seed; LADDER_SEED=N repeats a run
  mutation   every bug that the mutation operators create in the nine; takes hours
  address    the harness, 02's tests, explain and simtcc under the address and undefined behaviour sanitizers
  threads    the CPU backend's own threads under the thread sanitizer
  simt       all tests of the CPU backend at both optimization levels, and every way to use it
  tidy       clang-tidy on every host file of the CPU build
  aarch64    every lesson compiled for ARM and run with qemu-user: right, and its counts equal those of x86-64
  bare       the README's commands on a Debian 12 with nothing installed; skipped without root and debootstrap

Exit codes: 0 passed, 1 a step failed or all were skipped, 2 there is no step of that name."""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time
from typing import Callable, Dict, List

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "common"))
from ladder.lessons import ROOT, every  # noqa: E402

LOGS = ROOT / "build" / "weekly"
CPU = ROOT / "build" / "cpu"
JOBS = str(os.cpu_count() or 1)
NINE = [f"{number:02}" for number in range(9)]


class Skipped(Exception):
    pass


class Step:
    """Runs commands in the checkout and writes their output to the step's file."""

    def __init__(self, name: str) -> None:
        LOGS.mkdir(parents=True, exist_ok=True)
        self.path = LOGS / f"{name}.txt"
        self.log = self.path.open("w", encoding="utf-8")

    def __call__(self, *command: str, **environment: str) -> None:
        """Raises CalledProcessError."""
        self.log.write(f"$ {' '.join(command)}\n")
        self.log.flush()
        subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT, check=True,
                       env={**os.environ, **environment})

    def configure(self, folder: str, *options: str) -> None:
        self("cmake", "-S", ".", "-B", f"build/{folder}", "-DCMAKE_BUILD_TYPE=Release", *options)

    def build(self, folder: str, *targets: str) -> None:
        self("cmake", "--build", f"build/{folder}", "-j", JOBS, *(["--target", *targets] if targets else []))


def run_all(step: Step) -> None:
    step("./ladder", "test", "--all")
    step(sys.executable, "-I", "-B", "tests/run_python.py", "ladder/practice/ideas_test", SUITE="1", LADDER_CPU_BUILD=str(CPU))


def run_random(step: Step) -> None:
    seed = os.environ.get("LADDER_SEED") or str(random.randrange(1, 10 ** 9))
    print(f"seed {seed}", flush=True)
    step.configure("cpu", "-DLADDER_GPU=OFF", "-DLADDER_TESTS=ON")
    tests = [f"{lesson.name}.test" for lesson in every() if not lesson.not_on_cpu]
    step.build("cpu", *tests)
    for name in tests:
        step(str(CPU / "bin" / name), "[many]", LADDER_SEED=seed, LADDER_CASES=os.environ.get("LADDER_CASES", "2000"))


def run_mutation(step: Step) -> None:
    step("./ladder", "mutate", *NINE)


def run_address(step: Step) -> None:
    step.configure("sanitize", "-DLADDER_GPU=OFF", "-DLADDER_SANITIZE=ON")
    step.build("sanitize", "02_coalesced", "02_coalesced.test", "explain.02_coalesced", "simtcc",
               *(f"harness_{path.stem}" for path in (ROOT / "tests" / "harness").glob("*.cpp")))
    step("ctest", "--test-dir", "build/sanitize", "--output-on-failure", "-j", JOBS, "--no-tests=error", "-R",
         r"^(harness_[a-z]*|cli|02_coalesced)\.cpu$")
    step("build/sanitize/bin/explain.02_coalesced", "65", "67", "66")


def run_threads(step: Step) -> None:
    step("cmake", "-S", "common/simt", "-B", "build/simt")
    step.build("simt", "simt_threads")


def run_simt(step: Step) -> None:
    step("cmake", "-S", "common/simt", "-B", "build/simt")
    step.build("simt")
    step("ctest", "--test-dir", "build/simt", "--output-on-failure", "-j", JOBS)
    step("common/simt/tests/ways_in.sh", "build/simt", WAYS="pip")


def run_tidy(step: Step) -> None:
    step.configure("cpu", "-DLADDER_GPU=OFF", "-DLADDER_TESTS=ON")
    step.build("cpu", "usual_tests")  # the build generates some of the files
    commands = json.loads((CPU / "compile_commands.json").read_text(encoding="utf-8"))
    # Generated files are left out, except unity files, which include several sources.
    files = sorted({each["file"] for each in commands
                    if not each["file"].startswith(str(ROOT / "build")) or "/Unity/" in each["file"]})
    (LOGS / "files").write_text("\n".join(files), encoding="utf-8")
    step("xargs", "-a", str(LOGS / "files"), "-P", JOBS, "-n", "3", "clang-tidy", "-p", str(CPU), "--quiet")


def run_aarch64(step: Step) -> None:
    step.configure("cpu", "-DLADDER_GPU=OFF", "-DLADDER_TESTS=ON")
    step("tests/aarch64/run.sh")


def run_bare(step: Step) -> None:
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        raise Skipped("needs root and debootstrap")
    step("tests/bare_machine.sh")


STEPS: Dict[str, Callable[[Step], None]] = {
    "all": run_all, "random": run_random, "mutation": run_mutation, "address": run_address, "threads": run_threads,
    "simt": run_simt, "tidy": run_tidy, "aarch64": run_aarch64, "bare": run_bare}


def main(names: List[str]) -> int:
    unknown = [name for name in names if name not in STEPS]
    if unknown:
        print(f"weekly.py: there is no step '{unknown[0]}'; the steps are {', '.join(STEPS)}", file=sys.stderr)
        return 2
    count = {"passed": 0, "FAILED": 0, "skipped": 0}
    for name in names or STEPS:
        start, step = time.monotonic(), Step(name)
        try:
            STEPS[name](step)
            verdict = "passed"
        except Skipped as reason:
            verdict = "skipped"
            step.log.write(f"{reason}\n")
        except (OSError, subprocess.SubprocessError) as error:
            verdict = "FAILED"
            step.log.write(f"{error}\n")
        step.log.close()
        count[verdict] += 1
        lines = step.path.read_text(encoding="utf-8", errors="replace").rstrip().splitlines()
        print("\n".join(lines[-40:] if verdict == "FAILED" else lines[-1:]))
        print(f"{name}: {verdict} in {time.monotonic() - start:.0f} s; {step.path.relative_to(ROOT)}", flush=True)
    print(f"{count['passed']} passed, {count['FAILED']} failed, {count['skipped']} skipped")
    return 1 if count["FAILED"] or not count["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
