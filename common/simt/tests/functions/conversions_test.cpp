// Conversions of half, bfloat16 and 8-bit floats.
#include <cuda_fp8.h>

#include <climits>

#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/functions/halves.h"
#include "tests/functions/rounded.h"

using namespace halves;

namespace {

template <typename T>
long long to_integer(float x, Direction direction) {
  if (x != x) return sizeof(T) == 8 ? LLONG_MIN : 0;
  const double whole = direction == kZero   ? std::trunc(x)
                       : direction == kUp   ? std::ceil(x)
                       : direction == kDown ? std::floor(x)
                                            : std::nearbyint(x);
  const T most = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::min();
  const T value = whole >= double(most) ? most : whole <= double(least) ? least : T(whole);
  return static_cast<long long>(value);
}

constexpr Direction kDirections[] = {kNearest, kZero, kUp, kDown};

}  // namespace

TEST_CASE("whole numbers of 16-bit numbers, and back") {
  const size_t count = kValues.size();
  const std::vector<long long> wholes = {0,
                                         1,
                                         -1,
                                         2049,
                                         2051,
                                         -2049,
                                         65519,
                                         65520,
                                         100000,
                                         -70000,
                                         257,
                                         259,
                                         32767,
                                         (1ll << 40) + 1,
                                         LLONG_MAX,
                                         LLONG_MIN,
                                         0x1010000000000001};
  for (const int kind : {0, 1}) {
    DeviceArray<float> a(kValues);
    DeviceArray<long long> out(std::vector<long long>(count * halves::kInteger, 0)), in(wholes);
    DeviceArray<unsigned short> bits(Bits(wholes.size() * halves::kInteger, 0));
    halves::to_integers(kind, a.get(), out.get(), int(count));
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    halves::from_integers(kind, in.get(), bits.get(), int(wholes.size()));
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const std::vector<long long> integers = out.values();
    for (size_t i = 0; i < count; ++i) {
      const float x = value_of(kind, rounded(kind, kValues[i]));
      const long long* got = &integers[i * halves::kInteger];
      INFO((kind == 0 ? "half " : "bfloat16 ") << x);
      for (size_t j = 0; j < 4; ++j) {
        const Direction d = kDirections[j];
        CHECK(got[j] == to_integer<int>(x, d));
        CHECK(got[4 + j] == to_integer<unsigned>(x, d));
        CHECK(got[8 + j] == to_integer<short>(x, d));
        CHECK(got[12 + j] == to_integer<unsigned short>(x, d));
        CHECK(got[16 + j] == to_integer<long long>(x, d));
        CHECK(got[20 + j] == to_integer<unsigned long long>(x, d));
      }
      CHECK(got[24] == to_integer<signed char>(x, kZero));
      CHECK(got[25] == to_integer<unsigned char>(x, kZero));
      CHECK((got[26] == got[28] && static_cast<unsigned short>(got[26]) == got[27]));
    }
    const Bits made = bits.values();
    for (size_t i = 0; i < wholes.size(); ++i) {
      const long long x = wholes[i];
      const Exact sources[] = {Exact(int(x)),   Exact(unsigned(x)),
                               Exact(short(x)), Exact(static_cast<unsigned short>(x)),
                               Exact(x),        Exact(static_cast<unsigned long long>(x))};
      for (size_t j = 0; j < 24; ++j) {
        INFO((kind == 0 ? "half " : "bfloat16 ") << x << ", function " << j);
        CHECK(made[i * halves::kInteger + j] == rounded(kind, sources[j / 4], kDirections[j % 4]));
      }
    }
  }
}

TEST_CASE("floats become 16-bit numbers in all directions") {
  std::vector<float> values = kValues;
  for (const float x : {1.0005f, -1.0005f, 65519.f, 65520.f, 1e30f, -1e30f, 2.9e-8f, 3.4e38f,
                        1e-40f, 257.0f, 258.5f}) {
    values.push_back(x);
  }
  for (const int kind : {0, 1}) {
    DeviceArray<float> a(values);
    DeviceArray<unsigned short> out(Bits(values.size() * 5, 0));
    halves::from_floats(kind, a.get(), out.get(), int(values.size()));
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const Bits bits = out.values();
    for (size_t i = 0; i < values.size(); ++i) {
      INFO((kind == 0 ? "half " : "bfloat16 ") << values[i]);
      for (size_t j = 0; j < 4; ++j) {
        CHECK(same(kind, bits[i * 5 + j], rounded(kind, values[i], kDirections[j])));
      }
      CHECK(same(kind, bits[i * 5 + 4], rounded(kind, values[i])));
    }
  }
}

namespace {

// The nearest 8-bit float, from all of them; of two, the even one.
float nearest_8(float x, bool e4m3, bool saturates) {
  if (x != x) return x;
  const int fraction = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15, most = e4m3 ? 0x7e : 0x7b;
  const auto value = [&](int bits) {
    const int exponent = bits >> fraction, rest = bits & ((1 << fraction) - 1);
    return exponent == 0 ? std::ldexp(Exact(rest), 1 - bias - fraction)
                         : std::ldexp(Exact(rest + (1 << fraction)), exponent - bias - fraction);
  };
  int best = 0;
  for (int bits = 1; bits <= most + 1; ++bits) {  // the last one is too large
    const Exact here = std::fabs(value(bits) - std::fabs(x)),
                there = std::fabs(value(best) - std::fabs(x));
    if (here < there || (here == there && bits % 2 == 0)) best = bits;
  }
  if (std::isinf(x)) best = most + 1;
  const float size = best <= most ? float(value(best))
                     : saturates  ? float(value(most))
                     : e4m3       ? kNan
                                  : kInfinity;
  return std::copysign(size, x);
}
bool same_float(float a, float b) {
  return a != a ? b != b : a == b;
}

}  // namespace

TEST_CASE("8-bit floats") {
  std::vector<float> values = kValues;
  for (const float x : {448.f, 463.f, 464.f, 465.f, 479.f, 480.f, 57344.f, 61439.f, 61440.f, 0.001f,
                        0.0009765625f, 0.00293f, 1.0625f, 1.1875f, -17.f, 7.6e-6f, 2.3e-5f}) {
    values.push_back(x);
  }
  DeviceArray<float> a(values), out(values.size() * 8);
  halves::eights(a.get(), out.get(), int(values.size()));
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::vector<float> results = out.values();
  for (size_t i = 0; i < values.size(); ++i) {
    const float x = values[i], h = value_of(0, rounded(0, x)), b = value_of(1, rounded(1, x));
    const float expected[8] = {nearest_8(x, true, true),  nearest_8(x, false, true),
                               nearest_8(x, true, false), nearest_8(x, false, false),
                               nearest_8(x, true, true),  nearest_8(x, false, true),
                               nearest_8(h, true, true),  nearest_8(b, false, true)};
    for (size_t j = 0; j < 8; ++j) {
      INFO(x << ", conversion " << j << ": " << results[i * 8 + j] << ", not " << expected[j]);
      CHECK(same_float(results[i * 8 + j], expected[j]));
    }
  }
}

TEST_CASE("8-bit powers of two") {
  for (int x = 0; x < 255; ++x) {
    CHECK(float(__nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t(x)))) ==
          std::ldexp(1.0f, x - 127));
  }
  const __nv_bfloat162_raw two = __nv_cvt_e8m0x2_to_bf162raw(0xff7f);
  CHECK(float(__nv_bfloat16(__nv_bfloat16_raw{two.x})) == 1);
  CHECK(std::isnan(float(__nv_bfloat16(__nv_bfloat16_raw{two.y}))));
}
