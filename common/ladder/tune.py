"""tune LESSON [M N K]: find the knob values that make a lesson fastest on your GPU

Tries other values of the knobs on top of gemm.cu, one change at a time, then two and three. It checks that each variant
is exact, times it beside cuBLAS, prints a table, and writes the fastest to practice/NN.0/gemm.cu. A file that you have
changed is kept. M, N and K default to 4096.
"""
import argparse
from typing import List, Sequence

from ladder import (MACHINE, USAGE, Table, build, die, find_nvcc, has_gpu, need, need_architecture,
                    one_lesson, say, temporary_folder)
from ladder.judging import files
from ladder.lessons import Facts, find
from ladder.lib.arguments import Parser, whole
from ladder.tuning.measuring import Card, Result, build_all, card, check_all, ranked, run_limited, time_all
from ladder.tuning.variants import Variant, variants

_SIZES = ["4096", "4096", "4096"]
_SHOWN = 12  # variants with a fault that are named
_USUAL, _HOPPER = 99 * 1024, 227 * 1024  # bytes of shared memory that a block may have where no card says its own


def list_variants(found: Sequence[Variant]) -> None:
    """A table, without the columns that the source does not show."""
    has = {"threads": any(each.demand.threads for each in found),
           "shared bytes": any(each.demand.shared for each in found) or "__shared__" not in found[0].facts.text}
    shown = [name for name in has if has[name]]
    table = Table([-34, *(max(8, len(name) + 1) for name in shown)])
    table.row("knobs", *shown)
    for each in found:
        values = {"threads": each.demand.threads, "shared bytes": each.demand.shared}
        table.row(each.name, *(values[name] for name in shown))
    if len(shown) < len(has):
        print("Not listed: %s. The program chooses one of several kernels when it runs." %
              ", ".join(name for name in has if name not in shown))


def print_table(timed: Sequence[Result], gpu: Card) -> None:
    """The timed variants, best first. Occupancy is the part of a multiprocessor's threads that are resident."""
    table = Table([-34, 9, 9, 8, 21, 7, 9])
    table.row("knobs", "registers", "occupancy", "TFLOP/s", "of the best of cuBLAS", "spread", "processes")
    for each in timed:
        run = each.runs[0]
        x, y, z = run.get("block") or (0, 0, 0)
        occupancy = 100 * x * y * z * (run.get("blocks_per_sm") or 0) / gpu.threads
        share = f"{100 * each.speed:.1f} %" if run.get("best_tflops") else "-"
        table.row(each.variant.name, run.get("registers") or "-", f"{occupancy:.0f} %" if occupancy else "-",
                  f"{each.tflops:.2f}", share, f"{100 * each.spread:.1f} %", len(each.runs))


def print_faults(faults: Sequence[Result]) -> None:
    if faults:
        print(f"Not in the table: {len(faults)} variant{'s' * (len(faults) > 1)}")
    for each in faults[:_SHOWN]:
        print(f"  {each.variant.name}: {each.fault}")
    if len(faults) > _SHOWN:
        print(f"  ... and {len(faults) - _SHOWN} more")


def write_best(facts: Facts, best: Result, own: Result, where: str, restart: bool) -> None:
    """Puts the best variant into practice/, and says so; never over a learner's changes, which restart keeps apart."""
    if best is own:
        print(f"No variant is faster than lesson {facts.number} as it is: nothing was written.")
        return
    name, gain = facts.number + ".0", best.speed / own.speed
    what = f"lesson {facts.number} with {best.variant.name}: {gain:.3f} times as fast"
    if gain - 1 < max(best.spread, own.spread):
        what += ", a difference within the spread"
    if files.is_changed(name) and not restart:
        print(f"The best is {what}. {files.shown_path(name)} has changes of yours and is kept; with --restart it "
              "becomes gemm.cu.before.")
        return
    text = files.comment([f"./ladder tune made this {where}: {what}."])
    files.begin(name, text + "\n" + best.variant.facts.text, restart)
    print(f"{files.shown_path(name)} is {what}.")
    print(f"Next: ./ladder run {facts.number} {name}; what changed: ./ladder diff {facts.number} {name}")


def tune(facts: Facts, sizes: List[str], args: argparse.Namespace) -> int:
    build("gpu", facts.name)
    gpu = card(facts.name)
    found = variants(facts, args.most, gpu.shared)
    say(f"{facts.name} and {len(found) - 1} variants of it")
    with temporary_folder("tune") as folder:
        results = build_all(facts.name, found, folder)
        check_all(results, run_limited)
        own = results[0]
        if not own.fault:
            time_all(results, [*sizes, "--reps", str(args.reps)], run_limited)
    if own.fault:
        die(MACHINE, f"{facts.name} as it is cannot be timed: {own.fault}")
    timed, faults = ranked(results)
    where = f"on {own.runs[0].get('gpu')}, M N K = {' '.join(sizes)}"
    print(f"{facts.name} {where}")
    print_table(timed, gpu)
    print_faults(faults)
    write_best(facts, timed[0], own, where, args.restart)
    return 0


def arguments(parser: Parser) -> None:
    parser.words("LESSON", "a lesson, as 02_coalesced, coalesced, 02 or 2, then sizes M N K")
    parser.add_argument("--list", action="store_true", help="only list the variants; needs no GPU")
    parser.add_argument("--most", type=whole(1, 10000), default=60, metavar="N",
                        help="how many variants to try (default 60)")
    parser.add_argument("--reps", type=whole(1, 1000), default=5, metavar="R",
                        help="timed batches in each process, of which the median is taken (default 5)")
    parser.add_argument("--restart", action="store_true",
                        help="replace a changed practice/NN.0/gemm.cu; your file is kept as gemm.cu.before")


def main(args: argparse.Namespace) -> int:
    name, sizes = one_lesson(args.words, "usage: ./ladder tune LESSON [M N K]")
    if any(int(size) == 0 for size in sizes):
        die(USAGE, "a problem with a size of 0 is not timed; sizes must be at least 1")
    facts = find(name)
    if args.list:
        list_variants(variants(facts, args.most, _HOPPER if facts.needs else _USUAL))
        return 0
    if not has_gpu() or not find_nvcc():
        die(MACHINE, f"tune needs an NVIDIA GPU and nvcc; ./ladder tune {facts.number} --list shows what it would try")
    need_architecture([name])
    need("gpu")
    return tune(facts, sizes or _SIZES, args)
