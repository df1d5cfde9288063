// Measures the errors and the speed of several ways to multiply floats.
#pragma once
#include <functional>

#include "common/gemm.h"

// Prints a line of docs/results/errors.json. For several kinds of inputs and several K, the line has the largest and
// the root mean square error of the elements of a 256 x 256 result. An error is relative to the sum of the magnitudes
// of the K products; the reference is computed in double from the inputs before their rounding to T. The line also has
// TFLOP/s at 4096 and 8192 cubed, and at 4096 cubed with one NaN in A ("one_nan") and with one in each row of A
// ("row_nans"). If the program has an argument, that is the largest K, and there are no speeds. Returns false if uniform
// inputs have a larger error than most. Throws DeviceError. For float and half.
template <typename T>
bool measure_way(const char* name, const std::function<void(const Gemm<T, float>&)>& gemm,
                 double most);

// Measures all ways of a program; main() calls this. Returns false if a call of measure_way() does.
bool measure_ways();
