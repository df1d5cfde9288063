// Three-dimensional copies. CUDA arrays (cudaArray_t), which belong to textures, do not exist here.
#pragma once
#include <cstddef>

#include "simt/api/errors.h"
#include "simt/api/memory.h"

typedef struct cudaArray* cudaArray_t;

// Rows of xsize bytes at a distance of pitch bytes; ysize rows form a slice.
struct cudaPitchedPtr {
  void* ptr;
  size_t pitch, xsize, ysize;
};
// width in bytes, height and depth in rows and slices.
struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPos {
  size_t x, y, z;
};

struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  cudaMemcpyKind kind;
};

inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width,
                                          size_t height) {
  return {pointer, pitch, width, height};
}
inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return {width, height, depth};
}
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  return {x, y, z};
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent);
// cudaErrorNotSupported if one side is an array.
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream = nullptr);
cudaError_t cudaMemset3D(cudaPitchedPtr pitched, int value, cudaExtent extent);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitched, int value, cudaExtent extent,
                              cudaStream_t stream = nullptr);
