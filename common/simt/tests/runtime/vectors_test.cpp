// Vector types.
#include "tests/runtime/vectors.h"

#include <cstring>

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"

namespace {

// Copies 32 vectors by a kernel: the requests of its load.
template <typename T>
uint64_t requests_of(void (*copy)(const T*, T*)) {
  std::vector<T> values(32);
  for (size_t i = 0; i < sizeof(T) * 32; ++i) {
    reinterpret_cast<unsigned char*>(values.data())[i] = static_cast<unsigned char>(i * 3);
  }
  DeviceArray<T> in(values), out(32);
  copy(in.get(), out.get());
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(std::memcmp(out.values().data(), values.data(), sizeof(T) * 32) == 0);
  const simt::Counters& total = simt::last_report().total;
  CHECK(total.global_load.sectors == sizeof(T));
  CHECK(total.global_store.requests == total.global_load.requests);
  return total.global_load.requests;
}

}  // namespace

TEST_CASE("vector types have CUDA's sizes and alignments") {
  std::vector<size_t> expected;
  for (const size_t each : {1, 1, 2, 2, 4, 4, 8, 8, 8, 8, 4, 8}) {
    for (const size_t size : {each, each, 2 * each, 2 * each, 3 * each, each}) {
      expected.push_back(size);
    }
  }
  for (const size_t four : {4, 4, 8, 8, 16, 16, 16}) {
    expected.insert(expected.end(), {four, four});
  }
  expected.insert(expected.end(), {32, 16, 32, 32, 32, 16, 32, 32, 32, 16, 32, 32});
  CHECK(runtime::sizes_of_vectors() == expected);
}

TEST_CASE("vectors are made of their members") {
  const std::vector<double> sums = runtime::sums_of_vectors();
  REQUIRE(sums.size() == 12 + 17);
  for (size_t i = 0; i < 12; ++i) CHECK(sums[i] == 17);
  for (size_t i = 12; i < sums.size(); ++i) CHECK(sums[i] == 15);
  CHECK(make_double4(1, 2, 3, 4).w + make_long4(1, 2, 3, 4).w == 8);
  CHECK(make_ulong4(1, 2, 3, 4).w + make_ulonglong4(1, 2, 3, 4).w == 8);
  CHECK(make_longlong4(1, 2, 3, 4).z == 3);
  CHECK(make_uint3(1, 2, 3).z == 3);
}

TEST_CASE("a copy of a vector is one access, or two of 16 bytes") {
  CHECK(requests_of(runtime::copy_pixels) == 1);
  CHECK(requests_of(runtime::copy_bytes) == 1);
  CHECK(requests_of(runtime::copy_shorts) == 1);
}

TEST_CASE("a vector at an address that is no multiple of its size is misaligned") {
  DeviceArray<unsigned char> in(std::vector<unsigned char>(256, 1));
  DeviceArray<uchar4> out(32);
  runtime::copy_misaligned(in.get(), out.get());
  CHECK(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
  REQUIRE(!simt::last_errors().empty());
  CHECK(simt::last_errors()[0].kind == simt::ErrorKind::Misaligned);
}
