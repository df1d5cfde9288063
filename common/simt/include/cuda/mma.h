// nvcuda::wmma for 16 x 16 x 16 half tiles with float accumulators. A fragment's elements lie where
// the PTX manual puts those of mma.m16n8k16, which is what nvcc's code does from sm_80 on.
#pragma once
#include <type_traits>

#include "cuda_fp16.h"
#include "simt/api/qualifiers.h"
#include "simt/api/tiles.h"

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

template <typename Use, int M, int N, int K, typename T, typename Layout = void>
struct fragment {
  static_assert(M == 16 && N == 16 && K == 16, "the CPU backend has 16 x 16 x 16 fragments only");
  static constexpr bool input = !std::is_same_v<Use, accumulator>;
  static_assert(std::is_same_v<T, std::conditional_t<input, half, float>>,
                "the CPU backend multiplies half fragments and accumulates in float");
  // Each lane holds its eight elements of an input fragment twice.
  static constexpr int num_elements = input ? 16 : 8;
  T x[num_elements];
};

template <typename Layout>
using fragment_a = fragment<matrix_a, 16, 16, 16, half, Layout>;
template <typename Layout>
using fragment_b = fragment<matrix_b, 16, 16, 16, half, Layout>;
using fragment_acc = fragment<accumulator, 16, 16, 16, float>;

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

template <typename Use, typename T, typename Layout, typename Value>
__forceinline__ void fill_fragment(fragment<Use, 16, 16, 16, T, Layout>& f, const Value& value) {
  for (T& x : f.x) {
    x = value;
  }
}
// The address must be a multiple of 32 bytes, stride a multiple of 8 halves or 4 floats.
template <typename Layout>
__forceinline__ void load_matrix_sync(fragment_a<Layout>& f, const half* memory, unsigned stride,
                                      SIMT_PLACE) {
  simt::load_a(f.x,
               {const_cast<half*>(memory), stride, std::is_same_v<Layout, col_major>, file, line});
}
template <typename Layout>
__forceinline__ void load_matrix_sync(fragment_b<Layout>& f, const half* memory, unsigned stride,
                                      SIMT_PLACE) {
  simt::load_b(f.x,
               {const_cast<half*>(memory), stride, std::is_same_v<Layout, col_major>, file, line});
}
__forceinline__ void load_matrix_sync(fragment_acc& f, const float* memory, unsigned stride,
                                      layout_t layout, SIMT_PLACE) {
  simt::load_accumulator(f.x,
                         {const_cast<float*>(memory), stride, layout == mem_col_major, file, line});
}
__forceinline__ void store_matrix_sync(float* memory, const fragment_acc& f, unsigned stride,
                                       layout_t layout, SIMT_PLACE) {
  simt::store_accumulator(f.x, {memory, stride, layout == mem_col_major, file, line});
}
// d = a * b + c
template <typename LayoutA, typename LayoutB>
__forceinline__ void mma_sync(fragment_acc& d, const fragment_a<LayoutA>& a,
                              const fragment_b<LayoutB>& b, const fragment_acc& c, SIMT_PLACE) {
  simt::multiply(d.x, a.x, b.x, c.x, file, line);
}
#undef SIMT_PLACE

}  // namespace wmma
}  // namespace nvcuda
