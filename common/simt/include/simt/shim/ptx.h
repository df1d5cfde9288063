// PTX instructions of inline assembly, which simtcc turns into these calls. Registers have the order of the PTX manual.
// An "r" register is any integer of 32 bits.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "simt/api/qualifiers.h"
#include "simt/api/threads.h"

namespace simt {
namespace ptx {

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

template <typename T>
constexpr bool is_register = std::is_integral_v<T> && sizeof(T) == 4;

template <bool TRANSPOSED, typename R, typename Address>
__forceinline__ void ldmatrix(R& r0, Address address, SIMT_PLACE) {
  static_assert(is_register<R> && is_register<Address>, "ldmatrix: an \"r\" has 32 bits");
  uint32_t to[1];
  load_matrices(to, 1, TRANSPOSED, uint32_t(address), file, line);
  r0 = R(to[0]);
}
template <bool TRANSPOSED, typename R, typename Address>
__forceinline__ void ldmatrix(R& r0, R& r1, Address address, SIMT_PLACE) {
  static_assert(is_register<R> && is_register<Address>, "ldmatrix: an \"r\" has 32 bits");
  uint32_t to[2];
  load_matrices(to, 2, TRANSPOSED, uint32_t(address), file, line);
  r0 = R(to[0]), r1 = R(to[1]);
}
template <bool TRANSPOSED, typename R, typename Address>
__forceinline__ void ldmatrix(R& r0, R& r1, R& r2, R& r3, Address address, SIMT_PLACE) {
  static_assert(is_register<R> && is_register<Address>, "ldmatrix: an \"r\" has 32 bits");
  uint32_t to[4];
  load_matrices(to, 4, TRANSPOSED, uint32_t(address), file, line);
  r0 = R(to[0]), r1 = R(to[1]), r2 = R(to[2]), r3 = R(to[3]);
}

template <bool TRANSPOSED, typename... R>
__forceinline__ void stmatrix_all(uint32_t address, const char* file, int line, R... r) {
  static_assert((is_register<R> && ...), "stmatrix: an \"r\" has 32 bits");
  const uint32_t from[] = {uint32_t(r)...};
  store_matrices(from, sizeof...(R), TRANSPOSED, address, file, line);
}
template <bool TRANSPOSED, typename R>
__forceinline__ void stmatrix(uint32_t address, R r0, SIMT_PLACE) {
  stmatrix_all<TRANSPOSED>(address, file, line, r0);
}
template <bool TRANSPOSED, typename R>
__forceinline__ void stmatrix(uint32_t address, R r0, R r1, SIMT_PLACE) {
  stmatrix_all<TRANSPOSED>(address, file, line, r0, r1);
}
template <bool TRANSPOSED, typename R>
__forceinline__ void stmatrix(uint32_t address, R r0, R r1, R r2, R r3, SIMT_PLACE) {
  stmatrix_all<TRANSPOSED>(address, file, line, r0, r1, r2, r3);
}

template <typename A, typename B>
__forceinline__ void mma_m16n8k16(float& d0, float& d1, float& d2, float& d3, A a0, A a1, A a2,
                                  A a3, B b0, B b1, float c0, float c1, float c2, float c3,
                                  SIMT_PLACE) {
  static_assert(is_register<A> && is_register<B>, "mma: an \"r\" has 32 bits");
  const uint32_t a[4] = {uint32_t(a0), uint32_t(a1), uint32_t(a2), uint32_t(a3)};
  const uint32_t b[2] = {uint32_t(b0), uint32_t(b1)};
  const float c[4] = {c0, c1, c2, c3};
  float d[4];
  multiply_matrices(d, a, b, c, file, line);
  d0 = d[0], d1 = d[1], d2 = d[2], d3 = d[3];
}

template <typename Address, typename Parity>
__forceinline__ void mbarrier_test_wait_parity(bool& ended, Address address, Parity parity,
                                               SIMT_PLACE) {
  static_assert(is_register<Address> && is_register<Parity>,
                "mbarrier.test_wait: an \"r\" has 32 bits");
  ended = mbarrier_test_parity(uint32_t(address), uint32_t(parity), file, line);
}

template <typename R, typename A, typename B>
__forceinline__ void selp(R& to, A yes, B no, bool which) {
  static_assert(is_register<R>, "selp: an \"r\" has 32 bits");
  to = which ? R(yes) : R(no);
}
#define SIMT_SETP(name, op)                              \
  template <typename T>                                  \
  __forceinline__ void setp_##name(bool& to, T a, T b) { \
    to = a op b;                                         \
  }
SIMT_SETP(eq, ==)
SIMT_SETP(ne, !=)
SIMT_SETP(lt, <)
SIMT_SETP(le, <=)
SIMT_SETP(gt, >)
SIMT_SETP(ge, >=)
SIMT_SETP(lo, <)
SIMT_SETP(ls, <=)
SIMT_SETP(hi, >)
SIMT_SETP(hs, >=)
#undef SIMT_SETP

}  // namespace ptx
}  // namespace simt

// The pointer must point into shared memory.
__forceinline__ size_t __cvta_generic_to_shared(const void* pointer, SIMT_PLACE) {
  return simt::shared_address(pointer, file, line);
}
#undef SIMT_PLACE
