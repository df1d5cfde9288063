// The passes of the frontend over a source. rewrite.cpp runs them.
#pragma once
#include "frontend/text/source.h"

namespace simt {

// kernel<<<grid, block>>>(args)  ->  ::simt::configure(kernel, grid, block)(args)
void rewrite_launches(Source& source);

// (void*)kernel  ->  ::simt::kernel_pointer(kernel), which tells the runtime the types of its parameters
void rewrite_kernel_pointers(Source& source);

// Stores __launch_bounds__(n) of a kernel as the size of a static array simt_bounds in it, which the runtime finds in
// the symbol table. __cluster_dims__(x, y, z) becomes simt_cluster_x, simt_cluster_y and simt_cluster_z.
void note_limits(Source& source);

// Gives each kernel an array simt_flat of 2 bytes if the file never uses threadIdx.z, and of 1 byte if it never uses
// threadIdx.y either.
void note_flat(Source& source);

// Makes each kernel pass the addresses of its __grid_constant__ parameters to the runtime.
void note_grid_constants(Source& source);

// extern __shared__ T name[];  ->  T* const name = ::simt::dynamic_shared_as<T>();
// A declaration outside of functions moves into each function that uses the name. alignas(n) adds an argument: the
// alignment of such an array. Any other __shared__ declaration gets a static_assert on its size, and an array
// simt_align_NAME whose size is the alignment. The size of simt_order_NAME is its number among the file's arrays.
// That of simt_padding_NAME is 1 + a bit for each byte of padding in an element.
void rewrite_shared(Source& source);

// printf(...)  ->  ::simt::print(...)
void rewrite_prints(Source& source);

// In functions of kernels: malloc(), free(), new and delete  ->  ::simt::heap_...
void rewrite_heap(Source& source);

// __device__ int x;  ->  static __attribute__((section("simt_device"), ...)) int x; and likewise for __constant__ and
// __managed__. Throws std::runtime_error for variables that nvcc refuses, and for variable templates.
void rewrite_variables(Source& source, bool relocatable);

// asm("ldmatrix..." : ...)  ->  ::simt::ptx::ldmatrix<...>(...), and likewise for each instruction in
// ptx/instructions.cpp. Throws std::runtime_error for any other inline assembly.
void rewrite_assembly(Source& source);

// __noinline__  ->  __attribute__((noinline)), except within __attribute__((...))
void rewrite_noinline(Source& source);

// Keeps __device__ functions and kernel templates local to their file, as nvcc does: by `static`, or by an ABI tag that
// makes the name unique.
void keep_local(Source& source, const std::string& file);

// Inserts a run-time check at the start of host operators and host lambdas. Their calls have no name, so check_calls()
// cannot find them.
void guard_hosts(Source& source);

// Throws std::runtime_error for unbalanced brackets, at the bracket that is probably wrong.
void check_brackets(const Source& source);

// Throws std::runtime_error for launches of functions that are not kernels, or with the wrong number of arguments.
void check_launches(Source& source);

// Throws std::runtime_error for calls that nvcc refuses. relaxed: --expt-relaxed-constexpr.
void check_calls(const Source& source, bool relaxed);

// Returns warnings ("FILE:LINE: warning: ...\n" each), such as arrays in kernels that probably lack __shared__ or an
// initial value.
std::string warnings_of(const Source& source);

// Throws std::runtime_error for CUDA features that the CPU backend does not support.
void check_supported(const Source& source);

}  // namespace simt
