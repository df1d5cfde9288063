// Kernels with one mistake each (bugs.cu). All take the same arguments.
#pragma once

namespace bugs {

struct Args {
  int M, N, K;
  const float* A;
  const float* B;
  float* C;
};

using Run = void (*)(const Args&);

void missing_second_barrier(const Args&);
void early_return(const Args&);
void guard_off_by_one(const Args&);
void misaligned_vector(const Args&);
void no_zero_fill(const Args&);
void index_too_far(const Args&);
void barrier_in_both_arms(const Args&);
void missing_syncwarp(const Args&);
void overlapping_blocks(const Args&);
void half_a_warp_stores_a_fragment(const Args&);

void two_writers(const Args&);
void uninitialized_global(const Args&);
void write_out_of_bounds(const Args&);
void dynamic_shared_too_small(const Args&);
void async_not_waited(const Args&);
void async_without_barrier(const Args&);
void async_overwrites(const Args&);
void async_bad_size(const Args&);
void shuffle_without_a_lane(const Args&);
void shuffle_mask_without_self(const Args&);
void plain_beside_atomic(const Args&);
void null_pointer(const Args&);
void endless_loop(const Args&);
void misaligned_fragment(const Args&);

// The same without the mistake: nothing must be reported.
void right_tiles(const Args&);
void right_syncwarp(const Args&);
void right_partial_syncwarp(const Args&);
void right_async(const Args&);
void right_exit_before_last_barrier(const Args&);

}  // namespace bugs
