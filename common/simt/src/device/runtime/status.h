// The error that cudaGetLastError() returns.
#pragma once
#include "simt/api/errors.h"

namespace simt {

// Makes `status` the last error unless it is cudaSuccess, and returns it. After a kernel failed, returns that kernel's
// error instead.
cudaError_t remember(cudaError_t status);

// Records that a kernel has failed, with this error. As on a GPU, every later call fails and no kernel runs, unless
// set_sticky(false) was called.
void remember_failure(cudaError_t status);
bool has_failed();
// The error of a kernel after which every call fails; cudaSuccess if there is none.
cudaError_t lasting_error();

// The last error. Unlike CUDA's functions, these leave a refused launch unread.
cudaError_t last_error();
// Returns the error of a kernel that has failed, once; else cudaSuccess. Launches are synchronous, so waiting functions
// have nothing else to do.
cudaError_t take_kernel_error();

// Records that a launch was refused, for refusal_is_unread() (simt/report.h).
void note_refusal();

}  // namespace simt
