#include "matrices/product.h"

#include <cstring>

#include "simt/api/fp8.h"
#include "simt/api/half.h"

namespace simt {
namespace {

typedef float Floats __attribute__((vector_size(32)));

// Keeps four rows of 16 columns in registers.
__attribute__((always_inline)) inline void multiply_tile(float* d, const Operands& o, unsigned row,
                                                         unsigned col, unsigned cols,
                                                         unsigned depth) {
  const bool two = col + 8 < cols;
  Floats sums[4][2] = {};
  for (unsigned i = 0; i < 4; ++i) {
    std::memcpy(&sums[i][0], &d[(row + i) * kMostCols + col], sizeof(Floats));
    if (two) std::memcpy(&sums[i][1], &d[(row + i) * kMostCols + col + 8], sizeof(Floats));
  }
  for (unsigned k = 0; k < depth; ++k) {
    Floats left, right;
    std::memcpy(&left, &o.b[k][col], sizeof left);
    std::memcpy(&right, &o.b[k][two ? col + 8 : col], sizeof right);
    for (unsigned i = 0; i < 4; ++i) {
      sums[i][0] += o.a[row + i][k] * left;
      sums[i][1] += o.a[row + i][k] * right;
    }
  }
  for (unsigned i = 0; i < 4; ++i) {
    std::memcpy(&d[(row + i) * kMostCols + col], &sums[i][0], sizeof(Floats));
    if (two) std::memcpy(&d[(row + i) * kMostCols + col + 8], &sums[i][1], sizeof(Floats));
  }
}

__attribute__((always_inline)) inline void multiply_all(float* d, const Operands& o, unsigned cols,
                                                        unsigned depth) {
  for (unsigned col = 0; col < cols; col += 16) {
    for (unsigned row = 0; row < 16; row += 4) {
      multiply_tile(d, o, row, col, cols, depth);
    }
  }
}

#ifdef __x86_64__
__attribute__((target("avx2,fma"))) void multiply_avx2(float* d, const Operands& o, unsigned cols,
                                                       unsigned depth) {
  multiply_all(d, o, cols, depth);
}
__attribute__((target("f16c,avx"))) void widen_f16c(const void* unit, float* to) {
  typedef short Halves __attribute__((vector_size(16)));
  Halves halves;
  std::memcpy(&halves, unit, sizeof halves);
  const Floats floats = __builtin_ia32_vcvtph2ps256(halves);
  std::memcpy(to, &floats, sizeof floats);
}
#else
void multiply_avx2(float*, const Operands&, unsigned, unsigned) {}
void widen_f16c(const void*, float*) {}
#endif

// Eight bfloat16, which are the upper halves of floats.
void widen_bf16(const void* unit, float* to) {
  typedef uint16_t Halves __attribute__((vector_size(16)));
  typedef uint32_t Words __attribute__((vector_size(32)));
  Halves halves;
  std::memcpy(&halves, unit, sizeof halves);
  const Words words = __builtin_convertvector(halves, Words) << 16;
  std::memcpy(to, &words, sizeof words);
}

float from_word(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace

void widen(Element type, const void* unit, float* to) {
  if (type == Element::F16 && has_avx2) {
    return widen_f16c(unit, to);
  }
  if (type == Element::BF16) {
    return widen_bf16(unit, to);
  }
  uint8_t bytes[16];
  std::memcpy(bytes, unit, sizeof bytes);
  const unsigned size = bytes_of(type);
  for (unsigned i = 0; i < 16 / size; ++i) {
    uint32_t bits = 0;
    std::memcpy(&bits, &bytes[size_t(i) * size], size);
    switch (type) {
      case Element::F16:
        to[i] = half_value(uint16_t(bits));
        break;
      case Element::TF32:
        to[i] = from_word(bits & ~0x1fffu);  // tensor cores ignore the lowest 13 bits
        break;
      case Element::S8:
        to[i] = float(int8_t(bits));
        break;
      case Element::U8:
        to[i] = float(bits);
        break;
      default:
        to[i] = fp8_value(uint8_t(bits), type == Element::E4M3);
    }
  }
}

// As in the PTX manual: a lane's registers hold neighbours along K in its row, those in the row 8 below, then the same
// in the second half of K.
void widen_registers(Element type, const uint32_t registers[32][4], Operands& to) {
  const unsigned each = 4 / bytes_of(type);  // elements in a register
  for (unsigned lane = 0; lane < 32; ++lane) {
    float all[16];
    widen(type, registers[lane], all);
    for (unsigned i = 0; i < 4 * each; ++i) {
      const unsigned reg = i / each;
      to.a[lane / 4 + reg % 2 * 8][reg / 2 * 4 * each + lane % 4 * each + i % each] = all[i];
    }
  }
}

// A float holds one product's sum exactly, but not always the sum of many products.
void multiply_add_integers(float* d, const Operands& operands, unsigned cols, unsigned depth) {
  alignas(64) float sums[16 * kMostCols] = {};
  multiply_add(sums, operands, cols, depth);
  for (unsigned i = 0; i < 16 * kMostCols; ++i) {
    uint32_t sum;
    std::memcpy(&sum, &d[i], sizeof sum);
    sum += uint32_t(int32_t(sums[i]));
    std::memcpy(&d[i], &sum, sizeof sum);
  }
}

void multiply_add(float* d, const Operands& operands, unsigned cols, unsigned depth) {
  has_avx2 ? multiply_avx2(d, operands, cols, depth) : multiply_all(d, operands, cols, depth);
}

}  // namespace simt
