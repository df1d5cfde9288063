// More PTX of a warp's matrices (see ptx.h): mma.sync in all forms, ldmatrix with generic addresses, movmatrix.
#pragma once
#include <utility>

#include "simt/shim/ptx.h"
#include "simt/shim/ptx/accesses.h"

namespace simt {
namespace ptx {

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

// The operands in the order of the instruction: D, A, B, C.
template <unsigned M, unsigned K, Fragment SUM, Fragment A, Fragment B, bool SATURATE>
class Mma {
  static constexpr unsigned bits_of(Fragment f) {
    return f == Fragment::f64                                                ? 64
           : f == Fragment::f32 || f == Fragment::s32 || f == Fragment::tf32 ? 32
           : f == Fragment::f16 || f == Fragment::bf16                       ? 16
                                                                             : 8;
  }
  // The registers of a lane for `elements` elements of the warp.
  static constexpr unsigned registers(unsigned elements, Fragment f) {
    return elements / 32 * bits_of(f) / (f == Fragment::f64 ? 64 : 32);
  }
  static constexpr unsigned SUMS = registers(M * 8, SUM), A_AT = SUMS,
                            B_AT = A_AT + registers(M * K, A), C_AT = B_AT + registers(K * 8, B);

 public:
  __forceinline__ explicit Mma(SIMT_PLACE) : file_(file), line_(line) {}

  template <typename... R>
  __forceinline__ void operator()(R&&... r) const {
    static_assert(sizeof...(R) == C_AT + SUMS, "mma: another number of registers");
    run(std::index_sequence_for<R...>(), r...);
  }

 private:
  template <size_t... I, typename... R>
  __forceinline__ void run(std::index_sequence<I...>, R&... r) const {
    uint64_t all[] = {I < SUMS ? 0 : bits_in(r)...};
    multiply_fragments({M, K, SUM, A, B, SATURATE}, all + A_AT, all + B_AT, all + C_AT, file_,
                       line_);
    (set<(I < SUMS)>(r, all[C_AT + (I < SUMS ? I : 0)]), ...);
  }
  template <bool IS_SUM, typename R>
  __forceinline__ static void set(R& r, uint64_t bits) {
    if constexpr (IS_SUM) {
      __builtin_memcpy(&r, &bits, sizeof r);
    }
  }

  const char* file_;
  int line_;
};

// Generic addresses.
template <typename A>
__forceinline__ uint32_t address_in_shared(A address, const char* file, int line) {
  return shared_address(reinterpret_cast<const void*>(get<uint64_t>(address)), file, line);
}
template <bool TRANSPOSED, typename R, typename A>
__forceinline__ void ldmatrix_generic(R& r0, A address, SIMT_PLACE) {
  ldmatrix<TRANSPOSED>(r0, address_in_shared(address, file, line), file, line);
}
template <bool TRANSPOSED, typename R, typename A>
__forceinline__ void ldmatrix_generic(R& r0, R& r1, A address, SIMT_PLACE) {
  ldmatrix<TRANSPOSED>(r0, r1, address_in_shared(address, file, line), file, line);
}
template <bool TRANSPOSED, typename R, typename A>
__forceinline__ void ldmatrix_generic(R& r0, R& r1, R& r2, R& r3, A address, SIMT_PLACE) {
  ldmatrix<TRANSPOSED>(r0, r1, r2, r3, address_in_shared(address, file, line), file, line);
}
template <typename R>
__forceinline__ void movmatrix(R& to, uint32_t from, SIMT_PLACE) {
  to = R(transpose_matrix(from, file, line));
}
#undef SIMT_PLACE

}  // namespace ptx
}  // namespace simt
