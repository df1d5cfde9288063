// Kernels that were not written for the CPU backend run, are right, and are counted.
#include "tests/foreign/foreign.h"

#include <numeric>

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"

namespace {

const simt::LaunchReport& report() {
  CHECK(cudaGetLastError() == cudaSuccess);
  REQUIRE(simt::last_report().counted);
  return simt::last_report();
}

std::vector<float> numbers(int n) {
  std::vector<float> v(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) {
    v[size_t(i)] = float(i * 7 % 23) - 11;
  }
  return v;
}

}  // namespace

TEST_CASE("a reduction with shuffles") {
  for (int n : {0, 1, 255, 256, 1000, 4096}) {
    const std::vector<float> in = numbers(n);
    DeviceArray<float> from(numbers(n + 1)), to(std::vector<float>{0});
    foreign::reduce(from.get(), to.get(), n);
    CHECK(report().kernel == "foreign::reduce_kernel<float, 256>");
    CHECK(to.values()[0] == std::accumulate(in.begin(), in.end(), 0.0f));
    const simt::Counters& total = report().total;
    CHECK(total.global_load.requests == uint64_t((n + 31) / 32));
    CHECK(total.global_load.bytes == uint64_t(n) * 4);
    CHECK(total.global_atomic.requests == 4);
    CHECK(total.shared_load.requests == 4);  // one warp of each block reads the sums
    CHECK(total.shared_store.requests == 32);  // lane 0 of each warp
  }
}

TEST_CASE("a transpose of a ragged matrix") {
  constexpr int rows = 45, cols = 70;
  const std::vector<float> in = numbers(rows * cols);
  DeviceArray<float> from(in), to(rows * cols);
  foreign::transpose(from.get(), to.get(), rows, cols);
  // Each row of the matrix is read by 3 warps, each row of the result written by 2.
  CHECK(report().total.global_load.requests == rows * 3);
  CHECK(report().total.global_store.requests == cols * 2);
  CHECK(report().total.shared_load.wavefronts == report().total.shared_load.requests);
  const std::vector<float> out = to.values();
  int wrong = 0;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      wrong += out[size_t(c * rows + r)] != in[size_t(r * cols + c)];
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("a stencil with dynamic shared memory") {
  for (int n : {1, 127, 128, 129, 300}) {
    const std::vector<float> in = numbers(n);
    DeviceArray<float> from(in), to(in);
    foreign::stencil(from.get(), to.get(), n);
    CHECK(report().dynamic_shared == 130 * 4);
    const std::vector<float> out = to.values();
    for (int i = 0; i < n; ++i) {
      const float left = i > 0 ? in[size_t(i - 1)] : 0, right = i + 1 < n ? in[size_t(i + 1)] : 0;
      CHECK(out[size_t(i)] == left + in[size_t(i)] + right);
    }
  }
}

TEST_CASE("a histogram with atomics") {
  constexpr int n = 5000;
  std::vector<unsigned char> in(n);
  std::vector<int> expected(256, 0);
  for (int i = 0; i < n; ++i) {
    in[size_t(i)] = static_cast<unsigned char>(i * i % 251);
    ++expected[in[size_t(i)]];
  }
  for (int threads : {1, 2, 7}) {
    simt::set_threads(threads);
    DeviceArray<unsigned char> from(in);
    DeviceArray<int> bins(std::vector<int>(256, 0));
    foreign::histogram(from.get(), bins.get(), n);
    CHECK(bins.values() == expected);
    CHECK(report().total.global_load.requests == (n + 31) / 32);
    CHECK(report().total.shared_atomic.requests == (n + 31) / 32);
    CHECK(report().total.shared_atomic.bytes == n * 4);
  }
  simt::set_threads(0);
}
