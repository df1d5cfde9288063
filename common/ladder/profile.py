"""profile LESSON [M N K]: measure a lesson's kernel with Nsight Compute on a GPU and explain the figures

M, N and K default to 4096. With --collect it profiles all lessons, or those named, at 4096 and writes
docs/results/profile-GPU.json for the tables and plots of docs/.
"""
import argparse
import json
import pathlib
import re
import time
from typing import Any, Dict, List, Tuple

from ladder import (MACHINE, ROOT, USAGE, WRONG, Progress, beyond, build, die, find_nvcc, has_gpu,
                    lesson, lessons, need, need_architecture, one_lesson, output_of,
                    program, replace_file, say)
from ladder.bench import gpu_file_name, measured_on
from ladder.lessons import code_hash, find
from ladder.lib.arguments import Parser, text
from ladder.lib.metrics import METRICS, Metric, Values
from ladder.lib.nsight import complaint, find_ncu, known, read_table, run_ncu

_SIZES = ["4096", "4096", "4096"]


def tools() -> str:
    """The path of ncu; ends the command if there is none."""
    ncu = find_ncu()
    if not ncu:
        die(MACHINE, "profile needs ncu (Nsight Compute, part of the CUDA toolkit)")
    return ncu


def measure(ncu: str, name: str, sizes: List[str], usable: List[str],
            progress: Progress) -> Tuple[Values, str]:
    """The values of one lesson by key, None for a missing one; {} and the reason if ncu gave none."""
    done = run_ncu(ncu, program(name, "gpu"), sizes, usable, lambda _: progress.tick())
    found = read_table(done.out)
    return ({metric.key: found.get(metric.name) for metric in METRICS} if found else {},
            "" if found else complaint(done))


def shown_value(metric: Metric, value: float) -> str:
    """A value with a readable unit: µs, MHz, MB."""
    if metric.unit == "ns":
        return "%.1f µs" % (value / 1e3)
    if metric.unit == "Hz":
        return "%.0f MHz" % (value / 1e6)
    if metric.unit == "bytes":
        return "%.1f MB" % (value / 1e6) if value >= 1e6 else "%d bytes" % value
    if metric.unit in ("%", "warps", "cycles"):
        return "%.2f%s" % (value, "" if metric.unit == "warps" else " " + metric.unit)
    return "%d" % value if value == int(value) else "%.2f" % value


def print_values(name: str, sizes: List[str], values: Values) -> None:
    print("%s, M N K = %s, one launch under Nsight Compute (its time is longer than run's)" %
          (name, " ".join(sizes)))
    for metric in METRICS:
        value = values.get(metric.key)
        text = "n/a" if value is None else shown_value(metric, value)
        print("%-44s %16s  %s" % (metric.words, text, metric.name))
    print("Waiting: cycles that all warps of a scheduler together wait, per instruction that it issues.\n"
          "n/a: this ncu does not have the metric.")


def profile_one(arguments: List[str]) -> int:
    name, sizes = one_lesson(arguments, "usage: ./ladder profile LESSON [M N K]")
    need_architecture([name])
    if not has_gpu() or not find_nvcc():
        die(MACHINE, "profile needs an NVIDIA GPU and nvcc; without them: ./ladder explain %s" % name)
    ncu = tools()
    sizes = sizes or _SIZES
    need("gpu")
    build("gpu", name)
    with Progress("profiling %s" % name) as progress:
        usable = known(ncu, program(name, "gpu"), [each.name for each in METRICS],
                       lambda _: progress.tick())
        values, why = measure(ncu, name, sizes, usable, progress)
    if not values:
        die(MACHINE, "ncu failed: %s" % why)
    print_values(name, sizes, values)
    return 0


def head(ncu: str) -> Dict[str, Any]:
    """GPU, versions and settings of the measurement."""
    version = re.search(r"Version ([0-9.]+[0-9])", output_of([ncu, "--version"])[1])
    return {**measured_on(), "ncu": version[1] if version else "", "clock_control": "none", "cache_control": "all",
            "size": [int(size) for size in _SIZES]}


def as_text(start: Dict[str, Any], rows: List[Dict[str, Any]]) -> str:
    """The result file: a line for each metric and each lesson."""
    lines = ['  "%s": %s,' % (key, json.dumps(value)) for key, value in start.items()]
    metrics = ['    "%s": %s' % (metric.key, json.dumps(
        {"words": metric.words, "unit": metric.unit, "name": metric.name})) for metric in METRICS]
    return "{\n%s\n  \"metrics\": {\n%s\n  },\n  \"lessons\": [\n%s\n  ]\n}\n" % (
        "\n".join(lines), ",\n".join(metrics), ",\n".join("    " + json.dumps(row) for row in rows))


def collect(names: List[str], out: str) -> int:
    """Profiles lessons at 4096 and writes the result; ends the command with WRONG if a lesson failed."""
    if not has_gpu() or not find_nvcc():
        die(MACHINE, "profile needs an NVIDIA GPU and nvcc")
    need_architecture(names)
    ncu = tools()
    start = head(ncu)
    path = pathlib.Path(out) if out else ROOT / (
        "docs/results/profile-%s.json" % re.sub("^nvidia_", "", gpu_file_name(start["gpu"])))
    if path.is_dir() or not path.parent.is_dir():
        die(USAGE, "cannot write to '%s'" % path)
    need("gpu")
    build("gpu", *names)
    rows, failures = [], []
    with Progress("profiling") as progress:
        usable = known(ncu, program(names[-1], "gpu"), [each.name for each in METRICS],
                       lambda _: progress.tick())
        for i, name in enumerate(names):
            progress.count(i, len(names), name)
            begin = time.monotonic()
            values, why = measure(ncu, name, _SIZES, usable, progress)
            if not values:
                failures.append("%s: ncu failed: %s" % (name, why))
                continue
            source = code_hash(find(name).text)
            rows.append({"lesson": name, "source_hash": source, "values": values})
            say("%s: %.1f s" % (name, time.monotonic() - begin))
    absent = [metric.name for metric in METRICS if metric.name not in usable]
    if absent:
        say("this ncu does not have: " + " ".join(absent))
    if rows:
        replace_file(path, as_text(start, rows))
        say("wrote %s" % path)
    if failures:
        die(WRONG, "\n".join(failures))
    return 0


def arguments(parser: Parser) -> None:
    parser.words("LESSON", "a lesson, as 02_coalesced, coalesced, 02 or 2, then sizes M N K")
    parser.add_argument("--collect", action="store_true", help="write docs/results/profile-GPU.json")
    parser.add_argument("--out", type=text, metavar="FILE", help="with --collect: write to FILE instead")


def main(args: argparse.Namespace) -> int:
    if not args.collect:
        if args.out:
            die(USAGE, "--out needs --collect")
        return profile_one(args.words)
    wanted = [lesson(word) for word in args.words]
    names = [name for name in lessons() + beyond() if name in wanted] if wanted else list(lessons())
    return collect(names, args.out or "")
