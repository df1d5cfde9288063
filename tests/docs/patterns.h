// Access patterns of the kernels that docs/learn/sources.md discusses. All pointers are device memory.
#pragma once

namespace sources {

// The report: one block of 32 x 32 threads reads a 32 x 32 corner of B, whose rows have n floats. Neighbouring threads read
// neighbouring rows if `rows`, else neighbouring columns, which is coalesced. out: 32 * 32 floats.
void column_load(const float* B, float* out, int n, bool rows);

// The blog of 2016: one block of 16 x 16 threads copies a 16 x 16 tile through shared memory. out: 256 floats.
void tile(const float* B, float* out, bool transposed);

// The notes: one block of 16 x 16 threads copies a 64 x 64 tile of A through shared memory to fragments of four, as in its
// v6 or, transposed, as in its v7. out: 256 floats.
void fragment(const float* A, float* out, bool transposed);

// The blog of 2018: blocks of 7 x 7 threads on n x n floats. Threads outside do not reach the barrier.
void guarded_barrier(const float* A, float* C, int n);

}  // namespace sources
