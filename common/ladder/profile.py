"""./ladder profile"""
import csv
import glob
import io
import shutil
from typing import List

from ladder import (MACHINE, Progress, build, die, execute, find_nvcc, has_gpu, need, one_lesson,
                    split_options)

ORDER = 60
HELP = """\
profile LESSON [M N K]
the same counters as explain's, by Nsight Compute on a GPU
"""
_METRICS = [
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "smsp__inst_executed_op_shared_ld.sum",
    "smsp__inst_executed_op_shared_st.sum",
    "smsp__inst_executed_op_ldgsts.sum",
    "smsp__inst_executed_op_ldsm.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "sm__inst_executed_pipe_tensor.sum",
]


def find_ncu() -> str:
    """Nsight Compute's program; "" if there is none."""
    places = ["/usr/local/cuda/bin/ncu", *sorted(glob.glob("/opt/nvidia/nsight-compute/*/ncu")),
              *sorted(glob.glob("/usr/local/cuda*/nsight-compute*/ncu"))]
    for name in ("ncu", *places):
        path = shutil.which(name)
        if path:
            return path
    return ""


def main(arguments: List[str]) -> int:
    words, _, _ = split_options(arguments, "profile", {})
    name, sizes = one_lesson(words, "usage: ./ladder profile LESSON [M N K]")
    if not has_gpu() or not find_nvcc():
        die(MACHINE, "profile needs an NVIDIA GPU and nvcc; without: ./ladder explain %s" % name)
    ncu = find_ncu()
    if not ncu:
        die(MACHINE, "profile needs ncu (Nsight Compute, of the CUDA toolkit)")
    sizes = sizes or ["256", "256", "256"]
    need("gpu")
    folder = build("gpu", name)
    # The clocks are left as they are; counts do not depend on them.
    with Progress("profiling %s" % name) as progress:
        done = execute([ncu, "--clock-control", "none", "--csv", "--print-units", "base",
                        "--metrics", ",".join(_METRICS), "-k", "regex:^gemm_kernel", "-c", "1",
                        folder / name, *sizes, "--no-check", "--reps", "1"],
                       lambda _: progress.tick())
    lines = done.out.splitlines()
    if done.status != 0:
        said = [line for line in lines + done.err.splitlines() if line.strip()][-2:]
        die(MACHINE, "ncu failed: %s" % " ".join(said))
    print("%s, M N K = %s, by Nsight Compute" % (name, " ".join(sizes)))
    table = [line for line in lines if line.startswith('"')]
    for row in csv.DictReader(io.StringIO("\n".join(table))):
        if row.get("Metric Name"):
            print("%-62s %14s" % (row["Metric Name"], (row["Metric Value"] or "").replace(",", "")))
    return 0
