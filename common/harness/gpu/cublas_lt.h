// The kernels that cuBLAS has for a problem besides the one that it takes by itself.
#pragma once
#include <cublas_v2.h>

#include <functional>
#include <memory>
#include <vector>

#include "common/gemm.h"

// At most eight, as the heuristics of cublasLt list them for 64 MB of workspace, the one that they expect to be fastest
// first. Each is asynchronous on the default stream and throws DeviceError. None where the library was not found.
// For float, double and half inputs with float sums; also half output, with its epilogue fused.
template <typename T, typename Acc, typename Out>
std::vector<std::function<void()>> cublas_lt_choices(const std::shared_ptr<cublasContext>& handle,
                                                     const Gemm<T, Acc, Out>& problem);
