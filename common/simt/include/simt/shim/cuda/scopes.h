// Types that the headers of cuda/ share: scopes, aligned sizes, the tags of cuda::ptx.
#pragma once
#include <cstddef>
#include <cstdint>

#include "simt/api/qualifiers.h"

namespace cuda {

// The threads that may access an object concurrently.
enum thread_scope {
  thread_scope_system = 0,
  thread_scope_device = 1,
  thread_scope_block = 2,
  thread_scope_thread = 10
};

// A number of bytes. It and the pointers are multiples of ALIGNMENT.
template <::std::size_t ALIGNMENT>
struct aligned_size_t {
  static_assert((ALIGNMENT & (ALIGNMENT - 1)) == 0 && ALIGNMENT != 0,
                "aligned_size_t: the alignment must be a power of two");
  static constexpr ::std::size_t align = ALIGNMENT;
  ::std::size_t value;

  explicit constexpr aligned_size_t(::std::size_t bytes) : value(bytes) {}
  constexpr operator ::std::size_t() const { return value; }  // NOLINT
};

}  // namespace cuda

namespace simt {

// The alignment that a size promises in addition to that of the elements.
template <typename Size>
struct Promised {
  static constexpr std::size_t value = 1;
};
template <std::size_t ALIGNMENT>
struct Promised<cuda::aligned_size_t<ALIGNMENT>> {
  static constexpr std::size_t value = ALIGNMENT;
};

// A pointer to void may have any alignment.
template <typename T>
struct Alignment {
  static constexpr std::size_t value = alignof(T);
};
template <>
struct Alignment<void> {
  static constexpr std::size_t value = 1;
};
template <>
struct Alignment<const void> {
  static constexpr std::size_t value = 1;
};

}  // namespace simt
