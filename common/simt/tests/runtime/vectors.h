// Vector types: their members, their make_ functions and how they are copied.
#pragma once
#include <cuda_runtime.h>

#include <vector>

namespace runtime {

// The sizes and alignments of all vector types, in one order.
std::vector<size_t> sizes_of_vectors();
// For each type, the sum of the members of what its make_ function returns and of {3}.
std::vector<double> sums_of_vectors();
// out[i] = in[i], 32 times.
void copy_pixels(const uchar4* in, uchar4* out);
void copy_quadruples(const longlong4_16a* in, longlong4_16a* out);
void copy_bytes(const char2* in, char2* out);
void copy_shorts(const ushort4* in, ushort4* out);
// Each thread reads a pixel of four bytes, but at an address that is one too large.
void copy_misaligned(const unsigned char* in, uchar4* out);

}  // namespace runtime
