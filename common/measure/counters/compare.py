#!/usr/bin/env python3
"""compare.py PROGRAMS FOLDER NAME: prints docs/results/counters.md. It compares the counts of the programs
PROGRAMS/explain.LESSON (CPU backend) with counters-NAME.csv and sass-NAME.csv in FOLDER, which collect.sh wrote on a
GPU. Exits with 1 if a difference has no reason listed below or the SASS does not confirm the reason, and with 2 if a
file or a program cannot be used."""
import csv
import json
import re
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from ladder.explaining.widths import widths  # noqa: E402
from ladder.lessons import find  # noqa: E402

# nvcc 13.0 fuses scalar shared loads. explain takes the widths from docs/results/fusion.csv (from the PTX). So the SASS
# for sm_90 must have exactly these kinds of loads.
RULES = {
    "00_naive": ("", "no shared memory"),
    "01_shared_tile": ("LDS LDS.128", "k loop unrolled: As by LDS.128, Bs by LDS (consecutive k are a row apart)"),
    "02_coalesced": ("LDS LDS.128", "as in 01"),
    "03_thread_tile": ("LDS LDS.128", "k loop unrolled: As by LDS.128, Bs by LDS"),
    "04_float4": ("LDS LDS.128", "as in 03"),
    "05_outer_product": ("LDS.128", "k loop unrolled: As by LDS.128 (four values of k), Bs by LDS.128"),
    "06_smem_transpose": ("LDS.128", "float4 in the source: LDS.128"),
    "07_double_buffer": ("LDS.128", "as in 06"),
    "08_tensor_core_wmma": ("LDS LDS.128", "rows of C by LDS.128, at ragged sizes by LDS; fragments by LDSM"),
    "10_mma_swizzle": ("", "fragments by LDSM, C from registers"),
}

# Name in the table, ncu's metric, and the corresponding counter of the CPU backend.
COUNTERS = [
    ("global load requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld", "load_requests"),
    ("global load sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld", "load_sectors"),
    ("global store requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st",
     "global_store_requests"),
    ("global store sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st", "global_store_sectors"),
    ("shared load instructions", "smsp__inst_executed_op_shared_ld", "lds_requests"),
    ("LDS that a lane executes", "smsp__sass_inst_executed_op_shared_ld", "lds_requests"),
    ("shared load wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld",
     "load_wavefronts"),
    ("LDS wavefronts", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld",
     "lds_wavefronts"),
    ("LDSM instructions", "smsp__inst_executed_op_ldsm", "matrix_load_requests"),
    ("LDSM wavefronts", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm",
     "matrix_load_wavefronts"),
    ("shared store instructions", "smsp__inst_executed_op_shared_st", "fused_store_requests"),
    ("STS that a lane executes", "smsp__sass_inst_executed_op_shared_st", "fused_store_requests"),
    ("shared store wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st",
     "fused_store_wavefronts"),
    ("STS wavefronts", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st",
     "fused_store_wavefronts"),
    ("cp.async instructions", "smsp__inst_executed_op_ldgsts", "async_store_requests"),
    ("LDGSTS that a lane executes", "smsp__sass_inst_executed_op_ldgsts", "async_store_requests"),
    ("cp.async requests", "smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts",
     "async_load_requests"),
    ("cp.async sectors", "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts",
     "async_load_sectors"),
    ("cp.async wavefronts", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts",
     "async_store_wavefronts"),
    ("FFMA of threads", "smsp__sass_thread_inst_executed_op_ffma_pred_on", "fma"),
    ("tensor pipe instructions", "sm__inst_executed_pipe_tensor", "tensor_instructions"),
    ("HMMA instructions", "hmma", "tensor_instructions"),
]

# Counters that may exceed those of the CPU backend: the note with the reason, the instructions that must be in the
# kernel's SASS to confirm it, and the counters that must be equal.
REASONS = {
    "tensor pipe instructions": (1, r"HFMA2\.MMA", ["HMMA instructions"]),
    "shared load instructions": (2, r"@!PT LDS", ["LDS that a lane executes"]),
    "shared store instructions": (2, r"@P STS", ["STS that a lane executes"]),
    "cp.async instructions": (2, r"@P LDGSTS", ["LDGSTS that a lane executes"]),
    "shared load wavefronts": (3, r"LDSM|@!PT LDS", ["LDS wavefronts", "LDSM wavefronts"]),
    "shared store wavefronts": (3, r"STS\.128", ["STS wavefronts"]),
}
NOTES = {
    1: "Not all instructions of the tensor pipe multiply matrices. nvcc also uses `HFMA2.MMA` to set registers to "
       "constants. The next row of the list counts only `HMMA` (00 to 07 have none).",
    2: "An instruction whose lanes are all predicated off is issued and counted, but it accesses no memory. "
       "nvcc puts three `@!PT LDS RZ, [RZ]`, which no lane ever executes, around `cp.async`. It guards `@P LDGSTS` "
       "and `@P STS` for elements outside of the matrices. Requests and wavefronts do not include them. Neither "
       "does the next row of the list, which ncu counts per instruction.",
    3: "In a kernel with `LDSM` or `cp.async`, the hardware's counter of all shared loads varies slightly between "
       "launches. The counter of all shared stores sometimes does so with `STS.128`. Neither is ever lower than "
       "the CPU backend's. The counters per instruction, in the rows of LDS, LDSM and STS, are equal.",
}

TITLE = "# Counters: CPU backend against Nsight Compute"
RESULT = """**{equal} of {all} counters are equal, {shown} differ for reasons that the SASS confirms, {open} are open.**

Each figure below is one counter of one lesson at one size. It was counted twice: by the CPU backend, which executes
the lesson's source on a CPU, and by the hardware of an NVIDIA H200, which ran the same source as compiled by nvcc 13.0.
Where the two are equal, `explain` shows the GPU's count without a GPU. Where they differ, the reason is one of these:
"""
INPUT = """## What the CPU backend knows of nvcc's code

It knows one thing about a kernel: the width to which nvcc fuses scalar loads of each shared array
([fusion.csv](fusion.csv), which `common/measure/counters/fusion.py` reads from the PTX). The kinds of loads are
checked against the SASS.
"""
METHOD = """## How to repeat this

`common/measure/counters/collect.sh` measured on the GPU. [counters-h200.csv](counters-h200.csv) has the minimum and
the maximum of twelve launches (24 for lesson 10), and [sass-h200.csv](sass-h200.csv) has the instructions of the same
programs. `common/measure/counters/compare.py` compared the counts and wrote this page, which shows the minimum. The
counters of `cp.async` and of all shared loads in lessons 07, 08 and 10 are slightly higher in some launches. All
others are the same in each launch.

    # on the GPU machine; then FOLDER/results/*.csv go to docs/results
    common/measure/gpu/on_gpu.sh FOLDER ctest counters
    # anywhere
    cmake --preset cpu && cmake --build build/cpu
    common/measure/counters/compare.py build/cpu/bin docs/results h200 >docs/results/counters.md
"""


def die(message):
    print(f"compare.py: {message}", file=sys.stderr)
    sys.exit(2)


def read_rows(path, texts, counts):
    """The rows of a CSV file with these columns. The columns COUNTS have a number, or a minimum and a maximum as in
    8-9, of which the minimum is used. If the file is damaged, the program ends with one line."""
    rows = []
    try:
        with open(path, newline="", encoding="utf-8") as file:
            for number, row in enumerate(csv.DictReader(file), 2):
                if any(not row.get(text) for text in texts):
                    die(f"{path}:{number}: a row needs {', '.join(texts)}; is the file damaged?")
                wrong = [count for count in counts if not re.fullmatch("[0-9]+(-[0-9]+)?", row.get(count) or "")]
                if wrong:
                    die(f"{path}:{number}: column {wrong[0]} has no number; is the file damaged?")
                rows.append({**row, **{count: int(row[count].partition("-")[0]) for count in counts}})
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        die(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}")
    return rows


def cpu_counts(programs, lesson, size):
    """The counters of the main kernel by name, counted by explain.LESSON for the present source."""
    try:
        fuse, note = widths(find(lesson).text, lesson)
    except KeyError:
        die(f"there is no lesson {lesson}")
    if note:
        sys.exit(f"{lesson}: {note} (run common/measure/counters/fusion.py)")
    command = [f"{programs}/explain.{lesson}", *size, "--no-check", *fuse]
    try:
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        die(f"cannot run {command[0]}: {error.strerror}")
    try:
        report = json.loads(run.stdout)
        counts = dict(report["launches"][report["main"]]["totals"])
        # ncu counts cp.async as global loads, with the sectors that it requests.
        counts["load_requests"] = counts["global_load_requests"] + counts["async_load_requests"]
        counts["load_sectors"] = counts["global_load_sectors"] + counts["async_lookups"]
        counts["lds_requests"] = counts["fused_load_requests"]
        counts["lds_wavefronts"] = counts["fused_load_wavefronts"]
        counts["load_wavefronts"] = counts["lds_wavefronts"] + counts["matrix_load_wavefronts"]
        counts = {key: int(counts[key]) for _, _, key in COUNTERS}
    except (ValueError, KeyError, TypeError, IndexError):
        errors = run.stderr.decode("utf-8", "replace").strip().splitlines()
        die(f"{command[0]} printed no counters: {errors[-1] if errors else f'exit status {run.returncode}'}")
    return counts


def read_ncu(path):
    """{(lesson, size): (kernel, {metric: minimum of the launches})}"""
    hfma2 = "sm__inst_executed_pipe_tensor_op_hmma_type_hfma2"
    wanted = sorted({metric for _, metric, _ in COUNTERS} - {"hmma"} | {hfma2})
    runs = OrderedDict()
    for row in read_rows(path, ["lesson", "M", "N", "K", "kernel"], [metric + ".sum" for metric in wanted]):
        metrics = {metric: row[metric + ".sum"] for metric in wanted}
        runs[row["lesson"], (row["M"], row["N"], row["K"])] = row["kernel"], metrics
        metrics["hmma"] = metrics["sm__inst_executed_pipe_tensor"] - metrics[hfma2]
    return runs


def read_sass(path):
    """{lesson: {kernel: {instruction: number of occurrences}}}"""
    lessons = OrderedDict()
    for row in read_rows(path, ["lesson", "kernel", "instruction"], ["count"]):
        kernel = lessons.setdefault(row["lesson"], {}).setdefault(row["kernel"], {})
        kernel[row["instruction"]] = row["count"]
    return lessons


def as_ncu_writes(kernel):
    """Converts a kernel's name from cuobjdump to ncu's form, with 1 and 0 for the template arguments true and false."""
    return re.sub(r"\bfalse\b", "0", re.sub(r"\btrue\b", "1", kernel))


def check_rules(sass):
    for lesson, (loads, _) in RULES.items():
        if lesson not in sass:
            die(f"the SASS of {lesson} was not collected")
        names = {name for kernel in sass[lesson].values() for name in kernel}
        found = " ".join(sorted({name.removeprefix("@P ") for name in names
                                 if re.match(r"(@P )?LDS(\.|$)", name)}))
        if found != loads:
            sys.exit(f"{lesson}: expected the loads '{loads}', but the SASS has '{found}'")
        if lesson[:2] not in ("08", "10") and any("HMMA" in name for name in names):
            sys.exit(f"{lesson}: the SASS has HMMA, but this lesson uses no tensor cores")


def compare(counts, metrics, sass):
    """For each counter that is not zero on both sides: name, CPU backend's count, ncu's count, and the number of the
    note (None if the counts are equal, 0 if there is no reason)."""
    cpu = {name: int(counts[key]) for name, _, key in COUNTERS}
    ncu = {name: metrics[metric] for name, metric, _ in COUNTERS}
    rows = []
    for name in cpu:
        note = None
        if ncu[name] != cpu[name]:
            note, pattern, companions = REASONS.get(name, (0, "", []))
            if (ncu[name] < cpu[name] or not any(re.match(pattern, i) for i in sass) or
                    any(cpu[c] != ncu[c] for c in companions) or
                    (note == 3 and ncu[name] > cpu[name] * 1.01)):
                note = 0
        if cpu[name] or ncu[name]:
            rows.append((name, cpu[name], ncu[name], note))
    return rows


def print_result(rows):
    """Prints the result, the differences with their reasons, and how to repeat the comparison. A row is lesson, size,
    and a row of compare()."""
    notes = [row[-1] for row in rows]
    equal, unexplained = notes.count(None), notes.count(0)
    print(TITLE + "\n\n" + RESULT.format(equal=equal, all=len(rows), open=unexplained,
                                        shown=len(rows) - equal - unexplained))
    print("| note | rows | lessons | counters | why |\n|---|---:|---|---|---|")
    for number, note in NOTES.items():
        found = [row for row in rows if row[-1] == number]
        lessons = ", ".join(sorted({row[0][:2] for row in found})) or "–"
        counters = ", ".join(sorted({row[2] for row in found})) or "–"
        print(f"| [{number}] | {len(found)} | {lessons} | {counters} | {note} |")
    print("\n" + INPUT + "\n| lesson | rule |\n|---|---|")
    for lesson, (_, rule) in RULES.items():
        print(f"| {lesson} | {rule} |")
    print("\n" + METHOD)


def print_rows(rows):
    """Prints a table per lesson with a column per size and a row per counter that is not always zero."""
    print("## Every counter\n\nIf both counts are equal, the cell has one figure. Otherwise it has the CPU backend's count,\n"
          "the amount by which ncu's exceeds it, and the note.")
    for lesson in RULES:
        own = [row for row in rows if row[0] == lesson]
        sizes = list(dict.fromkeys(row[1] for row in own))
        print(f"\n| {lesson} | {' | '.join(sizes)} |\n|---|{'---:|' * len(sizes)}")
        for counter in [name for name, _, _ in COUNTERS if name in {row[2] for row in own}]:
            cells = {row[1]: cell(*row[3:]) for row in own if row[2] == counter}
            print(f"| {counter} | {' | '.join(cells.get(size, '0') for size in sizes)} |")


def cell(cpu, ncu, note):
    return f"{cpu}" if note is None else f"{cpu} {ncu - cpu:+d}" + (f" [{note}]" if note else "")


def print_sass(sass):
    print("\n## Instructions in the SASS of each lesson's kernels\n\n`@P`: guarded, `@!PT`: never executed.\n")
    print("| lesson | kernel | instructions |\n|---|---|---|")
    for lesson, kernels in sass.items():
        for kernel, instructions in kernels.items():
            text = ", ".join(f"{name} {n}" for name, n in sorted(instructions.items()))
            kernel = kernel.removeprefix("void ").replace(";", ",")
            print(f"| {lesson} | `{kernel}` | {text} |")


def main():
    if len(sys.argv) != 4:
        die("usage: compare.py PROGRAMS FOLDER NAME")
    programs, folder, name = sys.argv[1:]
    sass = read_sass(f"{folder}/sass-{name}.csv")
    check_rules(sass)
    runs = read_ncu(f"{folder}/counters-{name}.csv")
    if {lesson for lesson, _ in runs} != set(RULES) or len(runs) != 3 * len(RULES):
        die(f"counters-{name}.csv: expected three sizes of each of {len(RULES)} lessons")
    code = {(lesson, as_ncu_writes(kernel)): found
            for lesson, kernels in sass.items() for kernel, found in kernels.items()}
    for (lesson, _), (kernel, _) in runs.items():
        if (lesson, kernel) not in code:
            die(f"sass-{name}.csv: {lesson} has no kernel {kernel}")
    rows = [(lesson, "×".join(size), *row) for (lesson, size), (kernel, metrics) in runs.items()
            for row in compare(cpu_counts(programs, lesson, size), metrics, code[lesson, kernel])]
    print_result(rows)
    print_rows(rows)
    print_sass(sass)
    sys.exit(1 if any(row[-1] == 0 for row in rows) else 0)


if __name__ == "__main__":
    main()
