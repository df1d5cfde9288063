// Kernels for halves_test.cpp (halves.cu) and conversions_test.cpp (conversions.cu): functions of 16- and 8-bit floats.
// All pointers are device memory.
#pragma once
#include <cuda_runtime.h>

namespace halves {

constexpr int kOfOne = 26, kOfTwo = 40, kOfThree = 3, kInteger = 32;

// Of each pair of a and b, and of c: the bits of what functions give, kOfOne * count and so on; kind: 0 half, 1 bfloat16.
// pairs: the same by functions of pairs, of x and y = -x.
void of_one(int kind, bool pairs, const float* a, unsigned short* out, int count);
void of_two(int kind, bool pairs, const float* a, const float* b, unsigned short* out, int count);
void of_three(int kind, bool pairs, const float* a, const float* b, const float* c,
              unsigned short* out, int count);
// Whole numbers of a number, in all directions.
void to_integers(int kind, const float* a, long long* out, int count);
// Numbers of wide whole numbers and of floats, as bits.
void from_integers(int kind, const long long* a, unsigned short* out, int count);
void from_floats(int kind, const float* a, unsigned short* out, int count);
// How pairs are put together: 32 words.
void pairing(int kind, float* out);
// 8-bit floats, of numbers and back; out[8 * i + j].
void eights(const float* a, float* out, int count);

}  // namespace halves
