// Products of a warp in all forms of mma.sync, against a product on the host. Where elements lie is written here as the
// PTX manual tells it for each shape.
#include "tests/asm/mma.h"

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/source_lines.h"

namespace {

enum Type { F16, BF16, TF32, F32, S8, U8, S32, E4M3, E5M2, F64 };

struct Form {
  unsigned m, k;
  Type a, b, sum;
  bool saturates = false;
};
const Form kForms[mma::FORMS] = {
    {16, 16, F16, F16, F32},   {16, 16, BF16, BF16, F32}, {16, 16, F16, F16, F16},
    {16, 8, F16, F16, F32},    {16, 8, BF16, BF16, F32},  {16, 8, F16, F16, F16},
    {16, 8, TF32, TF32, F32},  {16, 4, TF32, TF32, F32},  {16, 32, S8, S8, S32},
    {16, 32, U8, S8, S32},     {16, 16, S8, S8, S32},     {16, 16, U8, U8, S32, true},
    {16, 32, E4M3, E5M2, F32}, {8, 4, F64, F64, F64}};

unsigned bits_of(Type type) {
  return type == F64                                  ? 64
         : type == TF32 || type == F32 || type == S32 ? 32
         : type == F16 || type == BF16                ? 16
                                                      : 8;
}

struct At {
  unsigned row, col;
};

// groupID and threadID_in_group of the manual.
At place_of_a(const Form& f, unsigned lane, unsigned i) {
  const unsigned group = lane / 4, thread = lane % 4;
  switch (bits_of(f.a)) {
    case 64:
      return {group, thread};
    case 32:
      return {i % 2 == 0 ? group : group + 8, i < 2 ? thread : thread + 4};
    case 16:
      return {i < 2 || (i >= 4 && i < 6) ? group : group + 8,
              thread * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
    default:
      return {i < 4 || (i >= 8 && i < 12) ? group : group + 8,
              thread * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
  }
}
At place_of_b(const Form& f, unsigned lane, unsigned i) {
  const unsigned group = lane / 4, thread = lane % 4;
  switch (bits_of(f.b)) {
    case 64:
      return {thread, group};
    case 32:
      return {i == 0 ? thread : thread + 4, group};
    case 16:
      return {thread * 2 + (i & 1) + (i >= 2 ? 8 : 0), group};
    default:
      return {thread * 4 + (i & 3) + (i >= 4 ? 16 : 0), group};
  }
}
At place_of_sum(unsigned lane, unsigned i) {
  return {lane / 4 + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)};
}

// The bits of small numbers, exact in all types.
uint64_t encode(Type type, double value) {
  const float narrow = float(value);
  uint32_t word;
  uint64_t wide;
  std::memcpy(&word, &narrow, 4);
  std::memcpy(&wide, &value, 8);
  switch (type) {
    case F16:
      return half(narrow).bits;
    case BF16:
      return word >> 16;
    case TF32:
      return word | 0x1000;  // the lowest 13 bits do not count
    case F32:
      return word;
    case F64:
      return wide;
    case E4M3:
    case E5M2: {
      if (value == 0) return 0;
      const int fraction = type == E4M3 ? 3 : 2, bias = type == E4M3 ? 7 : 15;
      return (value < 0 ? 0x80 : 0) | (std::ilogb(narrow) + bias) << fraction |
             (word >> (23 - fraction) & ((1u << fraction) - 1));
    }
    default:
      return uint32_t(int32_t(value)) & (type == S32 ? ~0u : 0xffu);
  }
}
double decode(Type type, uint64_t bits) {
  float narrow;
  double wide;
  const uint32_t word = uint32_t(bits);
  std::memcpy(&narrow, &word, 4);
  std::memcpy(&wide, &bits, 8);
  half h;
  h.bits = uint16_t(bits);
  return type == F64 ? wide : type == S32 ? int32_t(bits) : type == F16 ? float(h) : narrow;
}

// Different numbers in neighbouring elements.
double number(Type type, unsigned i) {
  switch (type) {
    case S8:
      return double(int(i * 37 % 255) - 127);
    case U8:
      return double(i * 37 % 256);
    case E4M3:
      return double(int(i * 5 % 15) - 7);
    case E5M2:
      return double(int(i * 3 % 7) - 3);
    case F64:
      return i + 0x1p-40 * i;
    case F16:
      return (int(i) - 60) / 8.0;
    default:
      return double(int(i) - 40);
  }
}

void put(std::vector<unsigned>& words, unsigned begin, Type type, unsigned i, uint64_t bits) {
  const unsigned at = i * bits_of(type);
  words[begin + at / 32] |= unsigned(bits << at % 32);
  if (bits_of(type) == 64) words[begin + at / 32 + 1] |= unsigned(bits >> 32);
}
uint64_t take(const std::vector<unsigned>& words, unsigned begin, Type type, unsigned i) {
  const unsigned at = i * bits_of(type);
  const uint64_t low = words[begin + at / 32] >> at % 32;
  if (bits_of(type) == 64) return low | uint64_t(words[begin + at / 32 + 1]) << 32;
  return bits_of(type) == 16 ? low & 0xffff : low;
}

double expected(const Form& f, unsigned row, unsigned col, double c) {
  double sum = c;
  for (unsigned k = 0; k < f.k; ++k) {
    sum = std::fma(number(f.a, row * f.k + k), number(f.b, k * 8 + col), sum);
  }
  return f.sum == F16 ? float(half(float(sum))) : sum;
}

bool reported(simt::ErrorKind kind, const char* mark) {
  bool found = false;
  for (const simt::Error& error : simt::last_errors()) {
    INFO(error.message);
    found = found || (error.kind == kind && error.here.place.line == marked_line(MMA_FILE, mark));
  }
  return found;
}

}  // namespace

TEST_CASE("mma.sync multiplies in every form as the manual lays its fragments") {
  for (int number_of = 0; number_of < mma::FORMS; ++number_of) {
    INFO("form " << number_of);
    const Form& f = kForms[number_of];
    std::vector<unsigned> a(256), b(128), d(128);
    for (unsigned lane = 0; lane < 32; ++lane) {
      for (unsigned i = 0; i < f.m * f.k / 32; ++i) {
        const At at = place_of_a(f, lane, i);
        put(a, lane * 8, f.a, i, encode(f.a, number(f.a, at.row * f.k + at.col)));
      }
      for (unsigned i = 0; i < f.k * 8 / 32; ++i) {
        const At at = place_of_b(f, lane, i);
        put(b, lane * 4, f.b, i, encode(f.b, number(f.b, at.row * 8 + at.col)));
      }
      for (unsigned i = 0; i < f.m * 8 / 32; ++i) {
        const At at = place_of_sum(lane, i);
        put(d, lane * 4, f.sum, i, encode(f.sum, double(at.row) - at.col));
      }
    }
    DeviceArray<unsigned> da(a), db(b), dd(d);
    mma::multiply(number_of, da.get(), db.get(), dd.get());
    REQUIRE(cudaGetLastError() == cudaSuccess);
    const std::vector<unsigned> got = dd.values();
    unsigned wrong = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      for (unsigned i = 0; i < f.m * 8 / 32; ++i) {
        const At at = place_of_sum(lane, i);
        wrong += decode(f.sum, take(got, lane * 4, f.sum, i)) !=
                 expected(f, at.row, at.col, double(at.row) - at.col);
      }
    }
    CHECK(wrong == 0);
    CHECK(simt::last_report().total.tensor_instructions == 1);
    CHECK(simt::last_report().total.tensor_fma == f.m * f.k * 8);
  }
}

TEST_CASE("sums of integers wrap, or stay in their range") {
  for (const bool saturates : {false, true}) {
    DeviceArray<unsigned> a(std::vector<unsigned>(256, 0x01010101)),
        b(std::vector<unsigned>(128, 0x01010101));
    DeviceArray<unsigned> d(std::vector<unsigned>(128, 0x7fffffff));
    mma::multiply(saturates ? 11 : 10, a.get(), b.get(), d.get());
    CHECK(d.values()[5] == (saturates ? 0x7fffffffu : 0x8000000fu));
  }
}

TEST_CASE("ldmatrix in all word orders and addresses, and movmatrix") {
  DeviceArray<unsigned> to(256);
  mma::move(to.get(), false);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  const std::vector<unsigned> got = to.values();
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned row = lane / 4, col = lane % 4 * 2;
    const unsigned plain = (row * 8 + col + 1) << 16 | (row * 8 + col);
    const unsigned turned = ((col + 1) * 8 + row) << 16 | (col * 8 + row);
    for (unsigned i = 0; i < 4; ++i) CHECK(got[lane * 8 + i] == turned + i * 0x00400040);
    CHECK(got[lane * 8 + 4] == plain);
    CHECK(got[lane * 8 + 5] == turned);
    CHECK(got[lane * 8 + 6] == plain);
    CHECK(got[lane * 8 + 7] == plain + 0x00400040);
  }
  mma::move(to.get(), true);
  CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
  CHECK(reported(simt::ErrorKind::WarpDivergence, "ERROR movmatrix"));
}

TEST_CASE("lanes at different forms of mma.sync are reported") {
  DeviceArray<unsigned> d(32);
  mma::mix_forms(d.get());
  CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
  CHECK(reported(simt::ErrorKind::BadArgument, "ERROR forms"));
}
