// Compares the results of PTX and WMMA for the same tiles with the exact product, on a GPU of sm_80 or newer and on the CPU
// backend.
#include "tests/ptx_mma/ptx_mma.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "tests/catch.h"

namespace {

template <typename A, typename B>
Tiles tiles_of(A a, B b) {
  Tiles tiles;
  for (int i = 0; i < SIZE * SIZE; ++i) {
    tiles.A[i] = __float2half(float(a(i)));
    tiles.B[i] = __float2half(float(b(i)));
    tiles.ptx[i] = tiles.wmma[i] = NAN;  // so that a missing store shows
  }
  return tiles;
}

// Checks that both results differ from the exact product by at most tolerance * (|A| |B|).
void compare(Tiles tiles, double tolerance) {
  int major = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  if (major < 8) {
    std::puts("skipped: no GPU of compute capability 8.0 or newer");
    std::exit(77);  // NOLINT(concurrency-mt-unsafe): no other thread
  }
  REQUIRE(multiply(tiles) == cudaSuccess);
  for (int i = 0; i < SIZE * SIZE; ++i) {
    double sum = 0, magnitude = 0;
    for (int k = 0; k < SIZE; ++k) {
      const double product = double(__half2float(tiles.A[i / SIZE * SIZE + k])) *
                             __half2float(tiles.B[k * SIZE + i % SIZE]);
      sum += product;
      magnitude += std::abs(product);
    }
    INFO("row " << i / SIZE << ", column " << i % SIZE << ": exact " << sum);
    CHECK(std::abs(tiles.ptx[i] - sum) <= tolerance * magnitude);
    CHECK(std::abs(tiles.wmma[i] - sum) <= tolerance * magnitude);
  }
}

}  // namespace

TEST_CASE("PTX and WMMA multiply integers exactly", "[ptx_mma]") {
  // Integers up to 8 in magnitude, not symmetric in their indices, so that any permutation shows.
  compare(tiles_of([](int i) { return i * 7 % 17 - 8; },
                   [](int i) { return (i * 5 + i / SIZE) % 13 - 6; }),
          0);
}

TEST_CASE("PTX and WMMA sum fractions within a bound", "[ptx_mma]") {
  // Products are exact in FP32, sums are not. Tensor cores may truncate instead of rounding, which costs at most 2^-22 of
  // the largest term in each of the 16 additions.
  compare(tiles_of([](int i) { return std::sin(1.0f + i); },
                   [](int i) { return std::cos(2.0f + 3 * i); }),
          SIZE * std::ldexp(1.0, -22));
}
