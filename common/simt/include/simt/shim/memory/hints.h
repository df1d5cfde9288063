// Loads and stores with cache hints. They are checked and counted like any other.
#pragma once
#include "simt/api/qualifiers.h"

namespace simt {
template <typename T>
struct Same {
  using Type = T;
};
}  // namespace simt

#define SIMT_LOAD(name)                      \
  template <typename T>                      \
  __forceinline__ T name(const T* address) { \
    return *address;                         \
  }
// The value may have another type that converts, as with CUDA's overloads for each type.
#define SIMT_STORE(name)                                                             \
  template <typename T>                                                              \
  __forceinline__ void name(T* address, const typename simt::Same<T>::Type& value) { \
    *address = value;                                                                \
  }

SIMT_LOAD(__ldg)
SIMT_LOAD(__ldca)
SIMT_LOAD(__ldcg)
SIMT_LOAD(__ldcs)
SIMT_LOAD(__ldlu)
// This one bypasses the caches, like a volatile load.
template <typename T>
__forceinline__ T __ldcv(const T* address) {
  if constexpr (__is_class(T)) {
    return *address;
  } else {
    return *const_cast<const volatile T*>(address);
  }
}
SIMT_STORE(__stwb)
SIMT_STORE(__stcg)
SIMT_STORE(__stcs)
SIMT_STORE(__stwt)

#undef SIMT_LOAD
#undef SIMT_STORE
