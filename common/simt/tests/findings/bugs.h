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

extern const Run missing_second_barrier;
extern const Run early_return;
extern const Run guard_off_by_one;
extern const Run misaligned_vector;
extern const Run no_zero_fill;
extern const Run index_too_far;
extern const Run barrier_in_both_arms;
extern const Run missing_syncwarp;
extern const Run overlapping_blocks;
extern const Run half_a_warp_stores_a_fragment;

extern const Run two_writers;
extern const Run uninitialized_global;
extern const Run write_out_of_bounds;
extern const Run dynamic_shared_too_small;
extern const Run async_not_waited;
extern const Run async_without_barrier;
extern const Run async_overwrites;
extern const Run async_bad_size;
extern const Run shuffle_without_a_lane;
extern const Run shuffle_mask_without_self;
extern const Run plain_beside_atomic;
extern const Run null_pointer;
extern const Run endless_loop;
extern const Run misaligned_fragment;

// The same without the mistake: nothing must be reported.
extern const Run right_tiles;
extern const Run right_syncwarp;
extern const Run right_partial_syncwarp;
extern const Run right_async;
extern const Run right_exit_before_last_barrier;

}  // namespace bugs
