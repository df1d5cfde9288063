// Sums as Hopper's tensor cores form them, after "MMA-Sim: Bit-Accurate Reference Model of Tensor Cores and Matrix Cores"
// (Xie and others, arXiv 2511.10909) and "Accurate Models of NVIDIA Tensor Cores" (Khattak and Mikaitis, arXiv
// 2512.07004).
#include <algorithm>
#include <cmath>
#include <cstring>

#include "matrices/product.h"

namespace simt {
namespace {

constexpr unsigned kLanes = 8;
typedef float Floats __attribute__((vector_size(4 * kLanes)));
typedef int32_t Ints __attribute__((vector_size(4 * kLanes)));

constexpr int kLeast = -126;  // of normal floats
constexpr int kNone = -1000;  // the exponent of 0

int least_exponent(Element type) {
  return type == Element::E4M3 ? -6 : type == Element::F16 || type == Element::E5M2 ? -14 : kLeast;
}

int exponent_bits(float x) {
  int bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits >> 23 & 255;
}

// 2^n, for -126 <= n <= 127.
float power(int n) {
  const int bits = (n + 127) << 23;
  float result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

// x = fraction * 2^exponent / 2. The fraction of a subnormal operand is small, because its exponent is the least one.
struct Parts {
  float fraction;
  int exponent;
};
Parts parts_of(float x, int least) {
  const int exponent = std::max(exponent_bits(x) - 127, least);
  return {x * power(1 - exponent), x == 0 ? kNone : exponent};
}

struct Split {
  alignas(64) float a[16][kMostDepth], b[kMostDepth][kMostCols];
  alignas(64) int exponents_a[16][kMostDepth], exponents_b[kMostDepth][kMostCols];

  Split(const Operands& o, unsigned cols, unsigned depth, const Cut& cut) {
    const int least_a = least_exponent(cut.a), least_b = least_exponent(cut.b);
    for (unsigned k = 0; k < depth; ++k) {
      for (unsigned row = 0; row < 16; ++row) {
        const Parts parts = parts_of(o.a[row][k], least_a);
        a[row][k] = parts.fraction, exponents_a[row][k] = parts.exponent;
      }
      for (unsigned col = 0; col < cols; ++col) {
        const Parts parts = parts_of(o.b[k][col], least_b);
        b[k][col] = parts.fraction, exponents_b[k][col] = parts.exponent;
      }
    }
  }
};

// The sums of the products of a row, from col on: as integers in units of 2^(largest - kept). Sixteen products fit in
// one integer. largest: in, the exponents of the sums so far; out, the largest exponents.
struct Total {
  Ints halves[2] = {}, largest;
};

__attribute__((always_inline)) inline void add_products(const Split& s, unsigned row, unsigned col,
                                                        unsigned depth, int kept, Total& total) {
  for (unsigned k = 0; k < depth; ++k) {
    Ints exponents;
    std::memcpy(&exponents, &s.exponents_b[k][col], sizeof exponents);
    exponents += s.exponents_a[row][k];
    total.largest = exponents > total.largest ? exponents : total.largest;
  }
  for (unsigned k = 0; k < depth; ++k) {
    Ints exponents;
    Floats b;
    std::memcpy(&exponents, &s.exponents_b[k][col], sizeof exponents);
    std::memcpy(&b, &s.b[k][col], sizeof b);
    Ints shift = exponents + s.exponents_a[row][k] - total.largest + (kept - 2);
    shift = ((shift > -20 ? shift : Ints{} - 20) + 127) << 23;  // 2^-20: all bits are cut off
    Floats factor;
    std::memcpy(&factor, &shift, sizeof factor);
    total.halves[k / 16] += __builtin_convertvector(s.a[row][k] * b * factor, Ints);  // toward 0
  }
}

// Rounds toward 0 to so many fraction bits; fewer below the normal floats.
float cut_off(double value, int fraction) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const int exponent = int(bits >> 52 & 0x7ff) - 1023;
  fraction += std::min(exponent - kLeast, 0);
  if (fraction < 0) return 0;
  bits &= ~uint64_t(0) << (52 - fraction);
  std::memcpy(&value, &bits, sizeof bits);
  return float(value);
}

__attribute__((always_inline)) inline void cut_tiles(float* d, const Split& s, unsigned cols,
                                                     unsigned depth, const Cut& cut) {
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned col = 0; col < cols; col += kLanes) {
      float* const to = &d[row * kMostCols + col];
      Total total;
      for (unsigned i = 0; i < kLanes; ++i) {
        total.largest[i] = std::max(exponent_bits(to[i]) - 127, kLeast);
      }
      add_products(s, row, col, depth, cut.kept, total);
      for (unsigned i = 0; i < kLanes; ++i) {
        const int unit = total.largest[i] - cut.kept;
        const double sum = double(total.halves[0][i]) + double(total.halves[1][i]) +
                           std::trunc(std::ldexp(double(to[i]), -unit));
        to[i] = cut_off(std::ldexp(sum, unit), cut.result);
      }
    }
  }
}

#ifdef __x86_64__
__attribute__((target("avx2,fma"))) void cut_tiles_avx2(float* d, const Split& s, unsigned cols,
                                                        unsigned depth, const Cut& cut) {
  cut_tiles(d, s, cols, depth, cut);
}
#else
void cut_tiles_avx2(float*, const Split&, unsigned, unsigned, const Cut&) {}
#endif

}  // namespace

void multiply_add_cut(float* d, const Operands& operands, unsigned cols, unsigned depth,
                      const Cut& cut) {
  alignas(64) float plain[16 * kMostCols];  // shows infinities and NaNs
  std::copy_n(d, size_t{16} * kMostCols, plain);
  multiply_add(plain, operands, cols, depth);
  const Split parts(operands, cols, depth, cut);
  has_avx2 ? cut_tiles_avx2(d, parts, cols, depth, cut) : cut_tiles(d, parts, cols, depth, cut);
  for (unsigned i = 0; i < 16 * kMostCols; ++i) {
    if (!std::isfinite(plain[i])) d[i] = plain[i];
  }
}

void multiply_add_cut(const SmallProduct& p, const Cut& cut) {
  for (unsigned row0 = 0; row0 < p.rows; row0 += 16) {
    Operands operands = {};
    alignas(64) float d[16 * kMostCols] = {};
    for (unsigned k = 0; k < p.depth; ++k) {
      std::copy_n(&p.b[size_t(k) * p.ldb], p.cols, operands.b[k]);
    }
    for (unsigned row = 0; row < 16; ++row) {
      std::copy_n(&p.a[size_t(row0 + row) * p.lda], p.depth, operands.a[row]);
      std::copy_n(&p.d[size_t(row0 + row) * p.ldd], p.cols, &d[size_t(row) * kMostCols]);
    }
    multiply_add_cut(d, operands, p.cols, p.depth, cut);
    for (unsigned row = 0; row < 16; ++row) {
      std::copy_n(&d[size_t(row) * kMostCols], p.cols, &p.d[size_t(row0 + row) * p.ldd]);
    }
  }
}

}  // namespace simt
