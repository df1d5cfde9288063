"""Builds the variants of a lesson for the GPU, checks that each is exact, and times it beside cuBLAS."""
import pathlib
import re
import statistics
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, NamedTuple, Sequence, Tuple

from ladder import MACHINE, Progress, Run, die, execute, processors, program, run_program, short_failure
from ladder.bench import speed
from ladder.mutation.programs import UNLINKED, Runner, cmakes_compile, cmakes_link, compiled, linked, pool_of
from ladder.tuning.variants import Variant

# Whole tiles, and sizes, strides and an address that no tile and no vector divides.
CHECKS = (["512", "512", "512"], ["333", "257", "131", "--lda", "133", "--ldb", "258", "--ldc", "259", "--offset-a", "1",
                                  "--beta", "2"])
_EXACT = ["--exact", "--reps", "0"]
_LEADERS, _PROCESSES = 3, 3  # the fastest, and the lesson as it is, are timed in so many processes
_LIMIT = 300.0  # seconds for one process
_KIB = 1024

Execute = Callable[[pathlib.Path, List[str]], Run]


class Card(NamedTuple):
    """shared: bytes of shared memory that a block may have; threads: that a multiprocessor has room for."""
    shared: int
    threads: int


@dataclass
class Result:
    """A variant with its timed runs, or with the reason why it has none."""
    variant: Variant
    path: pathlib.Path
    fault: str = ""
    runs: List[Dict[str, Any]] = field(default_factory=list)

    @property
    def speed(self) -> float:
        """The median of its processes, relative to the best of cuBLAS, or TFLOP/s if that was not timed."""
        return statistics.median(map(speed, self.runs))

    @property
    def tflops(self) -> float:
        return statistics.median(run["tflops"] for run in self.runs)

    @property
    def spread(self) -> float:
        """From the fastest to the slowest batch of all processes, relative to the median."""
        times = [run["ms"] for run in self.runs]
        longest, shortest = max(time["max"] for time in times), min(time["min"] for time in times)
        return float((longest - shortest) / statistics.median(time["median"] for time in times))


def run_limited(path: pathlib.Path, arguments: List[str]) -> Run:
    return run_program(path, arguments, limit=_LIMIT)


def card(name: str) -> Card:
    """The first GPU, as the lesson's program describes it."""
    done = execute([program(name, "gpu"), "--device-info"])
    shared = re.search(r"\((\d+) KiB on request\)", done.out)
    threads = re.search(r"^ *threads per SM +(\d+)$", done.out, re.M)
    if not shared or not threads:
        die(MACHINE, f"{name} --device-info says nothing of the GPU: {(done.err or done.out).strip()[:200]}")
    return Card(int(shared[1]) * _KIB, int(threads[1]))


def build_all(name: str, variants: Sequence[Variant], folder: pathlib.Path) -> List[Result]:
    """Compiles and links each variant in a folder of its own, several at once, as CMake builds the lesson."""
    compile_command, link_command = cmakes_compile(name, "gpu"), cmakes_link(name, "gpu", name)

    def build_one(runner: Runner, at: int) -> Result:
        place = folder / str(at)
        place.mkdir()
        fault = ""
        if not compiled(runner, compile_command, place, variants[at].facts.text):
            fault = "does not compile: "
        elif linked(runner, link_command, place) == UNLINKED:
            fault = "does not link: "
        if fault:
            output = (place / "out").read_text(encoding="utf-8", errors="replace")
            fault += next(iter(short_failure(output)), "there is no message")
        return Result(variants[at], place / "test", fault)

    with pool_of(processors()) as (runner, pool), Progress(f"compiling variants of {name}") as progress:
        tasks = [pool.submit(build_one, runner, at) for at in range(len(variants))]
        for at, task in enumerate(tasks):
            task.result()
            progress.count(at + 1, len(tasks))
        return [task.result() for task in tasks]


def _fault(run: Run) -> str:
    """Why a run does not count; "" if its result is right."""
    if run.status == 0 and run.result.get("verdict") == "right":
        return ""
    said = [str(run.result["verdict"])] if run.result.get("verdict") else run.errors.splitlines()
    return said[0].replace("test: ", "", 1) if said else f"ended with status {run.status}"


def check_all(results: Sequence[Result], execute_one: Execute) -> None:
    """Runs each variant on small problems where every element must be exact; the first failure is its fault."""
    left = [result for result in results if not result.fault]
    with Progress("checking variants") as progress:
        for at, result in enumerate(left):
            progress.count(at, len(left), "checking " + result.variant.name)
            for sizes in CHECKS:
                result.fault = result.fault or _fault(execute_one(result.path, [*sizes, *_EXACT]))


def time_all(results: Sequence[Result], arguments: List[str], execute_one: Execute) -> None:
    """Times each variant that has no fault in a process of its own, beside cuBLAS; the fastest and the lesson as it is
    in more processes, so that none leads by a lucky run."""
    def time_one(result: Result) -> None:
        run = execute_one(result.path, arguments)
        result.fault = _fault(run)
        if not result.fault and not run.result.get("tflops"):
            result.fault = "was not timed"
        if not result.fault:
            result.runs.append(run.result)

    left = [result for result in results if not result.fault]
    with Progress("timing variants") as progress:
        for at, result in enumerate(left):
            progress.count(at, len(left), "timing " + result.variant.name)
            time_one(result)
        while True:
            leaders = [result for result in (*ranked(results)[0][:_LEADERS], results[0])
                       if not result.fault and len(result.runs) < _PROCESSES]
            if not leaders:
                return
            progress.tick(what="timing again " + leaders[0].variant.name)
            time_one(leaders[0])


def ranked(results: Sequence[Result]) -> Tuple[List[Result], List[Result]]:
    """The timed variants, best first, and those with a fault."""
    timed = [result for result in results if not result.fault and result.runs]
    return sorted(timed, key=lambda each: -each.speed), [result for result in results if result.fault]
