// The part of the harness that a lesson uses.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

#include "common/gemm.h"

// a / b rounded up, for a >= 0 and b > 0.
__host__ __device__ constexpr int ceil_div(int a, int b) {
  return a / b + (a % b != 0);
}

// Throws DeviceError (common/harness/device/cuda_error.h) with the call and its place unless status is cudaSuccess.
void check_cuda(cudaError_t status, const char* call, const char* file, int line);
#define CUDA_CHECK(call) check_cuda((call), #call, __FILE__, __LINE__)

// The program of a lesson: reads the options, runs gemm, verifies the result, measures the time and prints
// a report. Returns the exit code: 0 right result, 1 wrong result, 2 usage error, 3 device error. It is
// compiled for float, double, int and half inputs; half has FP32 output, or half output and an epilogue.
// It is also compiled for e4m3 inputs with scales, which have FP32 or BF16 output.
template <typename T, typename Acc, typename Out>
int run_lesson(void (*gemm)(const Gemm<T, Acc, Out>&), int argc, char** argv);
