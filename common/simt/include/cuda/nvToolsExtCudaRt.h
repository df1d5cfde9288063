// A part of NVTX that has a header of its own: names of streams and events.
#pragma once
#include "simt/names/begin.h"

#include "cuda_runtime.h"
#include "nvToolsExt.h"

inline void nvtxNameCudaStreamA(cudaStream_t, const char*) {}
inline void nvtxNameCudaEventA(cudaEvent_t, const char*) {}
inline void nvtxNameCudaDeviceA(int, const char*) {}

#include "simt/names/end.h"
