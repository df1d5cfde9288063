// Votes, matches and reductions of a warp, shuffles of each type, barriers that count, clocks.
#include "tests/functions/votes.h"

#include <string>

#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/functions/expect.h"

using votes::Mistake;

TEST_CASE("votes, matches and reductions of whole warps and of a half") {
  DeviceArray<unsigned> out(80 * votes::kVotes);
  votes::vote(out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::vector<unsigned> values = out.values();
  for (unsigned t = 0; t < 80; ++t) {
    const unsigned lane = t % 32;
    const bool whole = t < 64;
    const unsigned* v = &values[size_t(t) * votes::kVotes];
    INFO("thread " << t);
    CHECK(v[0] == !whole);
    CHECK(v[1] == 1);
    CHECK(v[2] == whole);
    CHECK(v[3] == 1);
    CHECK(v[4] == (whole ? 0x49249249u : 0x9249u));
    CHECK(v[5] == 0xfu << lane / 4 * 4);
    CHECK(v[6] == (lane % 2 == 0 ? 0x55555555u : 0xaaaaaaaau) %
                      (whole ? 0 - 0ull + (1ull << 32) : 1 << 16));
    CHECK(v[7] == (whole ? ~0u : 0xffffu));
    CHECK(v[8] == 1);
    CHECK(v[9] == 0);
    CHECK(v[10] == 0);
    CHECK(v[11] == (whole ? 31 * 16u : 15 * 8u));
    CHECK(v[12] == unsigned(-5));
    CHECK(v[13] == ~0u);
    CHECK(v[14] == (whole ? 26u : 10u));
    CHECK(v[15] == 0x100);
    CHECK(v[16] == (whole ? 0xffffu : 0xffu));
    CHECK(v[17] == 0);
  }
}

TEST_CASE("lanes that have exited take no part, though the mask has them") {
  for (const int count : {40, 33, 64}) {
    DeviceArray<int> values(std::vector<int>(64, 3));
    DeviceArray<unsigned> out(64 * votes::kEarlyExits);
    votes::early_exits(values.get(), count, out.get());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const std::vector<unsigned> words = out.values();
    for (int t = 0; t < count; ++t) {
      const unsigned lanes = t < 32 ? 32 : unsigned(count) - 32;
      const unsigned all = unsigned((1ull << lanes) - 1);
      const unsigned left = t % 32 == 0 ? 0 : 3;
      const unsigned* w = &words[size_t(t * votes::kEarlyExits)];
      INFO("thread " << t << " of " << count);
      CHECK(std::vector<unsigned>(w, w + votes::kEarlyExits) ==
            std::vector<unsigned>{all, 1, 3, left, 3 * lanes, all, all});
    }
  }
}

TEST_CASE("shuffles of each type of number") {
  DeviceArray<unsigned> wrong(std::vector<unsigned>(11, 0));
  votes::shuffle(wrong.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(wrong.values() == std::vector<unsigned>(11, 0));
}

TEST_CASE("barriers that count, whether all and whether any") {
  for (const int limit : {0, 1, 50, 100}) {
    DeviceArray<int> out(600);
    votes::count(100, limit, out.get());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const std::vector<int> values = out.values();
    for (int i = 0; i < 200; ++i) {
      const int below = limit * (1 + i % 2) < 100 ? limit * (1 + i % 2) : 100;
      CHECK(values[3 * size_t(i)] == below);
      CHECK((values[3 * size_t(i) + 1] != 0) == (below == 100));
      CHECK((values[3 * size_t(i) + 2] != 0) == (below > 0));
    }
  }
}

TEST_CASE("lanes that take one way are active together") {
  DeviceArray<unsigned> out(64), loop(32);
  votes::active(out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::vector<unsigned> values = out.values();
  for (unsigned lane = 0; lane < 32; ++lane) {
    CHECK(values[lane] == (lane % 3 == 0 ? 0x49249249u : lane % 3 == 1 ? 0x92492492u : 0));
    CHECK(values[32 + lane] == ~0u);
  }
  votes::active_loop(loop.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::vector<unsigned> sums = loop.values();
  for (unsigned lane = 0, sum = 0; lane < 32; sum += 31 - lane++) {
    CHECK(sums[lane] == sum);
  }
  DeviceArray<int> total(std::vector<int>(1, 0));
  votes::active_sum(total.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(total.values()[0] == 31 * 16 - 4 * 28);
}

TEST_CASE("clocks go on") {
  DeviceArray<long long> out(7);
  votes::clocks(out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::vector<long long> values = out.values();
  CHECK(values[1] - values[0] >= 2000000);
  CHECK(values[3] >= values[2]);
  CHECK(values[5] - values[4] > 1000000);
  CHECK(values[6] > 1000000);
}

namespace {

void expect(Mistake which, simt::ErrorKind kind, const std::string& text) {
  DeviceArray<int> out(std::vector<int>(1, 0));
  expect_error([&] { votes::mistake(which, out.get()); }, kind, text, "functions/votes.cu");
}

}  // namespace

TEST_CASE("lanes and threads that do not arrive are told") {
  using simt::ErrorKind;
  expect(Mistake::kVoteWithoutLane, ErrorKind::WarpDivergence, "__any_sync()");
  expect(Mistake::kNotInMask, ErrorKind::BadArgument, "__ballot_sync() with the mask 0xfffffffe");
  expect(Mistake::kOtherVote, ErrorKind::WarpDivergence, "__all_sync()");
  expect(Mistake::kReduceWithoutLane, ErrorKind::WarpDivergence, "a reduction");
  expect(Mistake::kMatchWithoutLane, ErrorKind::WarpDivergence, "__match_all_sync()");
  expect(Mistake::kCountDiverges, ErrorKind::BarrierDivergence, "waits at another __syncthreads()");
  expect(Mistake::kCountWithoutThread, ErrorKind::BarrierDivergence, "has exited");
  expect(Mistake::kVoteOrdersNothing, ErrorKind::SharedRace, "word");
  expect(Mistake::kWidth, ErrorKind::BadArgument, "width 12");
  expect(Mistake::kReadsExited, ErrorKind::WarpDivergence, "1 of them do not arrive");
  expect(Mistake::kTrap, ErrorKind::Fault, "__trap()");
}
