// Kernels with one mistake each that has several consequences, on C of ROWS x COLS floats and A of as many, which
// lies in front of it (causes.cu). ERROR marks the line that must be told, and alone; OTHER the other party's.
#pragma once

namespace causes {

constexpr int ROWS = 5, COLS = 7;

struct Args {
  const float* A;
  float* C;
  float beta;
};
using Run = void (*)(const Args& args);

extern const Run rows_too_many, before_begin, rows_of_c, no_guard;
extern const Run one_block, blocks, other_line;
extern const Run first_barrier, second_barrier, first_barrier_of_two, unset_word,
    missing_copy_barrier;
extern const Run divergence, rounds, rounds_of_other, rounds_of_blocks, flag, lanes, parted,
    unset_sum;
extern const Run right;

}  // namespace causes
