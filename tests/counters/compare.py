#!/usr/bin/env python3
"""compare.py PROGRAMS COUNTERS.csv: prints docs/results/counters.md, from what the explain.LESSON
programs in the folder PROGRAMS count (CPU backend) and what collect.sh wrote on a GPU. Exits with 1
if a difference has no reason below."""
import csv
import json
import subprocess
import sys
from collections import OrderedDict

# How nvcc 13.0 fuses a lesson's scalar shared loads: the widest access in bytes, for each array. From
# its SASS for sm_90 (LDS, LDS.64, LDS.128), not from the counters.
AS_WRITTEN, WIDE = {"*": 4}, {"*": 16}
RULES = {
    "00_naive": (AS_WRITTEN, "no shared memory"),
    "01_shared_tile": (WIDE, "k loop unrolled: As by LDS.128, Bs by LDS (its k's are a row apart)"),
    "02_coalesced": (WIDE, "as 01"),
    "03_thread_tile": (WIDE, "k loop unrolled: As by LDS.128, Bs by LDS"),
    "04_float4": (WIDE, "as 03"),
    "05_outer_product": ({"As": 8, "*": 16},
                         "k loop unrolled twice: As by LDS.64 (two k's), Bs by LDS.128"),
    "06_smem_transpose": (WIDE, "As and Bs by LDS.128"),
    "07_double_buffer": (WIDE, "float4 in the source: LDS.128"),
    "08_tensor_core_wmma": (WIDE, "rows of C by LDS.128, fragments by LDSM"),
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
       "with `HFMA2.MMA`, once or more per thread in each of these kernels' SASS. Lessons 00 to "
       "07 have no `HMMA`; for 08 the two are equal.",
    2: "Instructions whose lanes are all predicated off are issued and counted, but access nothing. In "
       "the SASS: `@!PT LDS RZ, [RZ]`, never executed by any lane, which nvcc puts in threes around "
       "`cp.async`, and guarded `@P LDGSTS` and `@P STS` for elements outside of the matrices. Requests "
       "and wavefronts do not have them, nor has the row below, which ncu counts by instruction.",
    3: "The hardware's counter of all shared loads is a little different in each launch of a kernel with "
       "`LDSM`, and never below; the least is shown. Counted by instruction, in the rows of LDS and LDSM, "
       "it is equal.",
}

INTRO = """# Counters: CPU backend against Nsight Compute

Measured on an NVIDIA H200 with nvcc 13.0 by `tests/counters/collect.sh` ([counters-h200.csv](counters-h200.csv): the least and the
most of three launches), compared by `tests/counters/compare.py`. To do it again:

    cmake -S . -B build/gpu -DLADDER_GPU=ON && cmake --build build/gpu --target lessons      # on the GPU machine
    tests/counters/collect.sh build/gpu docs/results/counters-h200.csv
    cmake --preset cpu && cmake --build build/cpu                                            # anywhere
    tests/counters/compare.py build/cpu/common/simt/explain docs/results/counters-h200.csv >docs/results/counters.md

Only one thing about a kernel is told to the CPU backend: how wide nvcc makes scalar accesses of shared memory, read from the SASS."""


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


def reason(lesson, counter, cpu, low, high):
    """The number of the note that explains a difference, or None."""
    if counter == "tensor pipe instructions" and low > cpu:
        return 1  # the row below must be equal
    if counter in ("shared load instructions", "shared store instructions",
                   "cp.async instructions") and low > cpu and lesson[:2] in ("07", "08"):
        return 2
    if counter == "shared load wavefronts" and lesson[:2] == "08" and 0 < low - cpu < cpu / 100:
        return 3
    return None


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: compare.py PROGRAMS COUNTERS.csv")
    programs, path = sys.argv[1:]
    rows, equal, unexplained = [], 0, 0
    for (lesson, size), metrics in read_ncu(path).items():
        counts = cpu_counts(programs, lesson, size)
        for counter, metric, key in COUNTERS:
            if metric not in metrics:
                continue
            low, high = metrics[metric]
            cpu = int(counts[key])
            if cpu == 0 and low == 0:
                continue
            verdict = "yes"
            if low == cpu:
                equal += 1
            else:
                note = reason(lesson, counter, cpu, low, high)
                verdict = f"{low - cpu:+d}" + (f" [{note}]" if note else "")
                unexplained += note is None
            rows.append(f"| {lesson} | {'×'.join(size)} | {counter} | {cpu} | {low} | {verdict} |")
    print(INTRO + "\n\n| lesson | rule |\n|---|---|")
    for lesson, (_, rule) in RULES.items():
        print(f"| {lesson} | {rule} |")
    print(f"\n{equal} of {len(rows)} counters are equal, {len(rows) - equal - unexplained} differ by "
          f"instructions that the SASS shows (notes), {unexplained} are open.\n")
    print("| lesson | M×N×K | counter | CPU backend | ncu | equal |\n|---|---|---|---:|---:|---|")
    print("\n".join(rows) + "\n")
    for number, note in NOTES.items():
        print(f"[{number}] {note}\n")
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
