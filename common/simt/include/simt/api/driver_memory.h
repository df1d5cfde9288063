// The driver API's functions for device memory. The runtime API's do the work, and memory of both is the same.
#pragma once
#include <cstddef>

#include "simt/api/streams.h"
#include "simt/api/tensor_map.h"

// An address in device memory.
typedef unsigned long long CUdeviceptr;
typedef cudaStream_t CUstream;

// flags must be 0. Other functions work without it, as if a context were current.
CUresult cuInit(unsigned flags);
CUresult cuMemAlloc(CUdeviceptr* pointer, size_t bytes);
CUresult cuMemFree(CUdeviceptr pointer);
// The allocation that contains an address. base and bytes may be null.
CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr pointer);
CUresult cuMemGetInfo(size_t* free_bytes, size_t* total_bytes);
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes);
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count);
