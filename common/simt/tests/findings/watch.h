// What a GPU would not show: kernels whose arrays are aligned by chance, or that touch what they may not.
#pragma once
#include <cuda_runtime.h>

namespace watched {

using Run = void (*)(float* out);  // 256 floats of device memory, zeros or ones

extern const Run local_overflow, filled_too_far, next_array;
extern const Run weak_float4, weak_half2, weak_copy, weak_fragment, weak_dynamic, weak_unordered;
extern const Run packed_float4, packed_half2, packed_copy, packed_fragment;
extern const Run right_float4, right_fragment, right_struct, right_dynamic, right_block;

// One thread: out[to] = in[from].
void copy(const float* in, int from, float* out, int to);
void add(float* out, int to);  // atomically
void store_four(float* out, int to);  // as one float4

}  // namespace watched
