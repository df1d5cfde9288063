// The error that cudaGetLastError() returns.
#pragma once
#include "common/simt/api/errors.h"

namespace simt {

// Makes status the last error unless it is cudaSuccess; returns it.
cudaError_t remember(cudaError_t status);

}  // namespace simt
