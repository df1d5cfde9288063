// wgmma of bytes: exact sums of 32 bits, from shared memory and from registers.
#include "tests/asm/groups.h"

#include <cuda_runtime.h>

#include <vector>

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"

namespace {

void check(bool unsigned_a, bool registers, bool generic) {
  INFO(unsigned_a << registers << generic);
  std::vector<int8_t> a(64 * 32), b(16 * 32);
  std::vector<int32_t> d(64 * 16), expected(64 * 16);
  for (size_t i = 0; i < a.size(); ++i) a[i] = int8_t(i * 37 + i / 256);
  for (size_t i = 0; i < b.size(); ++i) b[i] = int8_t(i * 91 + 5);
  for (size_t i = 0; i < d.size(); ++i) {
    d[i] = int32_t(i * 2097169);  // more than a float holds
    int64_t sum = d[i];
    for (size_t k = 0; k < 32; ++k) {
      const int8_t left = a[i / 16 * 32 + k];
      sum += (unsigned_a ? uint8_t(left) : left) * b[i % 16 * 32 + k];
    }
    expected[i] = int32_t(sum);
  }
  DeviceArray<int8_t> da(a), db(b);
  DeviceArray<int32_t> dd(d);
  groups::multiply({da.get(), db.get(), dd.get(), unsigned_a, registers, generic});
  REQUIRE(cudaGetLastError() == cudaSuccess);
  CHECK(dd.values() == expected);
  CHECK(simt::last_report().total.tensor_instructions == 4);
  CHECK(simt::last_report().total.tensor_fma == 64 * 16 * 32);
}

}  // namespace

TEST_CASE("wgmma multiplies bytes") {
  check(false, false, false);
  check(true, false, false);
  check(false, true, false);
}

TEST_CASE("descriptors may be made of the low bits of generic addresses") {
  check(false, false, true);
  check(false, true, true);
}
