// memcpy() and memset() of kernels, access by access, so that the checks see them. simtcc turns those of device functions
// into these. On the host, where functions for both run, they are the host's.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simt/api/threads.h"

namespace simt {

using AnyWord __attribute__((may_alias)) = uint32_t;

// The compiler makes one access of a short copy that is a power of two bytes long.
__attribute__((always_inline)) inline void* copy_bytes(void* to, const void* from, size_t bytes) {
  const bool one = __builtin_constant_p(bytes) && bytes <= 16 && (bytes & (bytes - 1)) == 0;
  if (one || !runs_kernel()) return std::memcpy(to, from, bytes);
  const bool words = ((size_t(to) | size_t(from) | bytes) & 3) == 0;
  for (size_t i = 0; words && i < bytes / 4; ++i) {
    static_cast<AnyWord*>(to)[i] = static_cast<const AnyWord*>(from)[i];
  }
  for (size_t i = 0; !words && i < bytes; ++i) {
    static_cast<unsigned char*>(to)[i] = static_cast<const unsigned char*>(from)[i];
  }
  return to;
}

__attribute__((always_inline)) inline void* set_bytes(void* to, int value, size_t bytes) {
  const bool one = __builtin_constant_p(bytes) && bytes <= 16 && (bytes & (bytes - 1)) == 0;
  if (one || !runs_kernel()) return std::memset(to, value, bytes);
  const bool words = ((size_t(to) | bytes) & 3) == 0;
  for (size_t i = 0; words && i < bytes / 4; ++i) {
    static_cast<AnyWord*>(to)[i] = (value & 255) * 0x01010101u;
  }
  for (size_t i = 0; !words && i < bytes; ++i) {
    static_cast<unsigned char*>(to)[i] = static_cast<unsigned char>(value);
  }
  return to;
}

}  // namespace simt
