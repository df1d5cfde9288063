// Instructions of inline PTX that compute with a thread's own registers, each against the same on the host.
#include "tests/asm/values.h"

#include <cuda_runtime.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"

namespace {

using values::Inputs;
using values::Results;

const Inputs kInputs{0x89abcdef,
                     0x76543210,
                     13,
                     0x8123456789abcdef,
                     0x1122334455667788,
                     77,
                     1.7f,
                     -0.3f,
                     0.9f,
                     1.25,
                     -3.5,
                     0x3e00,
                     0xb400,
                     0x4000,
                     0xb4003e00,
                     0xbe803fc0,
                     0x3c003c00};

Results run() {
  DeviceArray<Inputs> inputs(std::vector<Inputs>{kInputs});
  DeviceArray<Results> results(std::vector<Results>(1));
  values::compute(inputs.get(), results.get());
  REQUIRE(cudaGetLastError() == cudaSuccess);
  return results.values()[0];
}

}  // namespace

TEST_CASE("integers and bits") {
  const Results got = run();
  const uint32_t a = kInputs.a, b = kInputs.b, c = kInputs.c;
  const uint64_t k = kInputs.k, l = kInputs.l, m = kInputs.m;
  int n = 0;
  // A form that names no result keeps the one before.
#define X_WORDS(text, expected)                               \
  {                                                           \
    INFO(text);                                               \
    const bool writes = std::strstr(text, "%0") != nullptr;   \
    CHECK((writes ? got.words[n] : 0) == uint32_t(expected)); \
    ++n;                                                      \
  }
  VALUES_OF_WORDS(X_WORDS)
  n = 0;
#define X_LONGS(text, expected)                  \
  {                                              \
    INFO(text);                                  \
    CHECK(got.longs[n++] == uint64_t(expected)); \
  }
  VALUES_OF_LONGS(X_LONGS)
}

TEST_CASE("floats") {
  const Results got = run();
  const float x = kInputs.x, y = kInputs.y, z = kInputs.z;
  const double s = kInputs.s, t = kInputs.t;
  int n = 0;
#define X_FLOATS(text, expected)                                           \
  {                                                                        \
    INFO(text);                                                            \
    CHECK(got.floats[n] == float(expected));                               \
    CHECK(std::signbit(got.floats[n++]) == std::signbit(float(expected))); \
  }
  VALUES_OF_FLOATS(X_FLOATS)
  n = 0;
#define X_WORDS_OF_FLOATS(text, expected)                  \
  {                                                        \
    INFO(text);                                            \
    CHECK(got.words_of_floats[n++] == uint32_t(expected)); \
  }
  WORDS_OF_FLOATS(X_WORDS_OF_FLOATS)
  n = 0;
#define X_DOUBLES(text, expected)                \
  {                                              \
    INFO(text);                                  \
    CHECK(got.doubles[n++] == double(expected)); \
  }
  VALUES_OF_DOUBLES(X_DOUBLES)
}

TEST_CASE("floats of 16 bits") {
  const Results got = run();
  int n = 0;
#define X_HALVES(text, expected)                  \
  {                                               \
    INFO(text);                                   \
    CHECK(got.halves[n++] == uint16_t(expected)); \
  }
  VALUES_OF_HALVES(X_HALVES)
  n = 0;
#define X_PAIRS(text, expected)                  \
  {                                              \
    INFO(text);                                  \
    CHECK(got.pairs[n++] == uint32_t(expected)); \
  }
  VALUES_OF_PAIRS(X_PAIRS)
}
