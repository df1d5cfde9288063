// Three-dimensional copies and fills, slice by slice.
#include "simt/api/volumes.h"

#include "device/device.h"
#include "device/runtime/graphs.h"
#include "host/host.h"
#include "reports/reports.h"
#include "simt/api/streams.h"

namespace {

using simt::remember;

char* slice_of(const cudaPitchedPtr& pitched, const cudaPos& at, size_t z) {
  return static_cast<char*>(pitched.ptr) + ((at.z + z) * pitched.ysize + at.y) * pitched.pitch +
         at.x;
}

// True if the part lies within the rows of the pitched memory.
bool has_rows(const cudaPitchedPtr& pitched, const cudaPos& at, const cudaExtent& extent) {
  const bool inside = at.x + extent.width <= pitched.pitch;
  return inside && (extent.depth <= 1 || at.y + extent.height <= pitched.ysize);
}

}  // namespace

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  if (pitched == nullptr) return remember(cudaErrorInvalidValue);
  *pitched = {nullptr, 0, extent.width, extent.height};
  if (extent.depth != 0 && extent.height > SIZE_MAX / extent.depth) {
    return remember(cudaErrorMemoryAllocation);
  }
  return cudaMallocPitch(&pitched->ptr, &pitched->pitch, extent.width,
                         extent.height * extent.depth);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream) {
  if (simt::check_stream(stream) != cudaSuccess) return remember(cudaErrorInvalidResourceHandle);
  if (copy == nullptr) return remember(cudaErrorInvalidValue);
  if (copy->srcArray != nullptr || copy->dstArray != nullptr) {
    simt::tell_host_error("cudaMemcpy3D(): the CPU backend has no CUDA arrays");
    return remember(cudaErrorNotSupported);
  }
  if (simt::capture(stream, cudaGraphNodeTypeMemcpy,
                    [all = *copy] { return cudaMemcpy3DAsync(&all, nullptr); })) {
    return cudaSuccess;
  }
  if (!has_rows(copy->srcPtr, copy->srcPos, copy->extent) ||
      !has_rows(copy->dstPtr, copy->dstPos, copy->extent)) {
    return remember(cudaErrorInvalidPitchValue);
  }
  for (size_t z = 0; z < copy->extent.depth; ++z) {
    const cudaError_t status =
        cudaMemcpy2DAsync(slice_of(copy->dstPtr, copy->dstPos, z), copy->dstPtr.pitch,
                          slice_of(copy->srcPtr, copy->srcPos, z), copy->srcPtr.pitch,
                          copy->extent.width, copy->extent.height, copy->kind, stream);
    if (status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy) {
  simt::note_wait("cudaMemcpy3D");
  return cudaMemcpy3DAsync(copy, nullptr);
}

cudaError_t cudaMemset3D(cudaPitchedPtr pitched, int value, cudaExtent extent) {
  if (!has_rows(pitched, {}, extent)) return remember(cudaErrorInvalidPitchValue);
  for (size_t z = 0; z < extent.depth; ++z) {
    const cudaError_t status =
        cudaMemset2D(slice_of(pitched, {}, z), pitched.pitch, value, extent.width, extent.height);
    if (status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitched, int value, cudaExtent extent,
                              cudaStream_t stream) {
  const cudaError_t status = simt::check_stream(stream);
  return status != cudaSuccess ? remember(status) : cudaMemset3D(pitched, value, extent);
}
