// nvcuda::wmma: fragments of halves, bfloat16, tf32, bytes and doubles in CUDA's shapes. The layout of a fragment is
// that of mma.sync in the PTX manual, as in nvcc's code from sm_80 on.
#pragma once
#include "simt/names/begin.h"

#include <type_traits>

#include "cuda_bf16.h"
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
namespace precision {
struct tf32;  // a 19-bit float in 32 bits
}

// The element type of a fragment of T.
template <typename T>
struct Element {
  using Stored = T;
};
template <>
struct Element<precision::tf32> {
  using Stored = float;
};
template <typename T>
using Stored = typename Element<T>::Stored;

template <typename T>
constexpr simt::FragmentType type_of() {
  using Type = simt::FragmentType;
  return std::is_same_v<T, half>              ? Type::F16
         : std::is_same_v<T, __nv_bfloat16>   ? Type::BF16
         : std::is_same_v<T, signed char>     ? Type::S8
         : std::is_same_v<T, unsigned char>   ? Type::U8
         : std::is_same_v<T, precision::tf32> ? Type::TF32
         : std::is_same_v<T, int>             ? Type::S32
         : std::is_same_v<T, double>          ? Type::F64
                                              : Type::F32;
}

// The supported shapes and types.
template <bool INPUT, int M, int N, int K, typename T>
constexpr bool exists() {
  using Type = simt::FragmentType;
  constexpr Type type = type_of<T>();
  constexpr bool sixteen = (M == 16 && N == 16 && K == 16) || (M == 32 && N == 8 && K == 16) ||
                           (M == 8 && N == 32 && K == 16);
  constexpr bool tf32 = M == 16 && N == 16 && K == 8, f64 = M == 8 && N == 8 && K == 4;
  if (!std::is_same_v<T, float> && type == Type::F32) {
    return false;
  }
  switch (type) {
    case Type::F16:
      return sixteen;
    case Type::BF16:
    case Type::S8:
    case Type::U8:
      return sixteen && INPUT;
    case Type::TF32:
      return tf32 && INPUT;
    case Type::F64:
      return f64;
    case Type::F32:
      return (sixteen || tf32) && !INPUT;
    default:
      return sixteen && !INPUT;
  }
}

template <typename Use, int M, int N, int K, typename T, typename Layout = void>
struct fragment {
  static constexpr bool input = !std::is_same_v<Use, accumulator>;
  static_assert(
      exists<input, M, N, K, T>(),
      "the CPU backend has no fragment of this shape and type: halves, bfloat16 and bytes "
      "in 16 x 16 x 16, 32 x 8 x 16 and 8 x 32 x 16, tf32 in 16 x 16 x 8, double in 8 x 8 x 4");
  static_assert(input != std::is_void_v<Layout>,
                "a fragment of matrix_a or matrix_b needs a layout, wmma::row_major or "
                "wmma::col_major; an accumulator has none");
  using element_type = T;
  using storage_element_type = Stored<T>;
  static constexpr int elements = (std::is_same_v<Use, matrix_a>   ? M * K
                                   : std::is_same_v<Use, matrix_b> ? K * N
                                                                   : M * N) /
                                  32;
  // A lane holds the elements of a half operand several times, 16 in all.
  static constexpr int num_elements = input && std::is_same_v<T, half> ? 16 : elements;
  static constexpr int num_storage_elements = num_elements;
  Stored<T> x[num_elements];

  // Half operands of 16 x 16 x 16, and float accumulators, have functions of their own.
  static constexpr bool usual =
      M == 16 && N == 16 && K == 16 && std::is_same_v<T, std::conditional_t<input, half, float>>;
  static constexpr simt::FragmentForm form() {
    return {std::is_same_v<Use, matrix_a>   ? simt::FragmentUse::A
            : std::is_same_v<Use, matrix_b> ? simt::FragmentUse::B
                                            : simt::FragmentUse::Accumulator,
            type_of<T>(),
            M,
            N,
            K,
            num_elements / elements};
  }
};

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

template <typename Use, int M, int N, int K, typename T, typename Layout, typename Value>
__forceinline__ void fill_fragment(fragment<Use, M, N, K, T, Layout>& f, const Value& value) {
  for (Stored<T>& x : f.x) {
    x = Stored<T>(value);
  }
}
// The address must be a multiple of 32 bytes, the stride a multiple of 16 bytes.
template <typename Use, int M, int N, int K, typename T, typename Layout>
__forceinline__ void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& f, const Stored<T>* memory,
                                      unsigned stride, SIMT_PLACE) {
  using Fragment = fragment<Use, M, N, K, T, Layout>;
  static_assert(Fragment::input, "an accumulator is loaded with a layout: mem_row_major");
  const simt::Tile tile{const_cast<Stored<T>*>(memory), stride, std::is_same_v<Layout, col_major>,
                        file, line};
  if constexpr (!Fragment::usual) {
    simt::load_fragment(f.x, Fragment::form(), tile);
  } else if constexpr (std::is_same_v<Use, matrix_a>) {
    simt::load_a(f.x, tile);
  } else {
    simt::load_b(f.x, tile);
  }
}
template <int M, int N, int K, typename T>
__forceinline__ void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const Stored<T>* memory,
                                      unsigned stride, layout_t layout, SIMT_PLACE) {
  using Fragment = fragment<accumulator, M, N, K, T>;
  const simt::Tile tile{const_cast<T*>(memory), stride, layout == mem_col_major, file, line};
  if constexpr (Fragment::usual) {
    simt::load_accumulator(f.x, tile);
  } else {
    simt::load_fragment(f.x, Fragment::form(), tile);
  }
}
template <int M, int N, int K, typename T>
__forceinline__ void store_matrix_sync(Stored<T>* memory,
                                       const fragment<accumulator, M, N, K, T>& f, unsigned stride,
                                       layout_t layout, SIMT_PLACE) {
  using Fragment = fragment<accumulator, M, N, K, T>;
  const simt::Tile tile{memory, stride, layout == mem_col_major, file, line};
  if constexpr (Fragment::usual) {
    simt::store_accumulator(f.x, tile);
  } else {
    simt::store_fragment(f.x, Fragment::form(), tile);
  }
}

template <typename T, typename C, typename D>
constexpr bool accumulates() {
  constexpr bool floats = std::is_same_v<T, __nv_bfloat16> || std::is_same_v<T, precision::tf32>;
  constexpr bool halves = std::is_same_v<T, half> && !std::is_same_v<C, int>;
  using Sum =
      std::conditional_t<floats, float, std::conditional_t<sizeof(Stored<T>) == 8, double, int>>;
  return halves || (std::is_same_v<C, Sum> && std::is_same_v<D, Sum>);
}
// Calls with too few or too many arguments.
template <typename Use, int M, int N, int K, typename T, typename Layout>
void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& f, const Stored<T>* memory,
                      unsigned stride, layout_t layout) {
  static_assert(std::is_same_v<Use, accumulator>,
                "load_matrix_sync() of A or B takes no layout: the fragment's type has it");
}
template <int M, int N, int K, typename T>
void store_matrix_sync(Stored<T>* memory, const fragment<accumulator, M, N, K, T>& f,
                       unsigned stride) {
  static_assert(M == 0, "store_matrix_sync() needs a layout: wmma::mem_row_major");
}
template <int M, int N, int K, typename T, typename LayoutA, typename LayoutB, typename D>
void mma_sync(fragment<accumulator, M, N, K, D>& d,
              const fragment<matrix_a, M, N, K, T, LayoutA>& a,
              const fragment<matrix_b, M, N, K, T, LayoutB>& b) {
  static_assert(M == 0, "mma_sync(d, a, b, c) takes four fragments: d = a * b + c");
}
// d = a * b + c. saturates: integers do not wrap around.
template <int M, int N, int K, typename T, typename LayoutA, typename LayoutB, typename C,
          typename D>
__forceinline__ void mma_sync(fragment<accumulator, M, N, K, D>& d,
                              const fragment<matrix_a, M, N, K, T, LayoutA>& a,
                              const fragment<matrix_b, M, N, K, T, LayoutB>& b,
                              const fragment<accumulator, M, N, K, C>& c, bool saturates,
                              SIMT_PLACE) {
  static_assert(accumulates<T, C, D>(), "CUDA has no product of these types");
  using FragmentA = fragment<matrix_a, M, N, K, T, LayoutA>;
  if constexpr (FragmentA::usual && std::is_same_v<C, float> && std::is_same_v<D, float>) {
    simt::multiply(d.x, a.x, b.x, c.x, file, line);
  } else {
    static constexpr simt::FragmentForm forms[4] = {
        FragmentA::form(), fragment<matrix_b, M, N, K, T, LayoutB>::form(),
        fragment<accumulator, M, N, K, C>::form(), fragment<accumulator, M, N, K, D>::form()};
    simt::multiply_fragments(d.x, a.x, b.x, c.x,
                             {forms[0], forms[1], forms[2], forms[3], saturates}, file, line);
  }
}
template <int M, int N, int K, typename T, typename LayoutA, typename LayoutB, typename C,
          typename D>
__forceinline__ void mma_sync(fragment<accumulator, M, N, K, D>& d,
                              const fragment<matrix_a, M, N, K, T, LayoutA>& a,
                              const fragment<matrix_b, M, N, K, T, LayoutB>& b,
                              const fragment<accumulator, M, N, K, C>& c, SIMT_PLACE) {
  mma_sync(d, a, b, c, false, file, line);
}
#undef SIMT_PLACE

// A float rounded to tf32, to nearest; ties round away from zero.
inline float __float_to_tf32(float x) {
  if (!std::isfinite(x)) {
    return x;
  }
  return simt::bits_as<float>((simt::bits_as<unsigned>(x) + 0x1000u) & ~0x1fffu);
}

}  // namespace wmma
}  // namespace nvcuda

#include "simt/names/end.h"
