// Four small kernels of the kind that a learner brings along.
#pragma once

namespace foreign {

// out[0] += the sum of in[0..n), by shuffles inside a warp, shared memory across warps and one
// atomicAdd per block of 256 threads.
void reduce(const float* in, float* out, int n);
// out = the transpose of the rows x cols matrix in, through a padded tile of 32 x 32.
void transpose(const float* in, float* out, int rows, int cols);
// out[i] = in[i - 1] + in[i] + in[i + 1], with zeros outside of [0, n).
void stencil(const float* in, float* out, int n);
// bins[b] += how many of in[0..n) are b, through a histogram in shared memory.
void histogram(const unsigned char* in, int* bins, int n);

}  // namespace foreign
