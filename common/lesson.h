// What a lesson sees of the harness, and nothing more.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

#include "common/gemm.h"

// a / b rounded up, for a >= 0 and b > 0.
__host__ __device__ constexpr int ceil_div(int a, int b) {
  return a / b + (a % b != 0);
}

// Throws common/harness/device/cuda_error.h's DeviceError, with the call and its place, unless status is cudaSuccess.
void check_cuda(cudaError_t status, const char* call, const char* file, int line);
#define CUDA_CHECK(call) check_cuda((call), #call, __FILE__, __LINE__)

// The whole program: reads the options, runs gemm, verifies, times and reports it. Returns the exit
// code: 0 right, 1 wrong result, 2 usage, 3 device. Compiled for float, double, int and half inputs,
// the latter with FP32 output, or with half output and an epilogue.
template <typename T, typename Acc, typename Out>
int run_lesson(void (*gemm)(const Gemm<T, Acc, Out>&), int argc, char** argv);
