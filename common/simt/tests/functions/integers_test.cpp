// Intrinsics of whole numbers, and conversions. What is expected is computed bit by bit, or known.
#include "tests/functions/integers.h"

#include <cfenv>
#include <climits>
#include <cmath>
#include <limits>

#include "tests/catch.h"
#include "tests/device_array.h"

namespace {

template <typename T, typename Launch>
std::vector<T> results(size_t count, Launch launch) {
  DeviceArray<T> out(count);
  launch(out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  return out.values();
}

using Words = std::vector<unsigned>;

// Part i of a word of n parts, as it is or with its sign.
long part(unsigned word, int n, int i, bool is_signed) {
  const int bits = 32 / n;
  const long value = word >> bits * i & ((1ull << bits) - 1);
  return is_signed && value >> (bits - 1) != 0 ? value - (1l << bits) : value;
}

// The results of ALL_PARTS(n) in integers.cu, in its order.
Words expected_parts(unsigned a, unsigned b, int n) {
  const int bits = 32 / n;
  Words all;
  const auto add = [&](bool is_signed, auto operation) {
    unsigned word = 0;
    for (int i = 0; i < n; ++i) {
      const long value = operation(part(a, n, i, is_signed), part(b, n, i, is_signed));
      word |= (unsigned(value) & ((1u << bits) - 1)) << bits * i;
    }
    all.push_back(word);
  };
  const long most = (1l << (bits - 1)) - 1, least = -most - 1, top = (1l << bits) - 1;
  const auto clamp = [](long v, long low, long high) { return std::min(std::max(v, low), high); };
  add(true, [](long x, long y) { return x + y; });
  add(true, [](long x, long y) { return x - y; });
  add(true, [&](long x, long y) { return clamp(x + y, least, most); });
  add(false, [&](long x, long y) { return clamp(x + y, 0, top); });
  add(true, [&](long x, long y) { return clamp(x - y, least, most); });
  add(false, [&](long x, long y) { return clamp(x - y, 0, top); });
  add(true, [](long x, long y) { return long(std::floor(double(x + y + (x + y >= 0)) / 2)); });
  add(false, [](long x, long y) { return (x + y + 1) / 2; });
  add(false, [](long x, long y) { return (x + y) / 2; });
  add(true, [](long x, long y) { return std::max(x, y); });
  add(false, [](long x, long y) { return std::max(x, y); });
  add(true, [](long x, long y) { return std::min(x, y); });
  add(false, [](long x, long y) { return std::min(x, y); });
  for (const bool is_signed : {true, false}) {
    add(is_signed, [](long x, long y) { return std::labs(x - y); });
  }
  add(true, [](long x, long) { return std::labs(x); });
  add(true, [&](long x, long) { return std::min(std::labs(x), most); });
  add(true, [](long x, long) { return -x; });
  add(true, [&](long x, long) { return std::min(-x, most); });
  add(true, [](long x, long y) { return x == y ? -1 : 0; });
  add(true, [](long x, long y) { return x != y ? -1 : 0; });
  for (const bool is_signed : {true, false}) {
    add(is_signed, [](long x, long y) { return x >= y ? -1 : 0; });
  }
  for (const bool is_signed : {true, false}) {
    add(is_signed, [](long x, long y) { return x > y ? -1 : 0; });
  }
  for (const bool is_signed : {true, false}) {
    add(is_signed, [](long x, long y) { return x <= y ? -1 : 0; });
  }
  for (const bool is_signed : {true, false}) {
    add(is_signed, [](long x, long y) { return x < y ? -1 : 0; });
  }
  add(true, [](long x, long y) { return x == y; });
  add(true, [](long x, long y) { return x > y; });
  add(false, [](long x, long y) { return x < y; });
  for (const bool is_signed : {true, false}) {
    long sum = 0;
    for (int i = 0; i < n; ++i) {
      sum += std::labs(part(a, n, i, is_signed) - part(b, n, i, is_signed));
    }
    all.push_back(unsigned(sum));
  }
  return all;
}

}  // namespace

TEST_CASE("bits of whole numbers") {
  using Wide = std::vector<unsigned long long>;
  const Wide values = results<unsigned long long>(
      20, [](auto* out) { integers::bits(out, 0x12345678u, 0x0123456789abcdefull); });
  CHECK(values == Wide{13,         32,         3,    7,          96,
                       4,          1,          0,    0x1e6a2c48, 0xf7b3d591e6a2c480,
                       0x80125678, 0xff000000, 0x11, 0x12345678, 0x11234567,
                       0xf0000001, 0xf0000001, 3,    25,         ~0u});
}

TEST_CASE("products, means and distances") {
  using Wide = std::vector<long long>;
  constexpr int x = 0x7ffffff1, y = -0x1234567;
  constexpr long long wide = 0x7123456789abcdefll;
  const Wide values =
      results<long long>(12, [](auto* out) { integers::products(out, x, y, wide); });
  __extension__ typedef __int128 Huge;
  const unsigned ux = x, uy = unsigned(y);
  CHECK(values == Wide{-15 * -0x234567, (0xfffff1u * (uy & 0xffffff)) & 0xffffffff,
                       (static_cast<long long>(x) * y) >> 32,
                       static_cast<long long>((static_cast<unsigned long long>(ux) * uy) >> 32),
                       static_cast<long long>(Huge(wide) * x >> 64), wide - 1,
                       static_cast<long long>(x) - y + 5, static_cast<long long>(uy) - ux + 5,
                       (static_cast<long long>(x) + y) / 2, (static_cast<long long>(x) + y + 1) / 2,
                       (static_cast<long long>(ux) + uy) / 2,
                       (static_cast<long long>(ux) + uy + 1) / 2});
}

TEST_CASE("dot products of bytes") {
  const std::vector<int> values =
      results<int>(10, [](auto* out) { integers::dots(out, 0x80ff017fu, 0x7f80fe03u, 100); });
  CHECK(values == std::vector<int>{100 + 127 * 3 - 2 + 128 - 128 * 127,
                                   100 + 127 * 3 + 254 + 255 * 128 + 128 * 127,
                                   100 + 0x17f * 3 + (0x80ff - 65536) * -2,
                                   100 + 0x17f * -128 + (0x80ff - 65536) * 127,
                                   100 + 0x17f * 3 + 0x80ff * 254, 100 + 0x17f * 128 + 0x80ff * 127,
                                   100 + 5 - 12 + 21 - 32, 100 + 5 + 12 + 21 + 65025,
                                   100 + 5000 - 12, 100 + 7000 + 65535 * 8});
}

TEST_CASE("four bytes or two halves at once") {
  for (const unsigned a : {0x80ff017fu, 0u, 0x7f80fe7fu, 0xffffffffu, 0x12345678u}) {
    for (const unsigned b : {0x7f80fe7fu, 0x80008000u, 0x12ff5601u}) {
      const Words values =
          results<unsigned>(68, [&](unsigned* out) { integers::parts(out, a, b); });
      Words expected = expected_parts(a, b, 2);
      const Words fours = expected_parts(a, b, 4);
      expected.insert(expected.end(), fours.begin(), fours.end());
      CHECK(values == expected);
    }
  }
}

TEST_CASE("conversions round as their names say, and saturate") {
  using Wide = std::vector<long long>;
  const auto convert = [](float x, double wide) {
    return results<long long>(37, [&](long long* out) { integers::conversions(out, x, wide); });
  };
  const Wide near = convert(2.5f, -3.5);
  CHECK(Wide(near.begin(), near.begin() + 32) == Wide{2, 2, 3,  2,  2,  2,  3,  2,  2,  2, 3,
                                                      2, 2, 2,  3,  2,  -4, -3, -3, -4, 0, 0,
                                                      0, 0, -4, -3, -3, -4, 0,  0,  0,  0});
  CHECK(Wide(near.begin() + 32, near.end()) ==
        Wide{int(0xc00c0000), 0, static_cast<long long>(0xc00c000000000000), 77, 11});
  const Wide far = convert(1e30f, -1e30);
  const Wide wrong = convert(std::numeric_limits<float>::quiet_NaN(), std::nan(""));
  for (size_t i = 0; i < 4; ++i) {
    CHECK(far[i] == INT_MAX);
    CHECK(far[4 + i] == UINT_MAX);
    CHECK(far[8 + i] == LLONG_MAX);
    CHECK(far[12 + i] == -1);
    CHECK(far[16 + i] == INT_MIN);
    CHECK(far[20 + i] == 0);
    CHECK(far[24 + i] == LLONG_MIN);
    CHECK(far[28 + i] == 0);
    CHECK((wrong[i] == 0 && wrong[4 + i] == 0));
    CHECK((wrong[8 + i] == LLONG_MIN && wrong[12 + i] == LLONG_MIN));
    CHECK((wrong[16 + i] == INT_MIN && wrong[20 + i] == 0x80000000));
    CHECK((wrong[24 + i] == LLONG_MIN && wrong[28 + i] == LLONG_MIN));
  }
}

TEST_CASE("whole numbers become floats as the names say") {
  constexpr int x = -0x7ffffff1;
  constexpr long long wide = 0x7123456789abcdefll;
  const std::vector<float> values =
      results<float>(24, [](float* out) { integers::to_floats(out, x, wide); });
  size_t at = 0;
  for (const long double exact :
       {static_cast<long double>(x), static_cast<long double>(unsigned(x)),
        static_cast<long double>(wide), static_cast<long double>(wide),
        static_cast<long double>(x + 0.125)}) {
    for (const int mode : {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD}) {
      std::fesetround(mode);
      const volatile long double source = exact;
      const volatile float expected = static_cast<float>(source);
      std::fesetround(FE_TONEAREST);
      CHECK(values[at++] == expected);
    }
  }
  CHECK(std::vector<float>(values.begin() + 20, values.end()) ==
        std::vector<float>{0, 1024, 0, 1024});
}

TEST_CASE("min and max of mixed types") {
  DeviceArray<double> floats(1);
  const std::vector<long long> values =
      results<long long>(6, [&](long long* out) { integers::extremes(out, floats.get()); });
  CHECK(values == std::vector<long long>{7, 1, 16, 13, 1, 7});
  CHECK(floats.values()[0] == 1.5 + 2.5 + 4 + 2);
}
