// cuda::atomic: every operation, in shared and global memory, and what it orders.
#include "tests/library/atomics.h"

#include <cstring>

#include "tests/library/check.h"

using library::numbers;
using library::right;
using simt::ErrorKind;

TEST_CASE("cuda::atomic_ref changes numbers in one step") {
  const std::vector<int> in = numbers();
  std::vector<int> after;
  const std::vector<int> out = right([&](int* from, int* to) {
    atomics::operations(from, to);
    after.resize(32);
    cudaMemcpy(after.data(), from, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  });
  int masked = in[4], set = in[5];
  for (int t = 0; t < 16; ++t) masked &= ~(1 << t), set |= 1 << (t + 12);
  const std::vector<int> expected = {in[0] + 496, in[1] - 496, -100,       5031,       masked,
                                     set,         in[6],       in[7] + 32, in[8] - 32, in[9] + 64,
                                     77,          78,          79,         in[13]};
  for (size_t i = 0; i < expected.size(); ++i) {
    INFO(i);
    CHECK(after[i] == expected[i]);
  }
  CHECK(out[0] == 1);
  CHECK(out[1] == 1);
  float real;
  std::memcpy(&real, &after[20], sizeof real);
  CHECK(real == 8.5f);
  unsigned long long wide;
  std::memcpy(&wide, &after[22], sizeof wide);
  CHECK(wide == (1ull << 40) + (32ull << 32));
}

TEST_CASE("cuda::atomic in shared memory gets its value by a store") {
  const std::vector<int> out = right([](int*, int* to) { atomics::counters(to); });
  CHECK(out[0] == 64);
  CHECK(out[1] == 1);
}

TEST_CASE("a volatile cuda::atomic has the same functions") {
  const std::vector<int> out = right([](int*, int* to) { atomics::volatiles(to); });
  const std::vector<int> expected = {100 + 2 * 32, 1, 1, 6 + 5, 9, 6 | 1 << 4 | 1 << 5, 4};
  CHECK(std::vector<int>(out.begin(), out.begin() + 7) == expected);
}

TEST_CASE("a cuda::atomic may be a vector") {
  const std::vector<int> out = right([](int*, int* to) { atomics::pair(to); });
  CHECK(std::vector<int>(out.begin(), out.begin() + 32) == std::vector<int>(32, 12));
}

TEST_CASE("a flag hands on what was written, unless it is relaxed") {
  CHECK(right([](int* in, int* out) { atomics::flag(in, out, true); })[0] == 5);
  library::check({{"a relaxed flag", [](int* in, int* out) { atomics::flag(in, out, false); },
                   ErrorKind::BlockConflict, "ERROR flag", "OTHER flag", "nothing orders the two"}},
                 ATOMICS_FILE);
}

TEST_CASE("a fence of cuda::std is one of CUDA's") {
  CHECK(right([](int* in, int* out) { atomics::fence(in, out, true); })[0] == 6);
  library::check({{"no fence", [](int* in, int* out) { atomics::fence(in, out, false); },
                   ErrorKind::MissingFence, "ERROR fence", "OTHER fence", "__threadfence()"}},
                 ATOMICS_FILE);
}

TEST_CASE("kernels use what cuda::std has") {
  const std::vector<int> out = right([](int*, int* to) { atomics::standard(to); });
  CHECK(out[0] == 6 + 5 + 32767 + 4);
  CHECK(out[1] == 0x3f800000);
}
