// What wgmma computes, against operands that are laid out here as TMA lays them, element by element.
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "matrices/product.h"
#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/wgmma/wgmma.h"

namespace {

using wgmma::Task;
using wgmma::Type;

using Matrix = std::vector<float>;  // row-major
using Bytes = std::vector<uint8_t>;

// The value's bits in an element of that many bytes: small integers, exact in all types.
uint32_t bits_of(Type type, bool is_a, float value) {
  if (type == Type::F16 || type == Type::F16_HALF_SUMS) return half(value).bits;
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  if (type == Type::BF16) return bits >> 16;
  if (type == Type::TF32) return bits;
  const bool e4m3 = type == Type::E4M3 || (type == Type::MIXED && is_a);
  if (value == 0) return 0;
  const int fraction = e4m3 ? 3 : 2, exponent = int(bits >> 23 & 255) - 127 + (e4m3 ? 7 : 15);
  return bits >> 31 << 7 | uint32_t(exponent) << fraction |
         (bits >> (23 - fraction) & ((1u << fraction) - 1));
}

unsigned size_of(Type type) {
  return type == Type::TF32                                                       ? 4
         : type == Type::BF16 || type == Type::F16 || type == Type::F16_HALF_SUMS ? 2
                                                                                  : 1;
}

// How an operand lies: swizzled boxes whose rows have `span` bytes, 16 bytes without a swizzle.
struct Layout {
  unsigned span;
  bool transposed;  // rows of boxes run across K
  unsigned shift =
      0;  // units of 128 bytes from a multiple of 1024 to where the pattern of the swizzle begins
};

struct Placed {
  uint64_t descriptor;
  int at;
};

// Lays an operand of `lines` rows of A (columns of B), depth elements each, at the end of the image. Its first
// element is the skip-th along the rows of a box.
Placed place(Bytes& image, Layout layout, unsigned lines, unsigned depth, unsigned size,
             unsigned skip, const std::vector<uint32_t>& bits) {
  const bool swizzled = layout.span > 16;
  const unsigned per_row = layout.span / size;  // elements
  const unsigned rows = layout.transposed ? depth : lines, cols = layout.transposed ? lines : depth;
  const unsigned boxes = (cols + skip + per_row - 1) / per_row;
  const size_t box = size_t(rows) * layout.span;  // bytes
  const size_t begin = (image.size() + 1023) / 1024 * 1024 + layout.shift * 128;
  image.resize(begin + boxes * box + 1024);
  for (unsigned line = 0; line < lines; ++line) {
    for (unsigned k = 0; k < depth; ++k) {
      const unsigned row = layout.transposed ? k : line,
                     col = (layout.transposed ? line : k) + skip;
      size_t to = begin + col / per_row * box + row * layout.span + col % per_row * size;
      // TMA swizzles units of 16 bytes by the number of their row of 128 bytes.
      if (swizzled) to ^= ((to / 128 - layout.shift) & (layout.span / 16 - 1)) * 16;
      std::memcpy(&image[to], &bits[size_t(line) * depth + k], size);
    }
  }
  const uint64_t mode = layout.span == 128 ? 1 : layout.span == 64 ? 2 : layout.span == 32 ? 3 : 0;
  const uint64_t pattern = 8 * layout.span;
  // From one box to the next it is the leading offset, from 8 rows of a box to the next 8 the stride; but the other way
  // round if K runs down rows that are not swizzled.
  const bool exchanged = layout.transposed && !swizzled;
  const uint64_t leading = exchanged ? pattern : box, stride = exchanged ? box : pattern;
  return {(leading / 16 & 0x3fff) << 16 | (stride / 16 & 0x3fff) << 32 |
              uint64_t(layout.shift) << 49 | mode << 62,
          int(begin + skip / per_row * box + skip % per_row * size)};
}

struct Case {
  Type type = Type::F16;
  int cols = 64;
  Layout a{128, false}, b{128, false};
  bool registers = false, add = true, negative_a = false, negative_b = false;
  unsigned skip_a = 0, skip_b = 0;
};

void check(const Case& c) {
  const unsigned size = size_of(c.type), depth = 32 / size, cols = unsigned(c.cols);
  INFO("type " << int(c.type) << ", " << cols << " columns, A by " << c.a.span
               << (c.a.transposed ? " transposed" : "") << ", B by " << c.b.span
               << (c.b.transposed ? " transposed" : "") << ", skip " << c.skip_a << " " << c.skip_b
               << (c.registers ? ", registers" : ""));
  Matrix a(64 * depth), b(depth * cols), sums(64 * cols), expected(64 * cols);
  std::vector<uint32_t> a_bits(a.size()), b_bits(b.size());  // of B: by columns
  for (unsigned i = 0; i < a.size(); ++i) {
    a[i] = float(int(i * 7 + i / depth * 3) % 9 - 4);
    a_bits[i] = bits_of(c.type, true, a[i]);
  }
  for (unsigned n = 0; n < cols; ++n) {
    for (unsigned k = 0; k < depth; ++k) {
      b[k * cols + n] = float(int(k * 5 + n * 11 + n / 8) % 7 - 3);
      b_bits[n * depth + k] = bits_of(c.type, false, b[k * cols + n]);
    }
  }
  for (unsigned i = 0; i < sums.size(); ++i) {
    sums[i] = float(i % 13);
    expected[i] = c.add ? sums[i] : 0;
    for (unsigned k = 0; k < depth; ++k) {
      const float product = a[i / cols * depth + k] * b[k * cols + i % cols];
      expected[i] += c.negative_a != c.negative_b ? -product : product;
    }
  }
  Bytes image;
  const Placed pa = place(image, c.a, 64, depth, size, c.skip_a, a_bits);
  const Placed pb = place(image, c.b, cols, depth, size, c.skip_b, b_bits);
  Bytes rows(64 * 32);
  for (unsigned i = 0; i < a.size(); ++i) std::memcpy(&rows[i * size], &a_bits[i], size);
  DeviceArray<uint8_t> image_memory(image), row_memory(rows);
  DeviceArray<float> c_memory(sums), d_memory(sums.size());
  REQUIRE(image.size() / 16 <= wgmma::MOST_UNITS);
  wgmma::multiply(
      c.type, c.registers, c.cols,
      {reinterpret_cast<const uint4*>(image_memory.get()), int(image.size() / 16), pa.descriptor,
       pb.descriptor, pa.at, pb.at, reinterpret_cast<const uint32_t*>(row_memory.get()), c.add,
       c.negative_a, c.negative_b, c.a.transposed, c.b.transposed, c_memory.get(), d_memory.get()});
  REQUIRE(cudaGetLastError() == cudaSuccess);
  CHECK(d_memory.values() == expected);
  CHECK(simt::last_report().total.tensor_instructions == 4);
  CHECK(simt::last_report().total.tensor_fma == 64 * cols * depth);
}

// d + the products of neighbours in factors, as Hopper's tensor cores add them.
float cut_sum(const simt::Cut& cut, float d, const std::vector<float>& factors) {
  simt::Operands operands = {};
  std::vector<float> sums(16 * simt::kMostCols);
  const unsigned row = 5, col = 19, depth = unsigned(factors.size() / 2);
  for (unsigned k = 0; k < depth; ++k) {
    operands.a[row][k] = factors[2 * k], operands.b[k][col] = factors[2 * k + 1];
  }
  float& sum = sums[row * simt::kMostCols + col];
  sum = d;
  simt::multiply_add_cut(sums.data(), operands, 24, depth, cut);
  return sum;
}

}  // namespace

TEST_CASE("sums are cut off as by Hopper's tensor cores") {
  const simt::Cut fp8{simt::Element::E4M3, simt::Element::E4M3, 13, 13};
  CHECK(cut_sum(fp8, 0, {1, 1, 0x1p-6, 0x1p-7}) == 1 + 0x1p-13f);
  CHECK(cut_sum(fp8, 0, {1, 1, 0x1p-7, 0x1p-7, 0x1p-7, 0x1p-7}) ==
        1);  // both before they are added
  CHECK(cut_sum(fp8, 0, {-1, 1, 0x1p-7, -0x1p-7}) == -1);  // toward 0
  CHECK(cut_sum(fp8, 0x1p-13f, {1.5, 1.5}) ==
        2.25f);  // the result has 13 bits behind the first, too
  CHECK(cut_sum(fp8, 0x1p-13f, {1.5, -1.5}) == -2.25f + 0x1p-12f);
  CHECK(cut_sum(fp8, 0x1p-27f, {0x1p-9f, 0x1p-9f}) == 0x1p-18f);  // a subnormal's exponent is -6
  CHECK(cut_sum(fp8, 1024, {0.0625, 1}) == 1024);
  CHECK(std::isnan(cut_sum(fp8, NAN, {1, 1})));
  const simt::Cut half{simt::Element::F16, simt::Element::F16};
  CHECK(cut_sum(half, 1, {0x1p-12f, 0x1p-13f, 0x1p-12f, 0x1p-13f}) == 1);
  CHECK(cut_sum(half, 1, {0x1p-12f, 0x1p-12f, 0x1p-12f, 0x1p-12f}) == 1 + 0x1p-23f);
  CHECK(cut_sum(half, 1, {0x1p-12f, 0x1.8p-12f}) == 1);
  const simt::Cut bf16{simt::Element::BF16, simt::Element::BF16};
  CHECK(cut_sum(bf16, 0x1p-149f, {0x1p-75f, 0x1p-75f}) == 0x1p-149f);
  CHECK(cut_sum(bf16, 0, {0x1p127f, 1.5, -0x1p127f, 1}) == 0x1p126f);
  CHECK(cut_sum(bf16, 1, {0x1p100f, 0x1p100f}) == INFINITY);
}

TEST_CASE("wgmma multiplies halves with any number of columns") {
  for (int cols = 8; cols <= 256; cols += 8) {
    Case c;
    c.cols = cols;
    check(c);
    c.b = {128, true};
    check(c);
  }
}

TEST_CASE("wgmma reads operands of both majors, with all swizzles") {
  for (unsigned span_a : {16u, 32u, 64u, 128u}) {
    for (unsigned span_b : {16u, 32u, 64u, 128u}) {
      for (int majors = 0; majors < 4; ++majors) {
        Case c;
        c.cols = 80;
        c.a = {span_a, majors % 2 == 1};
        c.b = {span_b, majors / 2 == 1};
        check(c);
      }
    }
  }
}

TEST_CASE("wgmma begins within a swizzled row") {
  for (unsigned span : {64u, 128u}) {
    for (unsigned skip = 0; skip + 16 <= span / 2; skip += 16) {
      Case c;
      c.a = c.b = {span, false};
      c.skip_a = skip;
      c.skip_b = span / 2 - 16 - skip;
      check(c);
    }
  }
}

TEST_CASE("a base offset says where a swizzle's pattern begins") {
  for (unsigned span : {32u, 64u, 128u}) {
    for (unsigned shift = 1; shift < 8; ++shift) {
      for (bool transposed : {false, true}) {
        Case c;
        c.a = {span, transposed, shift};
        c.b = {span, transposed, 8 - shift};
        check(c);
      }
    }
  }
}

TEST_CASE(
    "wgmma multiplies other types, with A in registers, without the sums so far and with signs") {
  for (int type = 0; type < wgmma::TYPES; ++type) {
    for (int variant = 0; variant < 16; ++variant) {
      Case c;
      c.type = Type(type);
      c.registers = variant % 2 == 1;
      c.add = variant / 2 % 2 == 1;
      c.negative_a = variant / 4 % 2 == 1;
      c.negative_b = variant / 8 == 1;
      check(c);
    }
  }
}
