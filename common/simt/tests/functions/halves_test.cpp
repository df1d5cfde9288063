// Functions of half and bfloat16, and of pairs. What is expected is the nearest of all numbers of the type, found by a
// search.
#include "tests/functions/halves.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>

#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/functions/rounded.h"

using namespace halves;

namespace {

struct Pairs {
  std::vector<float> a, b, c;
};
Pairs all_pairs(size_t from) {
  Pairs pairs;
  for (size_t i = 0; i < 256; ++i) {
    pairs.a.push_back(kValues[(from + i) % kValues.size()]);
    pairs.b.push_back(kValues[(from + i * 7 + i / 26) % kValues.size()]);
    pairs.c.push_back(kValues[(from + i * 11 + i / 13) % kValues.size()]);
  }
  return pairs;
}

Exact clamp(Exact x) {
  return x > 0 ? std::min(x, Exact(1)) : 0;
}

Bits expect_of_two(int kind, Exact x, Exact y) {
  Bits all;
  const auto add = [&](Exact value) { all.push_back(rounded(kind, value)); };
  const auto arithmetic = [&](bool divides) {
    add(x + y), add(x - y), add(x * y);
    if (divides) add(x / y);
  };
  arithmetic(true), arithmetic(false);
  for (const Exact value : {x + y, x - y, x * y}) {
    add(clamp(value_of(kind, rounded(kind, value))));
  }
  const bool unordered = x != x || y != y;
  const Exact larger = x != x   ? y
                       : y != y ? x
                       : x == y ? (std::signbit(x) ? y : x)
                                : std::max(x, y);
  const Exact smaller = x != x   ? y
                        : y != y ? x
                        : x == y ? (std::signbit(x) ? x : y)
                                 : std::min(x, y);
  add(larger), add(smaller), add(unordered ? Exact(kNan) : larger);
  add(unordered ? Exact(kNan) : smaller);
  const bool results[6] = {x == y, x < y || x > y, x<y, x <= y, x> y, x >= y};
  for (const bool u : {false, true}) {
    for (const bool result : results) all.push_back(result || (u && unordered));
  }
  arithmetic(true);
  for (int i = 0; i < 6; ++i) all.push_back(results[i] || (i == 1 && unordered));
  arithmetic(true);
  return all;
}

// The first 30 results are the same of pairs, but that comparisons are masks there.
void check_pairs_of_two(int kind, Exact x, Exact y, const unsigned short* got,
                        const unsigned short* other) {
  Bits expected = expect_of_two(kind, x, y);
  Bits mirrored = expect_of_two(kind, -x, -y);
  for (size_t i = 0; i < 30; ++i) {
    const bool is_mask = i >= 14 && i < 26;
    const auto want = static_cast<unsigned short>(is_mask ? -expected[i] : expected[i]);
    const bool fits = is_mask ? got[i] == want : same(kind, got[i], want);
    CHECK(fits);
  }
  // __heq2, __hne2, __hltu2, __hle2, __hgt2, __hgeu2
  const size_t compared[6] = {14, 15, 22, 17, 18, 25};
  for (size_t i = 0; i < 6; ++i) {
    CHECK(value_of(kind, got[30 + i]) == float(expected[compared[i]]));
  }
  CHECK(same(kind, got[36], expected[0]));
  CHECK(same(kind, got[37], expected[1]));
  unsigned both = 0, either = 0, operators = 0;
  for (size_t i = 0; i < 6; ++i) {
    both |= unsigned(expected[14 + i] && mirrored[14 + i]) << i;
    either |= unsigned(expected[20 + i] && mirrored[20 + i]) << i;
    operators |= unsigned(expected[30 + i] && mirrored[30 + i]) << i;
  }
  CHECK(got[38] == both);
  CHECK(other[38] == either);
  CHECK(got[39] == operators);
}

Bits run_of_two(int kind, bool pairs, const Pairs& p) {
  DeviceArray<float> a(p.a), b(p.b);
  DeviceArray<unsigned short> out(Bits(2 * 256 * halves::kOfTwo, 0));
  halves::of_two(kind, pairs, a.get(), b.get(), out.get(), 256);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  return out.values();
}

}  // namespace

TEST_CASE("functions of two numbers and of two pairs") {
  for (const int kind : {0, 1}) {
    for (const size_t from : {0, 5}) {
      const Pairs p = all_pairs(from);
      const Bits single = run_of_two(kind, false, p), paired = run_of_two(kind, true, p);
      for (size_t i = 0; i < 256; ++i) {
        const Exact x = value_of(kind, rounded(kind, p.a[i])),
                    y = value_of(kind, rounded(kind, p.b[i]));
        INFO((kind == 0 ? "half " : "bfloat16 ") << double(x) << ", " << double(y));
        const Bits expected = expect_of_two(kind, x, y);
        for (size_t j = 0; j < halves::kOfTwo; ++j) {
          INFO("function " << j);
          CHECK(same(kind, single[i * halves::kOfTwo + j], expected[j]));
        }
        check_pairs_of_two(kind, x, y, &paired[2 * i * halves::kOfTwo],
                           &paired[(2 * i + 1) * halves::kOfTwo]);
      }
    }
  }
}

namespace {

struct OfOne {
  Exact (*function)(Exact);
  int steps;
};
Exact rint_even(Exact x) {
  return std::nearbyint(x);
}
const OfOne kFunctions[] = {{[](Exact x) { return -x; }, 0},
                            {[](Exact x) { return std::fabs(x); }, 0},
                            {nullptr, 0},
                            {nullptr, 0},
                            {[](Exact x) { return std::ceil(x); }, 0},
                            {[](Exact x) { return std::floor(x); }, 0},
                            {[](Exact x) { return std::trunc(x); }, 0},
                            {rint_even, 0},
                            {[](Exact x) { return std::sqrt(x); }, 0},
                            {[](Exact x) { return 1 / std::sqrt(x); }, 0},
                            {[](Exact x) { return 1 / x; }, 0},
                            {[](Exact x) { return std::exp(x); }, 1},
                            {[](Exact x) { return std::exp2(x); }, 1},
                            {[](Exact x) { return std::pow(Exact(10), x); }, 1},
                            {[](Exact x) { return std::log(x); }, 1},
                            {[](Exact x) { return std::log2(x); }, 1},
                            {[](Exact x) { return std::log10(x); }, 1},
                            {[](Exact x) { return std::sin(x); }, 1},
                            {[](Exact x) { return std::cos(x); }, 1},
                            {[](Exact x) { return std::tanh(x); }, 1},
                            {[](Exact x) { return std::tanh(x); }, 1},
                            {[](Exact x) { return -x; }, 0},
                            {[](Exact x) { return x; }, 0},
                            {[](Exact x) { return x + 1; }, 0},
                            {[](Exact x) { return x - 1; }, 0}};

}  // namespace

TEST_CASE("functions of one number and of one pair") {
  const size_t count = kValues.size();
  for (const int kind : {0, 1}) {
    DeviceArray<float> a(kValues);
    DeviceArray<unsigned short> out(Bits(2 * count * halves::kOfOne, 0)),
        pairs(Bits(2 * count * halves::kOfOne, 0));
    halves::of_one(kind, false, a.get(), out.get(), int(count));
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    halves::of_one(kind, true, a.get(), pairs.get(), int(count));
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const Bits single = out.values(), paired = pairs.values();
    for (size_t i = 0; i < count; ++i) {
      const Exact x = value_of(kind, rounded(kind, kValues[i]));
      INFO((kind == 0 ? "half " : "bfloat16 ") << double(x));
      const unsigned short* const one = &single[i * halves::kOfOne];
      const unsigned short* const low = &paired[2 * i * halves::kOfOne];
      for (size_t j = 0; j < std::size(kFunctions); ++j) {
        INFO("function " << j);
        if (kFunctions[j].function == nullptr) continue;
        CHECK(same(kind, one[j], rounded(kind, kFunctions[j].function(x)), kFunctions[j].steps));
        CHECK(same(kind, low[j], one[j]));
        CHECK(same(kind, low[halves::kOfOne + j], rounded(kind, kFunctions[j].function(-x)),
                   kFunctions[j].steps));
      }
      CHECK((one[2] == (x != x) &&
             one[3] == static_cast<unsigned short>(std::isinf(x) ? (x > 0 ? 1 : -1) : 0)));
      CHECK((value_of(kind, low[2]) == float(x != x) && same(kind, low[3], rounded(kind, x))));
      CHECK(same(kind, one[25],
                 rounded(kind, Exact(value_of(kind, one[23])) - Exact(value_of(kind, one[24])))));
      CHECK(same(kind, low[25], rounded(kind, -x)));
    }
  }
}

TEST_CASE("multiply-adds are rounded once") {
  for (const int kind : {0, 1}) {
    const Pairs p = all_pairs(3);
    DeviceArray<float> a(p.a), b(p.b), c(p.c);
    DeviceArray<unsigned short> out(Bits(2 * 256 * halves::kOfThree, 0));
    halves::of_three(kind, false, a.get(), b.get(), c.get(), out.get(), 256);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const Bits single = out.values();
    halves::of_three(kind, true, a.get(), b.get(), c.get(), out.get(), 256);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const Bits paired = out.values();
    const auto fma = [&](Exact x, Exact y, Exact z) { return rounded(kind, x * y + z); };
    for (size_t i = 0; i < 256; ++i) {
      const Exact x = value_of(kind, rounded(kind, p.a[i])),
                  y = value_of(kind, rounded(kind, p.b[i])),
                  z = value_of(kind, rounded(kind, p.c[i]));
      INFO((kind == 0 ? "half " : "bfloat16 ")
           << double(x) << ", " << double(y) << ", " << double(z));
      const Exact result = value_of(kind, fma(x, y, z));
      const unsigned short* const got = &single[i * halves::kOfThree];
      CHECK(same(kind, got[0], fma(x, y, z)));
      CHECK(same(kind, got[1], rounded(kind, clamp(result))));
      CHECK(same(kind, got[2], rounded(kind, result <= 0 ? 0 : result)));
      const unsigned short* const low = &paired[2 * i * halves::kOfThree];
      CHECK(same(kind, low[0], fma(x, y, z)));
      CHECK(same(kind, low[3], fma(y, z, x)));
      // (x + iy)(y + iz) + (z + ix)
      CHECK(same(kind, low[2], fma(-y, z, value_of(kind, fma(x, y, z)))));
      CHECK(same(kind, low[5], fma(y, y, value_of(kind, fma(x, z, x)))));
    }
  }
}

TEST_CASE("pairs are put together and taken apart, on hosts as well") {
  for (const int kind : {0, 1}) {
    DeviceArray<float> out(23);
    halves::pairing(kind, out.get());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(out.values() == std::vector<float>{1, 2, 3, 4, 2, 2, 5, 5, 6, 7,    1, 1,
                                             2, 2, 1, 3, 2, 4, 4, 3, 7, 1.5f, 2});
  }
  CHECK(__half2float(__hfma(__float2half(2), __float2half(3), __float2half(4))) == 10);
  CHECK(__bfloat162float(__hmul(__float2bfloat16(2), __float2bfloat16(3))) == 6);
  CHECK(__low2float(__hadd2(__floats2half2_rn(1, 2), __float2half2_rn(4))) == 5);
}
