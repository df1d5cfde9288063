// Loads and stores with hints are ordinary accesses; atomic operations of all types and scopes.
#include "tests/functions/hints.h"

#include <algorithm>

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/functions/expect.h"

using hints::Mistake;
using simt::ErrorKind;

TEST_CASE("loads and stores with hints move what others do") {
  std::vector<float> values(6 * 32 * 4);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = float(i) * 0.37f;
  }
  DeviceArray<float> in(values), out(std::vector<float>(6 * 352 * 4, 0));
  hints::copy(reinterpret_cast<float4*>(in.get()), reinterpret_cast<float4*>(out.get()));
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::vector<float> copies = out.values();
  for (size_t way = 0; way < 6; ++way) {
    for (size_t type = 0; type < 11; ++type) {
      INFO("way " << way << ", type " << type);
      const float* const source = &values[way * 128];
      CHECK(std::equal(source, source + 128, &copies[way * 352 * 4 + type * 128]));
    }
  }
}

TEST_CASE("loads and stores with hints are counted as others") {
  DeviceArray<float4> in(std::vector<float4>(32, float4(1, 2, 3, 4))), out(32);
  hints::plain_copy(in.get(), out.get());
  const auto plain = simt::last_report();
  hints::hinted_copy(in.get(), out.get());
  const auto hinted = simt::last_report();
  CHECK(hinted.total.global_load.requests == 1);
  CHECK(hinted.total.global_load.sectors == plain.total.global_load.sectors);
  CHECK(hinted.total.global_store.requests == plain.total.global_store.requests);
  CHECK(hinted.total.global_store.sectors == plain.total.global_store.sectors);
}

TEST_CASE("atomic sums of all types") {
  DeviceArray<hints::Sums> out(1);
  hints::sums(out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const hints::Sums sums = out.values()[0];
  for (const double sum : sums.doubles) CHECK(sum == 80);
  for (const float sum : sums.floats) CHECK(sum == 80);
  for (const float sum : sums.halves) CHECK(sum == 80);
  for (const float sum : sums.bfloats) CHECK(sum == 80);
}

TEST_CASE("atomic operations of whole numbers of all widths") {
  DeviceArray<unsigned long long> wide(
      std::vector<unsigned long long>{0, 0, 5, 5, ~0ull, 0, 0, 17, 0, 0, 0});
  DeviceArray<int> ints(std::vector<int>{0, 0, 5, 5, -1, 0, 0, 17, 0});
  DeviceArray<unsigned> small(std::vector<unsigned>{3, 3, 20, 20});
  hints::words(wide.get(), ints.get(), small.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  // Bits 0 to 3 are flipped four times, the others three times.
  CHECK(wide.values() == std::vector<unsigned long long>{0, 0, 0, ~0ull, ~4ull, 0xfffff, 0xffff0,
                                                         63, 17, ~0ull - 31, 31});
  CHECK(ints.values() == std::vector<int>{2016, -2016, -32, 31, ~4, 0xfffff, 0xffff0, 63, 17});
  // 64 steps in a circle of ten, and back in one of seven; 20 lies beyond both and goes to its end first.
  CHECK(small.values() == std::vector<unsigned>{7, 2, 3, 6});
}

TEST_CASE("comparing and swapping of all widths") {
  DeviceArray<unsigned short> small(std::vector<unsigned short>{0, 7});
  DeviceArray<unsigned> word(std::vector<unsigned>{0});
  DeviceArray<unsigned long long> wide(std::vector<unsigned long long>{0});
  DeviceArray<int> number(std::vector<int>{0});
  hints::swaps(small.get(), word.get(), wide.get(), number.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(small.values() == std::vector<unsigned short>{64, 7});
  CHECK((word.values()[0] == 64 && wide.values()[0] == 64 && number.values()[0] == 64));
}

TEST_CASE("hints and types do not hide mistakes") {
  const auto expect = [](Mistake which, ErrorKind kind) {
    DeviceArray<float> in(std::vector<float>(64, 1)), out(64);
    expect_error([&] { hints::mistake(which, in.get(), out.get()); }, kind, "mistake_kernel",
                 "functions/hints.cu");
  };
  expect(Mistake::kLoadBehind, ErrorKind::GlobalOutOfBounds);
  expect(Mistake::kStoreBehind, ErrorKind::GlobalOutOfBounds);
  expect(Mistake::kMisaligned, ErrorKind::Misaligned);
  expect(Mistake::kUninitialized, ErrorKind::UninitializedGlobal);
  expect(Mistake::kRace, ErrorKind::GlobalRace);
  expect(Mistake::kAtomicBehind, ErrorKind::GlobalOutOfBounds);
  expect(Mistake::kAtomicShared, ErrorKind::BadArgument);
  expect(Mistake::kAtomicRace, ErrorKind::SharedRace);
}
