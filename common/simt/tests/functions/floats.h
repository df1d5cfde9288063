// Kernels for floats_test.cpp: each list of calls writes its results one behind the other. All pointers are device
// memory.
#pragma once
#include <cuda_runtime.h>

namespace floats {

// Arithmetic in four directions: 7 functions, of a, b and c; 28 results of each i.
void arithmetic(const float* a, const float* b, const float* c, float* out, int count);
void arithmetic(const double* a, const double* b, const double* c, double* out, int count);
// Nothing is fused: x * y - round(x * y), by functions, is 0, and so on.
void unfused(float x, float y, float* out);
// Fast functions of x, y; functions that the C++ library has not, of x.
void fast(float x, float y, float* out);
void special(double x, double* out);
void lengths(float* out);
// Four numbers of math_constants.h.
void constants(float* out);

}  // namespace floats
