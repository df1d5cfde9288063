// Kernels for votes_test.cpp. All pointers are device memory.
#pragma once
#include <cuda_runtime.h>

namespace votes {

constexpr int kVotes = 18;  // words that each lane of vote() writes
constexpr int kEarlyExits = 7;  // of early_exits()

// Two warps and a half: each thread votes with its number; out[kVotes * t + i] is what the i-th vote gave it.
void vote(unsigned* out);
// One warp: what shuffles by one lane do with each type of number; wrong[i] counts lanes that got another value.
void shuffle(unsigned* wrong);
// `threads` threads: how many, whether all and whether any is below `limit`, twice; out[6 * t + i].
void count(int threads, int limit, int* out);
// Lanes take three ways; each writes who is active there.
void active(unsigned* out);
// Each lane runs through a loop as often as its number says, and counts those that are active.
void active_loop(unsigned* out);
// The sum of one number of each lane, of those in a branch alone.
void active_sum(int* out);
// What the clocks say before and behind some work: out[0] < out[1] of clock64(), and so on.
void clocks(long long* out);

// Two warps vote and shuffle with full masks after all threads from number `count` on have exited.
void early_exits(const int* values, int count, unsigned* out);

enum class Mistake {
  kVoteWithoutLane,  // a lane of the mask never votes
  kNotInMask,  // the mask lacks the voting lane
  kOtherVote,  // half of the warp votes with __any_sync(), the other half with __all_sync()
  kReduceWithoutLane,
  kMatchWithoutLane,
  kCountDiverges,  // half of the block waits at __syncthreads_count(), the other elsewhere
  kCountWithoutThread,
  kVoteOrdersNothing,  // a vote in place of __syncwarp(): shared memory is in a race
  kWidth,  // a shuffle in groups of 12
  kReadsExited,  // a shuffle from a lane that has exited
  kTrap
};
void mistake(Mistake which, int* out);

}  // namespace votes
