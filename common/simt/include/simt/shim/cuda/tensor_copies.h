// cuda::device::experimental: bulk copies by TMA, of rows and of boxes of tensors.
#pragma once
#include <cstddef>
#include <cstdint>

#include "simt/api/tma.h"
#include "simt/shim/cuda/barrier.h"

struct CUtensorMap;

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace cuda {
namespace device {
namespace experimental {

// One for each number of dimensions. The coordinates are the middle parameters.
#define SIMT_BOX(RANK, PARAMETERS, ...)                                         \
  __forceinline__ void cp_async_bulk_tensor_##RANK##d_global_to_shared(         \
      void* to, const CUtensorMap* map, PARAMETERS, Barrier& bar, SIMT_PLACE) { \
    simt::bulk_load({map, {__VA_ARGS__}, RANK, nullptr, 0, file, line},         \
                    simt::shared_address(to, file, line),                       \
                    simt::shared_address(bar.native(), file, line), 0);         \
  }                                                                             \
  __forceinline__ void cp_async_bulk_tensor_##RANK##d_shared_to_global(         \
      const CUtensorMap* map, PARAMETERS, const void* from, SIMT_PLACE) {       \
    simt::bulk_store({map, {__VA_ARGS__}, RANK, nullptr, 0, file, line},        \
                     simt::shared_address(from, file, line));                   \
  }
#define SIMT_AND ,
SIMT_BOX(1, int a, a)
SIMT_BOX(2, int a SIMT_AND int b, a, b)
SIMT_BOX(3, int a SIMT_AND int b SIMT_AND int c, a, b, c)
SIMT_BOX(4, int a SIMT_AND int b SIMT_AND int c SIMT_AND int d, a, b, c, d)
SIMT_BOX(5, int a SIMT_AND int b SIMT_AND int c SIMT_AND int d SIMT_AND int e, a, b, c, d, e)
#undef SIMT_AND
#undef SIMT_BOX

__forceinline__ void cp_async_bulk_global_to_shared(void* to, const void* from,
                                                    ::std::uint32_t bytes, Barrier& b, SIMT_PLACE) {
  simt::bulk_load({nullptr, {}, 0, from, bytes, file, line}, simt::shared_address(to, file, line),
                  simt::shared_address(b.native(), file, line), 0);
}
__forceinline__ void cp_async_bulk_shared_to_global(void* to, const void* from,
                                                    ::std::uint32_t bytes, SIMT_PLACE) {
  simt::bulk_store({nullptr, {}, 0, to, bytes, file, line}, simt::shared_address(from, file, line));
}
__forceinline__ void cp_async_bulk_commit_group() {
  simt::bulk_commit();
}
// Waits until shared memory has been read.
template <int PRIOR>
__forceinline__ void cp_async_bulk_wait_group_read() {
  static_assert(PRIOR >= 0 && PRIOR <= 63, "cp_async_bulk_wait_group_read: 0 to 63 groups");
  simt::bulk_wait(PRIOR, true);
}
__forceinline__ void fence_proxy_async_shared_cta() {
  simt::fence_proxy();
}

}  // namespace experimental
}  // namespace device
}  // namespace cuda
#undef SIMT_PLACE
