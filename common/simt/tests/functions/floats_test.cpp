// Arithmetic of floats with a rounding of its own, fast functions, and those that the C++ library has not.
#include "tests/functions/floats.h"

#include <cfenv>
#include <cmath>
#include <limits>

#include "tests/catch.h"
#include "tests/device_array.h"

namespace {

template <typename T>
T compute(int function, T x, T y, T z) {
  const volatile T a = x, b = y, c = z;
  switch (function) {
    case 0:
      return a + b;
    case 1:
      return a - b;
    case 2:
      return a * b;
    case 3:
      return a / b;
    case 4:
      return 1 / b;
    case 5:
      return std::sqrt(std::fabs(a));
    default:
      return std::fma(a, b, c);
  }
}

template <typename T>
void check_arithmetic(T small) {
  std::vector<T> a, b, c;
  for (int i = 0; i < 64; ++i) {
    a.push_back(T((i % 7 - 3) * 1.1) + small);
    b.push_back(T((i % 5 - 2.5) / 3));
    c.push_back(T(i % 3 == 0 ? small : i % 11 - 5) / 7);
  }
  DeviceArray<T> x(a), y(b), z(c), out(64 * 28);
  floats::arithmetic(x.get(), y.get(), z.get(), out.get(), 64);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::vector<T> results = out.values();
  const int modes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  for (size_t i = 0; i < results.size(); ++i) {
    std::fesetround(modes[i % 4]);
    const volatile T expected = compute(int(i / 4 % 7), a[i / 28], b[i / 28], c[i / 28]);
    std::fesetround(FE_TONEAREST);
    INFO("function " << i / 4 % 7 << ", mode " << i % 4);
    CHECK(results[i] == expected);
  }
}

double close(double expected) {
  return std::fabs(expected) * 3e-7 + 1e-30;
}

}  // namespace

TEST_CASE("arithmetic is rounded as the name says") {
  check_arithmetic<float>(1e-9f);
  check_arithmetic<double>(1e-17);
}

TEST_CASE("arithmetic with a rounding of its own is not fused") {
  DeviceArray<float> out(6);
  const float x = 1.0f / 3, y = 1.0f / 7;
  floats::unfused(x, y, out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::vector<float> values = out.values();
  CHECK(std::vector<float>(values.begin(), values.begin() + 5) == std::vector<float>(5, 0));
  CHECK(values[5] != 0);
}

TEST_CASE("fast functions") {
  for (const float x : {0.25f, 1.5f, 3.0f}) {
    DeviceArray<float> out(17);
    floats::fast(x, 1.7f, out.get());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const std::vector<float> values = out.values();
    const double d = x, y = 1.7f;
    const double expected[17] = {std::exp(d),          std::pow(10, d), std::log(d),
                                 std::log2(d),         std::log10(d),   std::sin(d),
                                 std::cos(d),          std::tan(d),     std::tanh(d),
                                 std::pow(d, y),       d / y,           d / y,
                                 std::min(d, 1.0) + 1, std::sin(d),     std::cos(d),
                                 1 / std::sqrt(d),     1 / std::sqrt(d)};
    for (size_t i = 0; i < 17; ++i) {
      INFO("function " << i << " of " << x);
      CHECK(std::fabs(values[i] - expected[i]) <= close(expected[i]));
    }
  }
}

namespace {

// Each result is checked by the function that it is the inverse of, or by a known value.
void check_special(double x) {
  DeviceArray<double> out(25);
  floats::special(x, out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::vector<double> v = out.values();
  const auto near = [&](size_t i, double expected) {
    INFO("result " << i << " at " << x << ": " << v[i] << ", not " << expected);
    CHECK(std::fabs(v[i] - expected) <= 1e-12 * std::fabs(expected) + 1e-300);
    CHECK(std::fabs(v[i + 1] - expected) <= 3e-6 * std::fabs(expected) + 1e-30);
  };
  CHECK(std::fabs(v[0] - 1 / std::sqrt(x)) < 1e-14 / std::sqrt(x));
  near(1, 1 / std::cbrt(x));
  near(3, std::erfc(-x / std::sqrt(2.0)) / 2);
  if (x < 1) {
    CHECK(std::fabs(std::erfc(-v[5] / std::sqrt(2.0)) / 2 - x) < 1e-14 * x);
    near(5, v[5]);
    CHECK(std::fabs(std::erf(v[7]) - x) < 1e-14 * x);
    near(7, v[7]);
  } else {
    CHECK((v[5] != v[5] && v[7] != v[7]));
  }
  if (x < 2) {
    CHECK(std::fabs(std::erfc(v[9]) - x) < 1e-13 * x);
    near(9, v[9]);
  }
  if (x < 5) near(11, std::erfc(x) * std::exp(x * x));
  if (x > 100)
    near(11, (1 - 0.5 / (x * x) + 0.75 / (x * x * x * x)) / (x * std::sqrt(std::acos(-1))));
  const double turn = std::fmod(x, 2);
  if (x < 100) {
    near(13, std::sin(std::acos(-1) * turn));
    near(15, std::cos(std::acos(-1) * turn));
    near(17, std::cyl_bessel_i(0, x));
    near(19, std::cyl_bessel_i(1, x));
  }
  CHECK((v[21] == v[13] && v[22] == v[15] && v[23] == v[14] && v[24] == v[16]));
}

}  // namespace

TEST_CASE("functions that the C++ library has not") {
  for (const double x : {1e-30, 1e-9, 0.003, 0.11, 0.3, 0.55, 0.72, 0.99, 1.0625, 1.3, 1.9, 3.3125,
                         8.3, 25.25, 1000.0}) {
    check_special(x);
  }
}

TEST_CASE("lengths of vectors, and one over them") {
  DeviceArray<float> out(14);
  floats::lengths(out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const float expected[14] = {1, 1, 7, 7, 1, 1, 11, 11, 1, 1, 11, 11, 1, 1};
  const std::vector<float> values = out.values();
  for (size_t i = 0; i < 14; ++i) {
    CHECK(std::fabs(values[i] - expected[i]) <= 2e-7f * expected[i]);
  }
}

TEST_CASE("numbers by name") {
  DeviceArray<float> out(4);
  floats::constants(out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  constexpr float kMost = std::numeric_limits<float>::max(),
                  kInfinity = std::numeric_limits<float>::infinity();
  const double pi = std::acos(-1);
  CHECK(out.values() == std::vector<float>{kInfinity, kMost, float(pi), float(pi * std::log(2.0))});
}
