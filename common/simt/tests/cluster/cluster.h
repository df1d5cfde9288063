// Kernels of clusters (cluster.cu): right, and with one mistake each. All take the arguments of mbarrier.h.
#pragma once
#include "tests/mbarrier/mbarrier.h"

namespace cluster {

using mbarrier::Args;
using mbarrier::Run;

// C[t] of each block: the neighbour block's A[t] and its own.
extern const Run exchange, exchange_by_ptx, pushed, handed_over, added_up, in_halves;
extern const Run relaxed_restricted;
extern const Run through_global, twice;
// C[t] of each block: its own A[t].
extern const Run relaxed;
// C: what special registers say of thread 0 of each of 16 blocks, in clusters of 2 x 2 x 1; numbers of them a block.
constexpr int NUMBERS = 8;
extern const Run registers;

extern const Run only_once, thrice, few_expected;
extern const Run relaxed_unfenced, relaxed_numbers;
extern const Run read_early, read_pushed_early, overwritten_early, ends_early, arrives_unsynced,
    handed_over_relaxed, third_block, third_address, arrives_twice, arrives_again, waits_alone,
    waits_for_ever, other_barrier, halves_of_40, halves_differ, halves_of_all, beyond_shared,
    waits_elsewhere;
// A launch that is refused.
extern const Run odd_grid, large_cluster, other_cluster;

}  // namespace cluster
