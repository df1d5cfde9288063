// Kernels for integers_test.cpp: each list of calls writes its results one behind the other. All pointers are device
// memory.
#pragma once
#include <cuda_runtime.h>

namespace integers {

void bits(unsigned long long* out, unsigned x, unsigned long long wide);
void products(long long* out, int x, int y, long long wide);
void dots(int* out, unsigned a, unsigned b, int c);
void parts(unsigned* out, unsigned a, unsigned b);
// out of 24 words
void conversions(long long* out, float x, double wide);
void to_floats(float* out, int x, long long wide);
void extremes(long long* out, double* floats);

}  // namespace integers
