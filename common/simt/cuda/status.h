// The error that cudaGetLastError() returns.
#pragma once
#include <cuda_runtime.h>

namespace simt {

// Makes status the last error unless it is cudaSuccess; returns it.
cudaError_t remember(cudaError_t status);

}  // namespace simt
