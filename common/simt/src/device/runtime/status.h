// The error that cudaGetLastError() returns.
#pragma once
#include "simt/api/errors.h"

namespace simt {

// Makes status the last error unless it is cudaSuccess; returns it.
cudaError_t remember(cudaError_t status);

// A kernel has failed: remembers that. As on a GPU, every function fails so from then on, and no kernel runs, unless
// set_sticky(false) says otherwise.
void remember_failure();
bool has_failed();

// A launch was refused, for refusal_is_unread() (simt/report.h).
void note_refusal();

}  // namespace simt
