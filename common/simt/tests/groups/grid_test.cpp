// Cooperative launches: all blocks meet, which orders what they do, and what does not is reported.
#include "tests/groups/grid.h"

#include "tests/library/check.h"

using library::numbers;
using library::right;
using simt::ErrorKind;

TEST_CASE("blocks of a cooperative launch meet") {
  const std::vector<int> in = numbers();
  for (const int blocks : {1, 3, 40}) {
    for (const int times : {1, 2, 9, 70}) {  // more than a shadow can number
      INFO(blocks << " blocks, " << times << " times");
      std::vector<int> first;
      const std::vector<int> out = right([&](int* from, int* to) {
        CHECK(grid::rounds(from, to, 1000, blocks, times, grid::NONE) == cudaSuccess);
        first.resize(1000);
        cudaMemcpy(first.data(), from, 4000, cudaMemcpyDeviceToHost);
      });
      for (int i = 0; i < 1000; ++i) {
        const int found = times % 2 == 0 ? first[size_t(i)] : out[size_t(i)];
        REQUIRE(found == in[size_t(i + times) % 1000] + times);
      }
    }
  }
}

TEST_CASE("each block of a cooperative launch keeps its shared memory") {
  const std::vector<int> in = numbers();
  for (const bool attribute : {false, true}) {
    const std::vector<int> out = right([&](int* from, int* to) {
      CHECK((attribute ? grid::by_attribute(from, to) : grid::shared(from, to, 4)) == cudaSuccess);
    });
    for (size_t i = 0; i < 256; ++i) {
      REQUIRE(out[i] == in[i / 64 * 64 + 63 - i % 64] + in[(i + 64) % 256]);
    }
  }
  const std::vector<int> other = right([](int* from, int* to) { grid::clusters(from, to); });
  for (size_t i = 0; i < 256; ++i) REQUIRE(other[i] == in[(i / 64) ^ 1]);
}

TEST_CASE("all threads of a cooperative launch add to a sum") {
  const std::vector<int> in = numbers();
  int all = 0;
  for (size_t i = 0; i < 5 * 64; ++i) all += in[i];
  const std::vector<int> out = right([](int* from, int* to) { grid::sum(from, to, 5); });
  for (size_t block = 0; block < 5; ++block) CHECK(out[1 + block] == all);
  const std::vector<int> ranks = right([](int*, int* to) { grid::ranks(to, 3); });
  CHECK(ranks[3 * 64 - 1] == 1 + 30 + 3 * 64 * 1000);
}

TEST_CASE("blocks of a cooperative launch may wait for each other by atomics") {
  const std::vector<int> in = numbers();
  const std::vector<int> out = right([](int* from, int* to) { grid::spins(from, to, 6); });
  for (size_t i = 0; i < 6 * 64; ++i) REQUIRE(out[2048 + i] == in[(i + 64) % (6 * 64)]);
}

TEST_CASE("blocks that do not meet are reported") {
  right([](int*, int* to) { grid::write_twice(to, true); });
  library::check(
      {
          {"no grid.sync()",
           [](int* from, int* to) { grid::rounds(from, to, 1000, 3, 2, grid::NO_SYNC); },
           ErrorKind::BlockConflict, "ERROR rounds", "ERROR rounds",
           "which another block reads in this launch"},
          {"one grid.sync() is missing",
           [](int* from, int* to) { grid::rounds(from, to, 1000, 3, 6, grid::NO_LAST_SYNC); },
           ErrorKind::BlockConflict, "ERROR rounds", "ERROR rounds",
           "which another block reads in this launch"},
          {"two blocks write with no grid.sync()",
           [](int*, int* to) { grid::write_twice(to, false); }, ErrorKind::BlockConflict,
           "ERROR twice", "OTHER twice", "which another thread stores as well"},
          {"a block exits", [](int*, int* to) { grid::block_exits(to); },
           ErrorKind::BarrierDivergence, "ERROR exits", nullptr,
           "waits at sync() of the grid, but 64 threads do not arrive; thread (0,0,0) of block "
           "(1,0,0) has exited"},
          {"half of a block waits elsewhere", [](int*, int* to) { grid::half_waits(to); },
           ErrorKind::BarrierDivergence, "ERROR half", "OTHER half",
           "thread (32,0,0) waits at __syncthreads()"},
          {"a launch that is not cooperative", [](int*, int* to) { grid::not_cooperative(to); },
           ErrorKind::BadArgument, "ERROR plain", nullptr, "cudaLaunchCooperativeKernel()"},
      },
      GRID_FILE);
}

TEST_CASE("a cooperative launch whose blocks do not fit at the same time is refused") {
  const DeviceArray<int> out(4);
  CHECK(grid::too_many(out.get()) == cudaErrorCooperativeLaunchTooLarge);
  CHECK(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
}
