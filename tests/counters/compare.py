#!/usr/bin/env python3
"""compare.py PROGRAMS FOLDER NAME: prints docs/results/counters.md, from what the explain.LESSON
programs in the folder PROGRAMS count (CPU backend) and from counters-NAME.csv and sass-NAME.csv, which
collect.sh wrote on a GPU. Exits with 1 if a difference has no reason below, or if the reason does not
stand in the SASS."""
import csv
import json
import subprocess
import sys
from collections import OrderedDict

# How nvcc 13.0 fuses a lesson's scalar shared loads: the widest access in bytes, for each array, and the
# loads that the SASS for sm_90 must therefore have, no more and no fewer.
WIDE = {"*": 16}
RULES = {
    "00_naive": (WIDE, "", "no shared memory"),
    "01_shared_tile": (WIDE, "LDS LDS.128", "k loop unrolled: As by LDS.128, Bs by LDS (its k's are a "
                       "row apart)"),
    "02_coalesced": (WIDE, "LDS LDS.128", "as 01"),
    "03_thread_tile": (WIDE, "LDS LDS.128", "k loop unrolled: As by LDS.128, Bs by LDS"),
    "04_float4": (WIDE, "LDS LDS.128", "as 03"),
    "05_outer_product": ({"As": 8, "*": 16}, "LDS.128 LDS.64",
                         "k loop unrolled twice: As by LDS.64 (two k's), Bs by LDS.128"),
    "06_smem_transpose": (WIDE, "LDS.128", "As and Bs by LDS.128"),
    "07_double_buffer": (WIDE, "LDS.128", "float4 in the source: LDS.128"),
    "08_tensor_core_wmma": (WIDE, "LDS LDS.128", "rows of C by LDS.128, at ragged sizes by LDS; "
                            "fragments by LDSM"),
}

# Name in the table, ncu's metric, and what the CPU backend counts the same.
COUNTERS = [
    ("global load requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld", "load_requests"),
    ("global load sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld", "load_sectors"),
    ("global store requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st",
     "global_store_requests"),
    ("global store sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st", "global_store_sectors"),
    ("shared load instructions", "smsp__inst_executed_op_shared_ld", "lds_requests"),
    ("... that a lane takes part in", "smsp__sass_inst_executed_op_shared_ld", "lds_requests"),
    ("shared load wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld",
     "load_wavefronts"),
    ("... of LDS", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld", "lds_wavefronts"),
    ("shared store instructions", "smsp__inst_executed_op_shared_st", "fused_store_requests"),
    ("... that a lane takes part in", "smsp__sass_inst_executed_op_shared_st",
     "fused_store_requests"),
    ("shared store wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st",
     "fused_store_wavefronts"),
    ("... of STS", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st",
     "fused_store_wavefronts"),
    ("cp.async instructions", "smsp__inst_executed_op_ldgsts", "async_store_requests"),
    ("... that a lane takes part in", "smsp__sass_inst_executed_op_ldgsts",
     "async_store_requests"),
    ("cp.async requests", "smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts",
     "async_load_requests"),
    ("cp.async sectors", "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts",
     "async_load_sectors"),
    ("cp.async wavefronts", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts",
     "async_store_wavefronts"),
    ("LDSM instructions", "smsp__inst_executed_op_ldsm", "matrix_load_requests"),
    ("LDSM wavefronts", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm",
     "matrix_load_wavefronts"),
    ("FFMA of threads", "smsp__sass_thread_inst_executed_op_ffma_pred_on", "fma"),
    ("tensor pipe instructions", "sm__inst_executed_pipe_tensor", "tensor_instructions"),
    ("... without HFMA2", "hmma", "tensor_instructions"),
]


NOTES = {
    1: "Not all instructions of the tensor pipe multiply matrices: nvcc sets registers to constants "
       "with `HFMA2.MMA`. Lessons 00 to 07 have no `HMMA`; for 08 the row below is equal.",
    2: "Instructions whose lanes are all predicated off are issued and counted, but access nothing: "
       "`@!PT LDS RZ, [RZ]`, never executed by any lane, which nvcc puts in threes around `cp.async`, and "
       "guarded `@P LDGSTS` and `@P STS` for elements outside of the matrices. Requests and wavefronts do "
       "not have them, nor has the row below, which ncu counts by instruction.",
    3: "The hardware's counter of all shared loads is a little different in each launch of a kernel with "
       "`LDSM`, and never below; the least is shown. Counted by instruction, in the rows of LDS and LDSM, "
       "it is equal.",
}

INTRO = """# Counters: CPU backend against Nsight Compute

Measured on an NVIDIA H200 with nvcc 13.0 by `tests/counters/collect.sh` ([counters-h200.csv](counters-h200.csv): the least and the
most of twelve launches; [sass-h200.csv](sass-h200.csv): the instructions of the same programs), compared by
`tests/counters/compare.py`. To do it again:

    cmake --preset gpu && cmake --build build/gpu              # on the GPU machine
    tests/counters/collect.sh build/gpu docs/results h200
    cmake --preset cpu && cmake --build build/cpu              # anywhere
    tests/counters/compare.py build/cpu/common/simt/explain docs/results h200 >docs/results/counters.md

Only one thing about a kernel is told to the CPU backend: how wide nvcc makes scalar loads of shared memory. That is read
from the SASS, never fitted to the counters; a rule that its loads contradict is refused."""


def explain(programs, lesson, size, width):
    command = [f"{programs}/explain.{lesson}", *size, "--no-check", "--json", "--fuse", str(width)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def cpu_counts(programs, lesson, size):
    """All counters by name, with the lesson's rule applied to its shared loads."""
    rule = RULES[lesson][0]
    runs = {width: explain(programs, lesson, size, width) for width in set(rule.values()) | {16}}
    counts = dict(runs[16]["totals"])
    # ncu counts cp.async among the global loads, with the sectors that it asks for.
    counts["load_requests"] = counts["global_load_requests"] + counts["async_load_requests"]
    counts["load_sectors"] = counts["global_load_sectors"] + counts["async_load_lookups"]
    lds = {"requests": 0, "wavefronts": 0}
    for width, run in runs.items():
        for array in run["arrays"]:
            if rule.get(array["array"], rule["*"]) == width and "fused_load" in array:
                for what in lds:
                    lds[what] += array["fused_load"][what]
    counts["lds_requests"] = lds["requests"]
    counts["lds_wavefronts"] = lds["wavefronts"]
    counts["load_wavefronts"] = lds["wavefronts"] + counts["matrix_load_wavefronts"]
    return counts


def read_ncu(path):
    """{(lesson, size): {metric: (min, max)}}"""
    runs = OrderedDict()
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            size = (row["M"], row["N"], row["K"])
            metrics = runs.setdefault((row["lesson"], size), {})
            metrics[row["metric"].removesuffix(".sum")] = (int(row["min"]), int(row["max"]))
    for metrics in runs.values():
        hfma2 = metrics.get("sm__inst_executed_pipe_tensor_op_hmma_type_hfma2")
        if hfma2:
            metrics["hmma"] = (metrics["sm__inst_executed_pipe_tensor"][0] - hfma2[0],) * 2
    return runs


def read_sass(path):
    """{lesson: {instruction: how often it stands in the kernels}}"""
    lessons = OrderedDict()
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            instructions = lessons.setdefault(row["lesson"], {})
            name = row["instruction"]
            instructions[name] = instructions.get(name, 0) + int(row["count"])
    return lessons


def check_rules(sass):
    for lesson, (_, loads, _) in RULES.items():
        found = " ".join(sorted(name for name in sass[lesson] if name.startswith("LDS") and
                                not name.startswith("LDSM")))
        if found != loads:
            sys.exit(f"{lesson}: the rule wants the loads '{loads}', the SASS has '{found}'")


def reason(lesson, counter, cpu, low, sass):
    """The number of the note that explains a difference, or None."""
    if low <= cpu:
        return None
    if counter == "tensor pipe instructions" and "HFMA2.MMA" in sass:
        return 1  # the row below must be equal
    if counter == "shared load instructions" and "@!PT LDS" in sass:
        return 2
    if counter in ("shared store instructions", "cp.async instructions") and lesson[:2] in "07 08":
        return 2
    if counter == "shared load wavefronts" and cpu * 1.01 > low and "LDSM.16.M88.4" in sass:
        return 3
    return None


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: compare.py PROGRAMS FOLDER NAME")
    programs, folder, name = sys.argv[1:]
    sass = read_sass(f"{folder}/sass-{name}.csv")
    check_rules(sass)
    rows, equal, unexplained = [], 0, 0
    for (lesson, size), metrics in read_ncu(f"{folder}/counters-{name}.csv").items():
        counts = cpu_counts(programs, lesson, size)
        for counter, metric, key in COUNTERS:
            if metric not in metrics:
                continue
            low = metrics[metric][0]
            cpu = int(counts[key])
            if cpu == 0 and low == 0:
                continue
            verdict = "yes"
            if low == cpu:
                equal += 1
            else:
                note = reason(lesson, counter, cpu, low, sass[lesson])
                verdict = f"{low - cpu:+d}" + (f" [{note}]" if note else "")
                unexplained += note is None
            rows.append(f"| {lesson} | {'×'.join(size)} | {counter} | {cpu} | {low} | {verdict} |")
    print(INTRO + "\n\n| lesson | rule |\n|---|---|")
    for lesson, (_, _, rule) in RULES.items():
        print(f"| {lesson} | {rule} |")
    print(f"\n{equal} of {len(rows)} counters are equal, {len(rows) - equal - unexplained} differ by "
          f"instructions that the SASS shows (notes), {unexplained} are open.\n")
    print("| lesson | M×N×K | counter | CPU backend | ncu | equal |\n|---|---|---|---:|---:|---|")
    print("\n".join(rows) + "\n")
    for number, note in NOTES.items():
        print(f"[{number}] {note}\n")
    print("Instructions in the SASS of each lesson's kernels, all variants together:\n")
    print("| lesson | instructions |\n|---|---|")
    for lesson, instructions in sass.items():
        print(f"| {lesson} | {', '.join(f'{name} {n}' for name, n in sorted(instructions.items()))} |")
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
