// Mbarriers in shared memory: a thread arrives early and waits later. Its accesses before the arrival happen before
// those of threads that have waited for that phase, and of no others.
#pragma once
#include "simt/names/begin.h"

#include <cstdint>

#include "simt/api/library_copies.h"
#include "simt/api/qualifiers.h"
#include "simt/api/threads.h"

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

inline constexpr uint32_t __mbarrier_maximum_count() {
  return (1 << 14) - 1;
}
// A phase is complete when count threads have arrived; then the next one begins. The object must not be an mbarrier
// already. Other threads may use it after a __syncthreads().
__forceinline__ void __mbarrier_init(__mbarrier_t* barrier, uint32_t count, SIMT_PLACE) {
  simt::mbarrier_init(barrier, count, file, line);
}
__forceinline__ void __mbarrier_inval(__mbarrier_t* barrier, SIMT_PLACE) {
  simt::mbarrier_inval(barrier, file, line);
}
// Arrives at the running phase and returns its token.
__forceinline__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier, SIMT_PLACE) {
  return simt::mbarrier_arrive(barrier, file, line);
}
// Whether the token's phase is complete. It must be the running phase or the previous one.
__forceinline__ bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token,
                                          SIMT_PLACE) {
  return simt::mbarrier_test(barrier, token, file, line);
}
// Arrives at the running phase; later phases need one arrival fewer.
__forceinline__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier, SIMT_PLACE) {
  return simt::mbarrier_drop(barrier, file, line);
}
// Whether the phase of that parity, the running or the previous one, is complete.
__forceinline__ bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity, SIMT_PLACE) {
  return simt::mbarrier_test_parity(simt::shared_address(barrier, file, line), parity, file, line);
}
// The same with a time, which has no effect.
__forceinline__ bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, uint32_t,
                                         SIMT_PLACE) {
  return simt::mbarrier_test(barrier, token, file, line);
}
__forceinline__ bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity, uint32_t,
                                                SIMT_PLACE) {
  return simt::mbarrier_test_parity(simt::shared_address(barrier, file, line), parity, file, line);
}
#undef SIMT_PLACE

#include "simt/names/end.h"
