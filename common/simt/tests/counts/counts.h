// Kernels whose memory requests can be counted by hand (counts.cu).
#pragma once
#include <cuda_fp16.h>

namespace counts {

// One warp; lane i loads in[offset + i * stride] from global memory and stores it to out[i].
void global_stride(const float* in, float* out, int offset, int stride);
// One warp; lane i copies the i-th 16 bytes that start at in + offset.
void global_vector(const float* in, float* out, int offset);
// One warp; the lanes below `lanes` copy in[i] to out[i].
void global_partial(const float* in, float* out, int lanes);
// One warp; lane i reads word i * stride of a shared array of 1024 words.
void shared_stride(float* out, int stride);
// One warp; lane i reads the 16 bytes at i / share.
void shared_vector(float* out, int share);
// 32 x 32 threads transpose a 32 x 32 matrix through a tile with rows of 32 + pad floats.
void transpose(const float* in, float* out, bool padded);
// One warp; each lane reads four neighbouring floats of its own, one by one.
void shared_neighbours(float* out);
// One warp; lane i reads half i.
void shared_half(float* out);
// One warp; the lanes below count store in[i] to a shared array, the others 0.
void loaded_half(const half* in, int count, float* out);
// `threads` threads; each does n multiply-adds, those with an odd index 2 n.
void multiply_adds(float* out, int threads, int n);
void multiply_adds_double(double* out, int n);
// One warp; lane i runs its loop i % 4 times, each round reading one address for all lanes.
void uneven_loop(const float* in, float* out);
// One warp; in round k only lanes with an index of k's parity read in[32 * k + i].
void alternating_lanes(const float* in, float* out, int rounds);
// One warp; copies 4 bytes per lane with cp.async, of lanes at and above `lanes` only zeros.
void async_copy(const float* in, float* out, int lanes);
// One warp; copies 16 bytes per lane, next to each other, to `shift` floats behind a 128-byte line.
void async_vector(const float* in, float* out, int shift);
// The same to dynamic shared memory behind a static array: of 32 bytes (aligned), or of 8.
void async_dynamic(const float* in, float* out, bool aligned);
// One warp; copies four rows of 8 floats, `pitch` floats apart, to 32 floats in a row.
void async_rows(const float* in, float* out, int pitch);
// One warp; d = a * b for 16 x 16 tiles, through shared memory with rows of 16 + pad halves.
void matrix(const half* a, const half* b, float* d, bool padded);
// 64 threads add 1 to out[0] in global memory and to one shared counter.
void atomics(float* out);

}  // namespace counts
