// Kernels with mbarriers (ring.cu, misuse.cu, parity.cu), right and with one mistake each. All take the same arguments.
#pragma once

namespace mbarrier {

constexpr int THREADS = 256, TILES = 11;

// A: TILES * THREADS numbers. C: THREADS sums for each block.
struct Args {
  const float* A;
  float* C;
};

using Run = void (*)(const Args&);

// ring.cu. C is the sum over all tiles of the neighbour's number and of that 64 threads away.
extern const Run ring, ring_behind, ring_of_blocks;
extern const Run no_wait, wait_for_last_tile, arrive_before_copies, refill_early, read_early,
    no_arrive_before_last_read, arrive_but_one, no_waits_for_copies;

extern const Run two_barriers, beside_syncthreads, one_lane_looks, looks_once, in_place, made_anew,
    producers, producers_early, one_consumer_less;
// misuse.cu.
extern const Run never_made, made_twice, made_unseen, made_for_none, made_of_data, arrives_twice,
    old_token, token_of_another, data_beside, unmade_in_use, half_exits, crossed_waits,
    waits_at_syncthreads, one_too_many, read_before_made, read_behind_arrival,
    two_read_behind_arrival;
// parity.cu.
extern const Run parity, parity_late, parity_of_blocks, hand_over;
extern const Run parity_no_syncwarp, parity_no_copy_wait, parity_old, parity_refill_early,
    parity_warp_missing, parity_fresh, parity_of_2, parity_no_address, parity_missed,
    hand_over_unsynced, hand_back_unsynced;

}  // namespace mbarrier
