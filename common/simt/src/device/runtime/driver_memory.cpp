// The driver API's functions for device memory, by the runtime API's.
#include "simt/api/driver_memory.h"

#include "memory/memory.h"
#include "simt/api/memory.h"

namespace {

// Errors have the same numbers in both.
CUresult result(cudaError_t status) {
  return static_cast<CUresult>(status);
}

void* address(CUdeviceptr pointer) {
  return reinterpret_cast<void*>(pointer);
}

}  // namespace

CUresult cuInit(unsigned flags) {
  return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemAlloc(CUdeviceptr* pointer, size_t bytes) {
  if (pointer == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  *pointer = reinterpret_cast<CUdeviceptr>(memory);
  return result(status);
}

CUresult cuMemFree(CUdeviceptr pointer) {
  return result(cudaFree(address(pointer)));
}

CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr pointer) {
  const simt::Allocation near = simt::Arena::get().nearest(pointer);
  if (pointer - near.begin >= near.bytes) return CUDA_ERROR_NOT_FOUND;
  if (base != nullptr) *base = near.begin;
  if (bytes != nullptr) *bytes = near.bytes;
  return CUDA_SUCCESS;
}

CUresult cuMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return result(cudaMemGetInfo(free_bytes, total_bytes));
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return result(cudaMemcpy(address(to), from, bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return result(cudaMemcpy(to, address(from), bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return result(cudaMemcpy(address(to), address(from), bytes, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return result(cudaMemcpyAsync(address(to), from, bytes, cudaMemcpyHostToDevice, stream));
}

CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return result(cudaMemcpyAsync(to, address(from), bytes, cudaMemcpyDeviceToHost, stream));
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  return result(cudaMemset(address(to), value, count));
}
