// Device memory of the driver API: addresses are numbers, which a kernel gets as a pointer.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void scale_kernel(float* values, int count, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= factor;
}

// How many floats lie in the allocation that holds an address.
int floats_around(CUdeviceptr address) {
  CUdeviceptr base = 0;
  size_t bytes = 0;
  if (cuMemGetAddressRange(&base, &bytes, address) != CUDA_SUCCESS) return -1;
  return address >= base ? int(bytes / sizeof(float)) : -1;
}

bool fails_by_name() {
  CUdeviceptr none = 0;
  const char* name = "";
  const CUresult status = cuMemGetAddressRange(&none, nullptr, 16);
  return cuGetErrorName(status, &name) == CUDA_SUCCESS &&
         !std::strcmp(name, "CUDA_ERROR_NOT_FOUND") &&
         cuMemAlloc(&none, 0) == CUDA_ERROR_INVALID_VALUE;
}

int main() {
  const int count = 300, bytes = count * sizeof(float);
  float values[count], copies[count];
  for (int i = 0; i < count; ++i) values[i] = float(i);
  CUdeviceptr first, second;
  size_t free_bytes = 0, total_bytes = 0;
  if (cuInit(0) != CUDA_SUCCESS || cuMemAlloc(&first, bytes) != CUDA_SUCCESS) return 1;
  cuMemAlloc(&second, bytes);
  cuMemsetD8(second, 0, bytes);
  cuMemcpyHtoD(first, values, bytes);
  scale_kernel<<<3, 128>>>(reinterpret_cast<float*>(first), floats_around(first + 40), 2);
  cuMemcpyDtoD(second, first, bytes);
  cuMemcpyDtoH(copies, second, bytes);
  cuMemcpyHtoDAsync(first, copies, bytes, nullptr);
  if (cuMemcpyDtoHAsync(values, first, bytes, nullptr) != CUDA_SUCCESS) return 1;
  int wrong = !fails_by_name();
  for (int i = 0; i < count; ++i) wrong += values[i] != 2 * float(i);
  cuMemFree(first);
  cuMemFree(second);
  wrong += cuMemGetInfo(&free_bytes, &total_bytes) != CUDA_SUCCESS || free_bytes != total_bytes;
  std::printf("%d wrong\n", wrong);
  return wrong;
}

// BUG one_element_too_many
// - floats_around(first + 40), 2);
// + floats_around(first + 40) + 1, 2);
// ! 0 bytes past the end of an allocation of 1200 bytes
// @ if (i < count) values[i] *= factor;

// BUG not_copied
// - cuMemcpyHtoD(first, values, bytes);
// +
// ! which no copy and no earlier launch has initialised
// @ if (i < count) values[i] *= factor;
