"""bench [LESSON...]: measure the published figures on a GPU, into docs/results/GPU.json

Without names it measures lessons 00 to 08. Lessons of beyond/ must be named and are measured at more shapes. The file
keeps its results for all other lessons. --graph measures small sizes twice, into docs/results/graphs-GPU.json: launched
call by call, and from a CUDA graph that has recorded the calls, without the host's launch time.
"""
import argparse
import collections
import datetime
import json
import os
import pathlib
import re
from typing import Any, Dict, List, NamedTuple, Tuple

from ladder import (MACHINE, ROOT, USAGE, WRONG, Progress, beyond, build, die, find_nvcc, has_gpu,
                    lesson, lesson_folder, lessons, need, need_architecture, replace_file, program,
                    run_program, say, shown)
from ladder.lessons import code_hash, find
from ladder.lib.arguments import Parser, text, whole
from ladder.lib.machine import gpu_field, nvcc_release

# The keys of a result that the tables and plots use.
_KEPT = ("lesson", "M", "N", "K", "beta", "tflops", "baseline", "baseline_tflops", "best_tflops")


class Problem(NamedTuple):
    M: int
    N: int
    K: int
    beta: int

    def reps(self) -> int:
        """Fewer launches at the large sizes, where a single one takes long enough."""
        return 3 if self.M >= 16384 else 5


def problems(name: str, quick: bool) -> List[Problem]:
    """The problems to measure. Lessons 00 and 01 are too slow beyond 4096, lessons 02 to 06 beyond 8192."""
    sizes = (1024, 4096) if quick else (256, 512, 1024, 2048, 4096, 8192, 16384)
    found = [Problem(n, n, n, 0) for n in sizes]
    if not quick:
        found += [Problem(2048, 2048, 1024, 0), Problem(2048, 2048, 1024, 1),
                  Problem(4095, 4097, 4093, 0)]
    if name in beyond() and not quick:
        found += [Problem(n, n, n, 0) for n in (3072, 5000, 6144)]
        found += [Problem(1000, 3000, 2000, 0), Problem(128, 8192, 8192, 0),
                  Problem(8192, 128, 8192, 0), Problem(64, 4096, 16384, 0)]
    most = 4096 if name < "02" else 8192 if name < "07" else 16384
    return [each for each in found if each.M <= most]


def measure(name: str, problem: Problem, check: bool, graph: bool = False) -> Tuple[Dict[str, Any], str]:
    """Runs one process; returns its result and the line with it. graph: the program whose calls are in a CUDA graph."""
    arguments = [*map(str, problem[:3]), "--beta", str(problem.beta)]
    path = program(name, "gpu")
    run = run_program(path.with_name("graph." + path.name) if graph else path, [
        *arguments, "--reps", str(problem.reps()), "--json", *([] if check else ["--no-check"])])
    if run.status != 0 or not run.result:
        for line in run.errors.splitlines()[:10]:
            say(line)
        die(WRONG, "%s %s failed; nothing was written" % (name, " ".join(arguments)))
    return run.result, run.line


def speed(result: Dict[str, Any]) -> float:
    """The speed relative to the best baseline timed in the same process, or TFLOP/s if there is none."""
    base = result.get("best_tflops") or 0
    return result["tflops"] / base if base > 0 else result["tflops"]


def sweep(names: List[str], turns: int, quick: bool) -> Dict[Tuple[str, Problem], List[Any]]:
    """Measures each problem of each lesson in turns processes. The processes of one problem are spread over the sweep,
    so that a slow minute does not affect all of them."""
    found: Dict[Tuple[str, Problem], List[Any]] = collections.defaultdict(list)
    total = turns * sum(len(problems(name, quick)) for name in names)
    done = 0
    with Progress("measuring") as progress:
        for turn in range(turns):
            for name in names:
                for problem in problems(name, quick):
                    progress.count(done, total, "%s %d %d %d beta %d" % (name, *problem))
                    # The first process checks the result; the others only time it.
                    found[name, problem].append(measure(name, problem, check=turn == 0)[0])
                    done += 1
    return found


def middle(name: str, results: List[Dict[str, Any]]) -> str:
    """The line of the result with the median relative speed, with the lesson's folder and the hash of its source."""
    source = code_hash(find(name).text)
    ordered = sorted(results, key=speed)
    result = ordered[(len(ordered) - 1) // 2]
    kept = {key: result[key] for key in _KEPT if key in result}
    return json.dumps({**kept, "lesson": lesson_folder(name), "ms": {"median": result["ms"]["median"]},
                       "source_hash": source}, ensure_ascii=False)


def graph_lines(names: List[str], turns: int) -> Dict[str, List[str]]:
    """The lines by lesson: times of small cubes in microseconds, of a call and of the best of cuBLAS, each in a stream and
    in a CUDA graph. The medians of turns processes."""
    cubes = [Problem(n, n, n, 0) for n in (256, 512, 1024, 2048)]
    found: Dict[Tuple[str, Problem, bool], List[Any]] = collections.defaultdict(list)
    cases = [(name, problem, graph) for name in names for problem in cubes for graph in (False, True)] * turns
    with Progress("measuring") as progress:
        for done, (name, problem, graph) in enumerate(cases):
            progress.count(done, len(cases), "%s %d%s" % (name, problem.M, " in a graph" if graph else ""))
            result = measure(name, problem, done * turns < len(cases), graph)[0]
            if not result.get("best_tflops"):
                die(MACHINE, "cuBLAS has nothing to compare %s with; nothing was written" % name)
            found[name, problem, graph].append(result)
    lines: Dict[str, List[str]] = collections.defaultdict(list)
    for name in names:
        for problem in cubes:
            line: Dict[str, Any] = {"lesson": lesson_folder(name), **dict(zip("MNK", problem))}
            for graph, prefix in (False, ""), (True, "graph_"):
                ordered = sorted(found[name, problem, graph], key=speed)
                result = ordered[(len(ordered) - 1) // 2]
                line[prefix + "us"] = 1e3 * result["ms"]["median"]
                line[prefix + "best_us"] = line[prefix + "us"] * result["tflops"] / result["best_tflops"]
            lines[name].append(json.dumps({**line, "source_hash": code_hash(find(name).text)}, ensure_ascii=False))
    return lines


def old_lines(path: pathlib.Path, name: str) -> List[str]:
    """The lines of a lesson in an existing result file."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return []
    return re.findall(r'^ *(\{"lesson": "%s".*\}),?$' % lesson_folder(name), text, re.M)


def measured_on() -> Dict[str, Any]:
    """The GPU, its clock, the versions and the date, for the head of a result file."""
    return {"gpu": gpu_field("name"), "sm_clock_mhz": int(gpu_field("clocks.max.sm") or 0),
            "driver": gpu_field("driver_version"), "cuda": nvcc_release(),
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")}


def gpu_file_name(gpu: str) -> str:
    """The file name for a GPU in every locale: "NVIDIA H200" is h200, "NVIDIA GeForce RTX 4090" is rtx_4090."""
    return re.sub(r"[^a-z0-9]+", "_", re.sub(r"^nvidia |geforce ", "", gpu.lower()))


def arguments(parser: Parser) -> None:
    parser.words("LESSON")
    parser.add_argument("--processes", type=whole(1, 99), default=3, metavar="N",
                        help="runs of each problem (default 3); the median is kept")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--quick", action="store_true", help="measure two sizes only, into build/quick.json")
    kind.add_argument("--graph", action="store_true", help="measure small sizes with and without a CUDA graph")
    parser.add_argument("--out", type=text, metavar="FILE", help="write to FILE instead")


def main(args: argparse.Namespace) -> int:
    names = [lesson(word) for word in args.words]
    quick = args.quick
    if not has_gpu() or not find_nvcc():
        die(MACHINE, "bench needs an NVIDIA GPU and nvcc")
    names = [name for name in lessons() + beyond() if name in names] if names else list(lessons())
    need_architecture(names)
    path = (pathlib.Path(args.out) if args.out else ROOT / ("build/quick.json" if quick else "docs/results/%s%s.json" % (
        "graphs-" if args.graph else "", gpu_file_name(gpu_field("name")))))
    folder = path if path.is_dir() else path.parent
    if path.is_dir() or (folder.exists() and not os.access(folder, os.W_OK)):
        die(USAGE, "cannot write to '%s'" % shown(str(path)))
    need("gpu")
    build("gpu", *names, *("graph." + name for name in names if args.graph))
    if args.graph:
        made = graph_lines(names, args.processes)
    else:
        found = sweep(names, args.processes, quick)
        made = {name: [middle(name, found[name, each]) for each in problems(name, quick)] for name in names}
    lines = [line for name in lessons() + beyond()
             for line in (made[name] if name in made else old_lines(path, name))]
    head = "".join('  "%s": %s,\n' % (key, json.dumps(value)) for key, value in measured_on().items())
    content = "{\n%s  \"runs\": [\n    %s\n  ]\n}\n" % (head, ",\n    ".join(lines))
    try:
        replace_file(path, content)
    except OSError as error:  # hours of measuring
        print(content, end="")
        die(MACHINE, "cannot write '%s': %s; the results are on standard output instead" %
            (shown(str(path)), error.strerror))
    inside = path.is_absolute() and ROOT in path.parents
    say("wrote %s" % (path.relative_to(ROOT) if inside else path))
    return 0
