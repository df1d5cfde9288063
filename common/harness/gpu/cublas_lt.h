// cuBLAS's kernels for a problem, including those that it would not choose itself.
#pragma once
#include <cublas_v2.h>

#include <functional>
#include <vector>

#include "common/gemm.h"

// The program's default stream. cuBLAS, compiled without its options, must get it explicitly.
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define DEFAULT_STREAM cudaStreamPerThread
#else
#define DEFAULT_STREAM cudaStreamLegacy
#endif

// The heuristics of cublasLt list at most eight for 64 MB of workspace, the one that they expect to be fastest first.
// Each runs asynchronously on the default stream and throws DeviceError. There are none if the library is not loaded.
// Instantiated for float, double, half inputs with FP32 accumulation, and the latter with half output and an epilogue;
// and for e4m3 inputs with scales.
template <typename T, typename Acc, typename Out>
std::vector<std::function<void()>> cublas_lt_choices(cublasHandle_t handle,
                                                     const Gemm<T, Acc, Out>& problem);
