// dim3 and the built-in variables of a kernel.
#pragma once

struct uint3 {
  unsigned x, y, z;
};

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

// The runtime sets them before it resumes a thread of a block (common/simt/src/execution/worker.cpp). The kernel sees
// constants, so reads of them are not checked as memory accesses.
extern __thread const uint3 threadIdx, blockIdx;
extern __thread const uint3 blockDim, gridDim;  // convert to dim3, which has a constructor
constexpr int warpSize = 32;
