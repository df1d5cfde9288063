// CUDA's function and variable qualifiers as plain C++.
#pragma once

#ifdef __clang__
#define SIMT_UNCHECKED \
  __attribute__((no_sanitize("thread", "coverage", "array-bounds", "object-size")))
#define SIMT_NOCLONE
#else
#define SIMT_UNCHECKED \
  __attribute__((no_sanitize("thread", "bounds", "object-size"), no_sanitize_coverage))
#define SIMT_NOCLONE __attribute__((noclone))
#endif

// It affects speed only.
#if !__has_builtin(__builtin_assume)
#define __builtin_assume(condition) static_cast<void>(0)
#endif

// The asm constraint for a float or a vector of 16 bytes.
#ifdef __aarch64__
#define SIMT_FLOAT_REGISTER "+w"
#else
#define SIMT_FLOAT_REGISTER "+x"
#endif

// simtcc reads these words, so the preprocessor leaves them to it.
#ifndef SIMT_REWRITING

// A kernel stays one function, so that an instruction leads to its name.
#define __global__ __attribute__((noinline)) SIMT_NOCLONE
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))

// Each object says where it found these headers, so that messages leave out their lines (program/own_files.cpp).
__attribute__((section("simt_headers"), used)) static const char simt_headers[] = __FILE__;

// An OS thread runs one block at a time, so a block's shared memory is thread-local.
#define __shared__ __attribute__((aligned(128))) thread_local
#endif
