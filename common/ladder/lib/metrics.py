"""The metrics that ./ladder profile gets from Nsight Compute, with its names and our readable ones.

./ladder profile prints them; ./ladder profile --collect writes them to docs/results/profile-GPU.json, from which docs/
makes the tables "before and after" and the roofline. No other file names a metric.
"""
from typing import Dict, NamedTuple, Optional

Values = Dict[str, Optional[float]]  # by the metric's key; None: this ncu or GPU does not have it


class Metric(NamedTuple):
    """key: as in the result file. unit: of its value with --print-units base; "" for a count."""
    key: str
    words: str
    unit: str
    name: str


def _stall(reason: str, words: str) -> Metric:
    return Metric("stall_" + reason, "waiting: " + words, "cycles",
                  "smsp__average_warps_issue_stalled_%s_per_issue_active.ratio" % reason)


_ACTIVE = ".avg.pct_of_peak_sustained_active"
# In the order in which they are printed.
METRICS = [
    Metric("time_ns", "time of the launch", "ns", "gpu__time_duration.sum"),
    Metric("clock_hz", "clock of the multiprocessors", "Hz", "sm__cycles_elapsed.avg.per_second"),
    # Work.
    Metric("instructions", "instructions of warps", "", "smsp__inst_executed.sum"),
    Metric("ffma", "multiply-adds of threads (FFMA)", "",
           "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"),
    Metric("tensor_instructions", "instructions of the tensor pipe", "",
           "sm__inst_executed_pipe_tensor.sum"),
    # Global memory.
    Metric("global_loads", "global load instructions", "", "smsp__inst_executed_op_global_ld.sum"),
    Metric("async_copies", "asynchronous copy instructions (cp.async)", "",
           "smsp__inst_executed_op_ldgsts.sum"),
    Metric("load_requests", "global load requests", "",
           "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"),
    Metric("load_sectors", "global load sectors", "",
           "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"),
    Metric("store_requests", "global store requests", "",
           "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"),
    Metric("store_sectors", "global store sectors", "",
           "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"),
    Metric("l1_hit_percent", "sectors found in L1", "%", "l1tex__t_sector_hit_rate.pct"),
    Metric("l2_bytes", "bytes through L2", "bytes", "lts__t_bytes.sum"),
    Metric("l2_tex_sectors", "sectors requested from L2 by the multiprocessors", "",
           "lts__t_sectors_srcunit_tex.sum"),
    Metric("l2_hit_percent", "sectors found in L2", "%", "lts__t_sector_hit_rate.pct"),
    Metric("dram_read_bytes", "bytes read from DRAM", "bytes", "dram__bytes_read.sum"),
    Metric("dram_write_bytes", "bytes written to DRAM", "bytes", "dram__bytes_write.sum"),
    # Shared memory.
    Metric("shared_loads", "shared load instructions", "", "smsp__inst_executed_op_shared_ld.sum"),
    Metric("shared_stores", "shared store instructions", "", "smsp__inst_executed_op_shared_st.sum"),
    Metric("matrix_loads", "matrix load instructions (ldmatrix)", "",
           "smsp__inst_executed_op_ldsm.sum"),
    Metric("load_wavefronts", "shared load wavefronts", "",
           "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
    Metric("store_wavefronts", "shared store wavefronts", "",
           "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"),
    # Why warps wait: the cycles of all warps of a scheduler per instruction that it issues. A scheduler holds at most
    # 16 warps, but if it issues one instruction in 24 cycles, they wait up to 16 * 24 cycles.
    _stall("long_scoreboard", "global memory (long scoreboard)"),
    _stall("short_scoreboard", "shared memory (short scoreboard)"),
    _stall("mio_throttle", "queue of shared memory full (MIO throttle)"),
    _stall("lg_throttle", "queue of global memory full (LG throttle)"),
    _stall("barrier", "other warps at a barrier (barrier)"),
    _stall("wait", "fixed latency of an instruction (wait)"),
    _stall("not_selected", "another warp was chosen (not selected)"),
    _stall("math_pipe_throttle", "arithmetic pipe busy (math pipe throttle)"),
    # How busy the multiprocessors are.
    Metric("fma_percent", "FMA pipe busy", "%", "sm__pipe_fma_cycles_active" + _ACTIVE),
    Metric("fma_issue_percent", "FMA pipe, of its peak instruction rate", "%",
           "sm__inst_executed_pipe_fma" + _ACTIVE),
    Metric("tensor_percent", "tensor pipe busy", "%", "sm__pipe_tensor_cycles_active" + _ACTIVE),
    Metric("tensor_hmma_percent", "tensor pipe busy with half inputs", "%",
           "sm__pipe_tensor_op_hmma_cycles_active" + _ACTIVE),
    Metric("tensor_issue_percent", "tensor pipe, of its peak instruction rate", "%",
           "sm__inst_executed_pipe_tensor" + _ACTIVE),
    Metric("issue_percent", "issue slots used", "%", "smsp__issue_active" + _ACTIVE),
    Metric("eligible_warps", "warps that could issue, per scheduler", "warps",
           "smsp__warps_eligible.avg.per_cycle_active"),
    Metric("active_warps", "warps resident, per scheduler", "warps",
           "smsp__warps_active.avg.per_cycle_active"),
    Metric("occupancy_percent", "occupancy achieved", "%", "sm__warps_active" + _ACTIVE),
    Metric("occupancy_limit_percent", "occupancy possible", "%",
           "sm__maximum_warps_per_active_cycle_pct"),
    # The launch.
    Metric("registers", "registers of a thread", "", "launch__registers_per_thread"),
    Metric("shared_static_bytes", "static shared memory of a block", "bytes",
           "launch__shared_mem_per_block_static"),
    Metric("shared_dynamic_bytes", "dynamic shared memory of a block", "bytes",
           "launch__shared_mem_per_block_dynamic"),
    Metric("block_threads", "threads of a block", "", "launch__block_size"),
    Metric("blocks", "blocks", "", "launch__grid_size"),
]
