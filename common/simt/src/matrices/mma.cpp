// Inline PTX: mma.sync in all of its forms, and movmatrix. Fragments lie as in the PTX manual's figures.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "execution/execution.h"
#include "matrices/fragments.h"
#include "races/races.h"
#include "simt/api/bfloat16.h"
#include "simt/api/half.h"
#include "simt/api/ptx.h"

namespace simt {
namespace {

struct FormOperands {
  const MmaForm* form;
  const uint64_t* a;
  const uint64_t* b;
  uint64_t* sums;
  bool differs;
};

unsigned width_of(Fragment f) {
  switch (f) {
    case Fragment::f64:
      return 64;
    case Fragment::f16:
    case Fragment::bf16:
      return 16;
    case Fragment::tf32:
    case Fragment::f32:
    case Fragment::s32:
      return 32;
    default:
      return 8;
  }
}

// An element of a register. Products of any two are exact as doubles, except those of doubles.
double element_value(Fragment f, uint64_t bits) {
  switch (f) {
    case Fragment::f16:
      return half_value(uint16_t(bits));
    case Fragment::bf16:
      return bfloat16_value(uint16_t(bits));
    case Fragment::tf32:
    case Fragment::f32: {
      // Tensor cores ignore the lowest 13 bits of tf32.
      const uint32_t word = uint32_t(bits) & (f == Fragment::tf32 ? ~0x1fffu : ~0u);
      float value;
      std::memcpy(&value, &word, sizeof value);
      return value;
    }
    case Fragment::f64: {
      double value;
      std::memcpy(&value, &bits, sizeof value);
      return value;
    }
    case Fragment::s32:
      return int32_t(bits);
    case Fragment::s8:
      return int8_t(bits);
    case Fragment::u8:
      return uint8_t(bits);
    default:
      return byte_float_value(f, uint8_t(bits));
  }
}

uint64_t element_bits(const uint64_t* registers, Fragment f, unsigned reg, unsigned i) {
  const unsigned bits = width_of(f);
  return bits == 64 ? registers[reg] : registers[reg] >> i * bits & ((uint64_t(1) << bits) - 1);
}

// Elements in a register of a fragment.
unsigned each_of(Fragment f) {
  return f == Fragment::f64 ? 1 : 32 / width_of(f);
}

constexpr unsigned kMostK = 32;

// T: the type of the sums, float or double. A row of the sums is one vector.
template <typename T>
struct Factors {
  typedef T Row __attribute__((vector_size(8 * sizeof(T))));
  T a[16][kMostK];
  union {
    Row row;
    T col[8];
  } b[kMostK], sums[16];
};

// A lane's registers of A hold neighbours along K in a row, then those in the row 8 below if there is one, then the
// same further along K. Those of B hold neighbours along K in a column. Those of the sums hold two neighbours in a row,
// then those in the row 8 below.
template <typename Use>
void for_each_a(const MmaForm& form, Use use) {
  const unsigned each = each_of(form.a), rows = form.m / 8;
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned reg = 0; reg < form.k / each / 4 * rows; ++reg) {
      for (unsigned i = 0; i < each; ++i) {
        use(lane, reg, i, lane / 4 + reg % rows * 8, (reg / rows * 4 + lane % 4) * each + i);
      }
    }
  }
}
template <typename Use>
void for_each_b(const MmaForm& form, Use use) {
  const unsigned each = each_of(form.b);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned reg = 0; reg < form.k / each / 4; ++reg) {
      for (unsigned i = 0; i < each; ++i) {
        use(lane, reg, i, (reg * 4 + lane % 4) * each + i, lane / 4);
      }
    }
  }
}
template <typename Use>
void for_each_sum(const MmaForm& form, Use use) {
  const unsigned each = each_of(form.sum);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned number = 0; number < form.m / 4u; ++number) {
      use(lane, number / each, number % each, lane / 4 + number / 2 * 8, lane % 4 * 2 + number % 2);
    }
  }
}

Element element_of(Fragment f) {
  switch (f) {
    case Fragment::f16:
      return Element::F16;
    case Fragment::bf16:
      return Element::BF16;
    case Fragment::tf32:
      return Element::TF32;
    default:
      return f == Fragment::e4m3 ? Element::E4M3 : Element::E5M2;
  }
}

// Adds in the order of k. Products are exact in the type of the sums, except those of doubles, which are fused.
template <typename T>
void multiply_factors(const MmaForm& form, Factors<T>& m) {
  if constexpr (std::is_same_v<T, float>) {
    const SmallProduct product{m.sums[0].col, m.a[0], m.b[0].col, 8, kMostK, 8, form.m, 8, form.k};
    const Cut cut{element_of(form.a), element_of(form.b)};
    if (sums_are_cut()) return multiply_add_cut(product, cut);
  }
  for (unsigned row = 0; row < form.m; ++row) {
    for (unsigned k = 0; k < form.k; ++k) {
      if (form.sum != Fragment::f64) {
        m.sums[row].row += m.a[row][k] * m.b[k].row;
        continue;
      }
      for (unsigned col = 0; col < 8; ++col) {
        m.sums[row].col[col] = T(std::fma(m.a[row][k], m.b[k].col[col], m.sums[row].col[col]));
      }
    }
  }
}

uint64_t sum_bits(const MmaForm& form, double value) {
  uint64_t bits = 0;
  if (form.sum == Fragment::f64) {
    std::memcpy(&bits, &value, sizeof value);
  } else if (form.sum == Fragment::f32) {
    const float narrow = float(value);
    std::memcpy(&bits, &narrow, sizeof narrow);
  } else if (form.sum == Fragment::f16) {
    bits = half_bits(value);
  } else {
    const double inside = std::min(std::max(value, -0x1p31), 0x1p31 - 1);
    bits = uint32_t(int64_t(form.saturate ? inside : value));
  }
  return bits;
}

template <typename T>
void multiply_as(void* const arguments[32]) {
  const auto of = [&](unsigned lane) -> FormOperands& {
    return *static_cast<FormOperands*>(arguments[lane]);
  };
  const MmaForm& form = *of(0).form;
  Factors<T> m;
  for_each_a(form, [&](unsigned lane, unsigned reg, unsigned i, unsigned row, unsigned k) {
    m.a[row][k] = T(element_value(form.a, element_bits(of(lane).a, form.a, reg, i)));
  });
  for_each_b(form, [&](unsigned lane, unsigned reg, unsigned i, unsigned k, unsigned col) {
    m.b[k].col[col] = T(element_value(form.b, element_bits(of(lane).b, form.b, reg, i)));
  });
  for_each_sum(form, [&](unsigned lane, unsigned reg, unsigned i, unsigned row, unsigned col) {
    m.sums[row].col[col] =
        T(element_value(form.sum, element_bits(of(lane).sums, form.sum, reg, i)));
  });
  multiply_factors(form, m);
  for_each_sum(form, [&](unsigned lane, unsigned reg, unsigned i, unsigned row, unsigned col) {
    const uint64_t bits = sum_bits(form, double(m.sums[row].col[col]));
    uint64_t& to = of(lane).sums[reg];
    to = i == 0 ? bits : to | bits << 16;
  });
}

void multiply_in_form(void* const arguments[32]) {
  const MmaForm& form = *static_cast<FormOperands*>(arguments[0])->form;
  for (unsigned lane = 0; lane < 32; ++lane) {
    FormOperands& other = *static_cast<FormOperands*>(arguments[lane]);
    other.differs = std::memcmp(&form, other.form, sizeof form) != 0;
    if (other.differs) return;
  }
  form.sum == Fragment::f32 || form.sum == Fragment::f16 ? multiply_as<float>(arguments)
                                                         : multiply_as<double>(arguments);
}

struct Transposed {
  uint32_t from, to;
};

void transpose_all(void* const arguments[32]) {
  uint16_t matrix[8][8];
  for (size_t lane = 0; lane < 32; ++lane) {
    std::memcpy(&matrix[lane / 4][lane % 4 * 2], &static_cast<Transposed*>(arguments[lane])->from,
                4);
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned row = lane / 4, col = lane % 4 * 2;
    static_cast<Transposed*>(arguments[lane])->to =
        uint32_t(matrix[col + 1][row]) << 16 | matrix[col][row];
  }
}

}  // namespace

__attribute__((noinline)) void multiply_fragments(const MmaForm& form, const uint64_t* a,
                                                  const uint64_t* b, uint64_t* sums,
                                                  const char* file, int line) {
  FormOperands argument{&form, a, b, sums, false};
  Worker::current()->warp_op(WarpOp::MmaSync, ~0u, {file, line}, &argument, multiply_in_form);
  if (argument.differs) {
    Recorder::running->findings().report_and_abandon(
        ErrorKind::BadArgument, {file, line},
        "executes another form of mma.sync than lane 0 of its warp");
  }
  Recorder::running->log().multiplied(__builtin_return_address(0), form.m * form.k * 8u / 256,
                                      true);
}

uint32_t transpose_matrix(uint32_t elements, const char* file, int line) {
  Transposed argument{elements, 0};
  Worker::current()->warp_op(WarpOp::LdMatrix, ~0u, {file, line}, &argument, transpose_all);
  return argument.to;
}

}  // namespace simt
