// Loads, stores and atomic operations by inline PTX (accesses.cu).
#pragma once
#include <cstdint>

namespace accesses {

// 32 lanes copy 16 bytes each, by one form of loads and one of stores.
constexpr int COPIES = 9;
void copy(int form, const uint32_t* from, uint32_t* to);

// Of one thread: a byte with and without its sign, a half word, a word of shared memory, and one by a generic address.
void load_small(const uint8_t* from, uint32_t* to);

// 64 threads. sums: one word or double for each operation, see accesses.cu; old: what thread 0 got.
struct Sums {
  uint32_t add, min, max, bits_and, bits_or, bits_xor, inc, dec, cas, exch;
  int32_t signed_min;
  uint32_t halves, bfloats;
  uint64_t wide;
  double big;
  float small;
  alignas(16) float four[4];
  alignas(16) uint32_t pairs[2];
};
void sum_up(Sums* sums, uint32_t* shared);

// A block writes a value and a flag, another one waits for the flag and reads.
void pass_on(uint32_t* memory, uint32_t* to);

enum class Mistake { None, NoBarrier, SharedAsGlobal, Misaligned, Outside, Trap };
void make(Mistake mistake, uint32_t* to);

}  // namespace accesses
