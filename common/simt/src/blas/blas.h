// A reference of cuBLAS on the host: what api/blas.h declares. It is a library of its own, simt_cublas. Products of
// floats and doubles are made by OpenBLAS where CMake has found it, else by plain loops.
//
//   operands.h  numbers in device memory: checked, and read and written as the type that is computed in
//   handle.cpp  cublasHandle_t, names of errors
//   gemm.cpp    products of matrices
//   matrices.cpp sums of matrices, products with diagonal and triangular ones
//   complex.cpp products of complex numbers
//   vectors.cpp products with vectors, sums
#pragma once
#include "blas/operands.h"
