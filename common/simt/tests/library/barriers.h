// Kernels with cuda::barrier.
#pragma once
#include <cuda.h>

namespace barriers {

// Each adds 1 to 1024 numbers in shared memory. What it leaves out is a bug.
enum Bug { NONE, NO_WAIT, NO_FENCE, TOO_FEW_BYTES };
void add_one(int* in, int* out, Bug bug);
void add_one_tx(int* in, int* out, Bug bug);
void add_one_each(int* in, int* out, Bug bug);  // every thread copies its own numbers
void add_one_ptx(int* in, int* out, Bug bug);
void add_one_box(const CUtensorMap& from, const CUtensorMap& to, Bug bug);  // 32 x 32

// 4 warps, of which the first produces 256 numbers at a time for the others, which double them.
void producer(int* in, int* out, int tiles, bool waits);
// Threads leave a barrier one after the other.
void leave(int* out, bool drops);
void wait_parity(int* in, int* out);
// Sizes and places that cannot be copied asynchronously.
void primitives(int* in, int* out);  // the same by functions of cuda_awbarrier_primitives.h
void odd_copies(int* in, int* out);

}  // namespace barriers
