// wgmma of inline assembly: see ptx.h. A product takes the variables of its sums by reference and writes to them when
// it is complete.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "simt/api/qualifiers.h"
#include "simt/api/warpgroup.h"

namespace simt {
namespace ptx {

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

// The operands in the order of the instruction: the sums, A, B, scale-d, for floats the signs of A and B, and for
// 16-bit elements whether A and B are transposed (A only in shared memory).
template <unsigned COLS, Element A, Element B, bool HALF_SUMS, bool A_IN_REGISTERS>
class Wgmma {
 public:
  explicit Wgmma(SIMT_PLACE) : file_(file), line_(line) {}

  template <typename... Operands>
  __attribute__((always_inline)) void operator()(Operands&&... operands) const {
    start(operands...);
  }

 private:
  // Not inlined: taking so many addresses is much code that does not belong to the kernel.
  template <typename... Operands>
  SIMT_UNCHECKED __attribute__((noinline)) void start(const Operands&... operands) const {
    constexpr ProductForm FORM{COLS, A, B, HALF_SUMS, A_IN_REGISTERS, false, false, 1, 1};
    constexpr unsigned SUMS = FORM.registers(), B_AT = SUMS + (A_IN_REGISTERS ? 4 : 1);
    constexpr size_t SIZES[] = {sizeof(operands)...};
    static_assert(SIZES[0] == 4 && SIZES[SUMS] == (A_IN_REGISTERS ? 4 : 8) && SIZES[B_AT] == 8,
                  "wgmma: an \"r\" has 32 bits, an \"l\" 64");
    const void* const addresses[] = {&operands...};
    const uint64_t values[] = {value_of(operands)...};
    const uint64_t* const rest = &values[B_AT];
    Product product{FORM, rest[1] != 0, values[SUMS], rest[0], {}, nullptr, file_, line_};
    for (unsigned i = 0; i < 4 && A_IN_REGISTERS; ++i) {
      product.a_registers[i] = uint32_t(values[SUMS + i]);
    }
    if (!FORM.integers()) {
      product.form.sign_a = int8_t(rest[2]);
      product.form.sign_b = int8_t(rest[3]);
    }
    if (bytes_of(A) == 2) {
      product.form.transposed_a = !A_IN_REGISTERS && rest[4] != 0;
      product.form.transposed_b = rest[A_IN_REGISTERS ? 4 : 5] != 0;
    }
    product.pc = __builtin_return_address(0);
    start_product(product, const_cast<void* const*>(addresses));
  }
  template <typename T>
  SIMT_UNCHECKED static uint64_t value_of(const T& operand) {
    if constexpr (std::is_integral_v<T>) {
      return uint64_t(operand);
    } else {
      return 0;
    }
  }

  const char* file_;
  int line_;
};

__forceinline__ void wgmma_fence(SIMT_PLACE) {
  fence_products(file, line);
}
__forceinline__ void wgmma_commit_group(SIMT_PLACE) {
  commit_products(file, line);
}
__forceinline__ void wgmma_wait_group(int latest, SIMT_PLACE) {
  wait_for_products(unsigned(latest), file, line);
}
__forceinline__ void setmaxnreg_inc(int count, SIMT_PLACE) {
  set_registers(true, unsigned(count), file, line);
}
__forceinline__ void setmaxnreg_dec(int count, SIMT_PLACE) {
  set_registers(false, unsigned(count), file, line);
}
#undef SIMT_PLACE

}  // namespace ptx
}  // namespace simt
