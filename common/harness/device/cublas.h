// The baseline that lessons are compared with: cuBLAS on the same problem.
#pragma once
#include <functional>
#include <string>

#include "common/gemm.h"

struct Baseline {
  std::string name;  // the cuBLAS function; empty if there is no baseline
  std::function<void()> run;  // asynchronous, default stream; throws DeviceError
};

// The baseline for this problem (common/harness/gpu/cublas.cu), its handle created and warmed up by a first run:
// FP32 without TF32, double, or half inputs with FP32 sums and output. None for int and on the CPU
// backend (common/harness/cpu/no_baseline.cpp).
template <typename T, typename Acc>
Baseline make_baseline(const Gemm<T, Acc>& problem);
