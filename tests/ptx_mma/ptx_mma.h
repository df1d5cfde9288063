// One product of 16 x 16 tiles, by PTX and by WMMA (ptx_mma.cu).
#pragma once
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int SIZE = 16;

struct Tiles {  // row-major
  half A[SIZE * SIZE], B[SIZE * SIZE];
  float ptx[SIZE * SIZE], wmma[SIZE * SIZE];
};

// Fills tiles.ptx and tiles.wmma with A * B. Needs sm_80. Returns the first error of the device.
cudaError_t multiply(Tiles& tiles);
