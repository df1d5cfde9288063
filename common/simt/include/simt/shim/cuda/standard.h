// cuda::std, for kernels and hosts: the machine's C++ library, and atomic objects for kernels.
#pragma once
#include "simt/names/begin.h"

#include "simt/shim/cuda/atomic.h"

namespace cuda {
namespace std {

using namespace ::std;  // NOLINT(google-build-using-namespace): it is what cuda::std stands for

template <typename T>
using atomic = ::cuda::atomic<T, thread_scope_system>;
template <typename T>
using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;

// Also of vectors, which are not trivially copyable here.
template <typename To, typename From>
SIMT_UNCHECKED constexpr To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "bit_cast: both types must have the same size");
  if constexpr (::std::is_trivially_copyable_v<To> && ::std::is_trivially_copyable_v<From>) {
    return __builtin_bit_cast(To, from);
  } else {
    static_assert(simt::kCopiedByBytes<To> && simt::kCopiedByBytes<From>, "bit_cast copies bytes");
    To to;
    __builtin_memcpy(static_cast<void*>(&to), &from, sizeof to);
    return to;
  }
}

}  // namespace std
}  // namespace cuda

#include "simt/names/end.h"
