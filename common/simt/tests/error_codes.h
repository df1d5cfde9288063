// The code that CUDA calls return after a launch with these errors.
#pragma once
#include <cuda_runtime.h>

#include <vector>

#include "simt/report.h"

inline cudaError_t code_of(const std::vector<simt::Error>& errors) {
  if (errors.empty()) return cudaSuccess;
  switch (errors[0].kind) {
    case simt::ErrorKind::GlobalOutOfBounds:
    case simt::ErrorKind::InvalidAddress:
      return cudaErrorIllegalAddress;
    case simt::ErrorKind::Misaligned:
      return cudaErrorMisalignedAddress;
    case simt::ErrorKind::FailedAssert:
      return cudaErrorAssert;
    default:
      return cudaErrorLaunchFailure;
  }
}
