// cuda::barrier of a block: an mbarrier in shared memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>

#include "simt/api/library_copies.h"
#include "simt/api/threads.h"
#include "simt/api/tma.h"
#include "simt/shim/cuda/scopes.h"

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace simt {

struct NoCompletion {
  void operator()() const {}
};

}  // namespace simt

namespace cuda {

template <thread_scope SCOPE, typename Completion = simt::NoCompletion>
class barrier {
  static_assert(SCOPE == thread_scope_block && sizeof(Completion) == 1,
                "the CPU backend has cuda::barrier<cuda::thread_scope_block>, in shared memory and "
                "without a completion function, alone");

 public:
  using arrival_token = ::std::uint64_t;

  barrier() = default;
  __forceinline__ explicit barrier(::std::ptrdiff_t expected, const Completion& = Completion(),
                                   SIMT_PLACE) {
    simt::ptx_init(address(file, line), ::std::uint32_t(expected), file, line);
  }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  friend __forceinline__ void init(barrier* self, ::std::ptrdiff_t expected, SIMT_PLACE) {
    simt::ptx_init(self->address(file, line), ::std::uint32_t(expected), file, line);
  }
  friend __forceinline__ void init(barrier* self, ::std::ptrdiff_t expected, const Completion&,
                                   SIMT_PLACE) {
    simt::ptx_init(self->address(file, line), ::std::uint32_t(expected), file, line);
  }

  [[nodiscard]] __forceinline__ arrival_token arrive(::std::ptrdiff_t update = 1, SIMT_PLACE) {
    return simt::ptx_arrive(address(file, line), {::std::uint32_t(update), 0, false}, file, line);
  }
  __forceinline__ void wait(arrival_token&& token, SIMT_PLACE) const {
    while (!simt::ptx_test(address(file, line), token, file, line)) {
    }
  }
  __forceinline__ void wait_parity(bool parity, SIMT_PLACE) const {
    while (!simt::mbarrier_test_parity(address(file, line), parity, file, line)) {
    }
  }
  __forceinline__ void arrive_and_wait(SIMT_PLACE) { wait(arrive(1, file, line), file, line); }
  __forceinline__ void arrive_and_drop(SIMT_PLACE) { simt::mbarrier_drop(&state_, file, line); }

  // Ignores the time. A thread that waits here lets others run.
  template <typename Time>
  __forceinline__ bool try_wait_for(arrival_token&& token, const Time&, SIMT_PLACE) const {
    return simt::ptx_test(address(file, line), token, file, line);
  }
  template <typename Time>
  __forceinline__ bool try_wait_until(arrival_token&& token, const Time&, SIMT_PLACE) const {
    return simt::ptx_test(address(file, line), token, file, line);
  }
  template <typename Time>
  __forceinline__ bool try_wait_parity_for(bool parity, const Time&, SIMT_PLACE) const {
    return simt::mbarrier_test_parity(address(file, line), parity, file, line);
  }
  template <typename Time>
  __forceinline__ bool try_wait_parity_until(bool parity, const Time&, SIMT_PLACE) const {
    return simt::mbarrier_test_parity(address(file, line), parity, file, line);
  }

  static constexpr ::std::ptrdiff_t max() noexcept { return (1 << 20) - 1; }
  ::std::uint64_t* native() { return &state_; }

 private:
  __forceinline__ ::std::uint32_t address(const char* file, int line) const {
    return simt::shared_address(&state_, file, line);
  }

  ::std::uint64_t state_;  // unused: the backend keeps the state elsewhere
};

namespace device {

using Barrier = barrier<thread_scope_block>;

inline ::std::uint64_t* barrier_native_handle(Barrier& b) {
  return b.native();
}
// Arrives `arrivals` times; the phase also waits for that many bytes.
[[nodiscard]] __forceinline__ Barrier::arrival_token barrier_arrive_tx(Barrier& b,
                                                                       ::std::ptrdiff_t arrivals,
                                                                       ::std::ptrdiff_t bytes,
                                                                       SIMT_PLACE) {
  return simt::ptx_arrive(simt::shared_address(b.native(), file, line),
                          {::std::uint32_t(arrivals), ::std::uint32_t(bytes), false}, file, line);
}
__forceinline__ void barrier_expect_tx(Barrier& b, ::std::ptrdiff_t bytes, SIMT_PLACE) {
  simt::ptx_expect(simt::shared_address(b.native(), file, line), ::std::uint32_t(bytes), file,
                   line);
}
// A copy by TMA. Some thread must announce its bytes to the barrier, before or after.
template <typename T, ::std::size_t ALIGNMENT>
__forceinline__ void memcpy_async_tx(T* to, const T* from, aligned_size_t<ALIGNMENT> bytes,
                                     Barrier& b, SIMT_PLACE) {
  static_assert(ALIGNMENT >= 16, "memcpy_async_tx: the alignment must be at least 16");
  simt::bulk_load({nullptr, {}, 0, from, bytes, file, line}, simt::shared_address(to, file, line),
                  simt::shared_address(b.native(), file, line), 0);
}

}  // namespace device
}  // namespace cuda
#undef SIMT_PLACE
