// What the frontend does to a source, part by part.
#pragma once
#include "frontend/text/source.h"

namespace simt {

// kernel<<<grid, block>>>(args)  ->  ::simt::configure(kernel, grid, block)(args)
void rewrite_launches(Source& source);

// cudaLaunchKernel((void*)kernel, ...)  ->  cudaLaunchKernel(kernel, ...), which knows the parameters
void uncast_kernels(Source& source);

// A kernel with __launch_bounds__(n) gets an array simt_bounds of n bytes, for the runtime to find; with
// __cluster_dims__(x, y, z) simt_cluster_x and so on.
void note_limits(Source& source);

// Where no code asks for threadIdx.z, a kernel gets an array simt_flat of 2 bytes; of one where none asks for .y either.
void note_flat(Source& source);

// A kernel tells the runtime of its parameters that are __grid_constant__.
void note_grid_constants(Source& source);

// extern __shared__ T name[];  ->  T* const name = ::simt::dynamic_shared_as<T>(); in the function, or in all that
// name it.
// With alignas(n): dynamic_shared_as<T>(the alignment of such an array).
// Behind each other declaration: a static_assert on its size, and an array simt_align_NAME whose size
// is the alignment.
void rewrite_shared(Source& source);

// printf(...)  ->  ::simt::print(...)
void rewrite_prints(Source& source);

// __device__ int x;  ->  static __attribute__((section("simt_device"), ...)) int x; and so on for __constant__ and
// __managed__. Throws std::runtime_error for variables that nvcc refuses, and for templates of them.
void rewrite_variables(Source& source);

// asm("ldmatrix..." : ...)  ->  ::simt::ptx::ldmatrix<...>(...), and so on for all of ptx/instructions.cpp. Throws
// std::runtime_error for any other inline assembly.
void rewrite_assembly(Source& source);

// __noinline__  ->  __attribute__((noinline)), but in an attribute, where it is one already
void rewrite_noinline(Source& source);

// A __device__ function, and a template of a kernel, is of its file alone, as with nvcc: a tag in its name says so, or
// static.
void keep_local(Source& source, const std::string& file);

// Operators and lambdas for the host say so as they begin: which of them a template of a kernel calls, no name tells.
void guard_hosts(Source& source);

// Throws std::runtime_error where brackets do not fit, at the one that is probably meant.
void check_brackets(const Source& source);

// Throws std::runtime_error for launches of what is no kernel, or with too few or too many arguments.
void check_launches(Source& source);

// Throws std::runtime_error for calls that nvcc refuses.
void check_calls(const Source& source);

// "FILE:LINE: warning: ...", a line each: arrays in kernels that probably lack their __shared__ or a first value ...
std::string warnings_of(const Source& source);

// Throws std::runtime_error for what the CPU backend does not support.
void check_supported(const Source& source);

}  // namespace simt
