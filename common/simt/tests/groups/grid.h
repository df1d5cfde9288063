// Cooperative launches.
#pragma once
#include <cuda_runtime.h>

namespace grid {

enum Bug { NONE, NO_SYNC, NO_LAST_SYNC };
// The error of the launch itself.
cudaError_t rounds(int* in, int* out, int count, int blocks, int times, Bug bug);
cudaError_t shared(int* in, int* out, int blocks);  // shared memory stays across grid.sync()
cudaError_t sum(int* in, int* out, int blocks);  // the last value of a sum that all blocks add to
cudaError_t ranks(int* out, int blocks);
cudaError_t clusters(int* in, int* out);
cudaError_t by_attribute(int* in, int* out);
cudaError_t spins(int* in, int* out, int blocks);  // a barrier of its own, made of atomics

void block_exits(int* out);
void half_waits(int* out);
void not_cooperative(int* out);
void write_twice(int* out, bool syncs);
cudaError_t too_many(int* out);

}  // namespace grid
