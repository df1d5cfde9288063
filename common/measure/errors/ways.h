// How far ways of multiplying floats are from the exact product, and how fast they are.
#pragma once
#include <functional>

#include "common/gemm.h"

// Prints a line of docs/results/errors.json: for inputs of several kinds and for several K, the largest and the root
// mean square error of the elements of a 256 x 256 result, as shares of the K products' summed magnitudes, against a
// double reference of the inputs as they were before they were rounded to T; and TFLOP/s at 4096 and 8192 cubed, and at
// 4096 cubed with one NaN in A ("one_nan") and with one in each of its rows ("row_nans"). False if uniform inputs give
// more than most as a share. Throws DeviceError. For float and half.
template <typename T>
bool measure_way(const char* name, const std::function<void(const Gemm<T, float>&)>& gemm,
                 double most);

// All ways of a program, whose main() calls this. False if one of them has given false.
bool measure_ways();
