// Clusters of blocks, and named barriers: what they do, and how they are used wrongly.
#include "tests/cluster/cluster.h"

#include "tests/mbarrier/run.h"

using mbarrier::number;
using mbarrier::THREADS;
using simt::ErrorKind;

namespace {

// Without errors, with any number of OS threads.
std::vector<float> right(const mbarrier::Run& kernel) {
  std::vector<float> first;
  for (const int threads : {1, 3}) {
    simt::set_threads(threads);
    const mbarrier::Outcome outcome = mbarrier::run_on_numbers(kernel);
    INFO(mbarrier::text(outcome.errors));
    CHECK(outcome.errors.empty());
    CHECK((threads == 1 || outcome.C == first));
    first = outcome.C;
  }
  simt::set_threads(0);
  return first;
}

}  // namespace

TEST_CASE("blocks of a cluster exchange numbers") {
  for (const mbarrier::Run& kernel :
       {cluster::exchange, cluster::exchange_by_ptx, cluster::pushed}) {
    const std::vector<float> c = right(kernel);
    for (int i = 0; i < 4 * THREADS; ++i) {
      const int block = i / THREADS, t = i % THREADS;
      CHECK(c[size_t(i)] == number(block, t) + number(block ^ 1, t));
    }
  }
  const std::vector<float> c = right(cluster::handed_over);
  for (int i = 0; i < 4 * THREADS; ++i) {
    const int block = i / THREADS, t = i % THREADS;
    CHECK(c[size_t(i)] == number(block, t) + (block % 2 == 0 ? number(block + 1, t) : 0));
  }
}

TEST_CASE("blocks of a cluster meet in global memory") {
  const std::vector<float> c = right(cluster::through_global);
  for (int i = 0; i < 2 * THREADS; ++i) {
    CHECK(c[size_t(i)] == number(1 - i / THREADS, i % THREADS));
  }
}

TEST_CASE("a copy to both blocks of a cluster") {
  const std::vector<float> c = right(cluster::twice);
  for (int i = 0; i < 4 * THREADS; ++i) {
    CHECK(c[size_t(i)] == number(0, i % THREADS));
  }
}

TEST_CASE("threads of four blocks add to one counter") {
  const std::vector<float> c = right(cluster::added_up);
  CHECK(c[0] == 2 * THREADS * (4 * THREADS + 1));
  CHECK(c[4 * THREADS - 1] == c[0]);
}

TEST_CASE("named barriers of half a block") {
  const std::vector<float> c = right(cluster::in_halves);
  for (int t = 128; t < 256; ++t) {
    CHECK(c[size_t(t)] == number(0, (t + 1) % 128) + number(0, t - 128));
  }
}

TEST_CASE("special registers of clusters") {
  const std::vector<float> c = right(cluster::registers);
  for (int block = 0; block < 16; ++block) {
    const int x = block % 4, y = block / 4, pair = x / 2, warp = 70 / 32;
    const std::vector<float> expected = {
        float(x % 2 + y % 2 * 2), 4, float(x % 2), float(y % 2), float(pair), 2, 70 % 32, warp};
    const auto at = c.begin() + block * cluster::NUMBERS;
    CHECK(std::vector<float>(at, at + cluster::NUMBERS) == expected);
  }
}

TEST_CASE("each misuse of a cluster or a named barrier is reported") {
  mbarrier::check(
      {
          {"a read with no barrier of the cluster", cluster::read_early, ErrorKind::SharedRace,
           "ERROR read", "OTHER written", "no barrier of the cluster"},
          {"a write that is read too early", cluster::read_pushed_early, ErrorKind::SharedRace,
           "ERROR pushed", "OTHER pushed", "since a thread of another block wrote it"},
          {"what others may still read is overwritten", cluster::overwritten_early,
           ErrorKind::SharedRace, "ERROR overwritten", "ERROR read",
           "since a thread of another block read it"},
          {"a block ends before its memory has been read", cluster::ends_early,
           ErrorKind::SharedRace, "ERROR read", nullptr, "of a block that may have ended by then"},
          {"an arrival before the block has started", cluster::arrives_unsynced,
           ErrorKind::SharedRace, "ERROR store", nullptr, "which need not have started yet"},
          {"a relaxed arrival hands nothing over", cluster::handed_over_relaxed,
           ErrorKind::SharedRace, "ERROR handed over", nullptr,
           "since a thread of another block wrote it"},
          {"a third block of two", cluster::third_block, ErrorKind::BadArgument, "ERROR read",
           nullptr, "of block 2 of its cluster, which has 2"},
          {"a second block of one", cluster::third_address, ErrorKind::BadArgument,
           "ERROR third address", nullptr, "of block 1 of its cluster, which has 1"},
          {"a copy to one block that two wait for", cluster::only_once,
           ErrorKind::BarrierDivergence, "ERROR full", nullptr,
           "copies have brought 0 of 1024 bytes"},
          {"a copy to a third block", cluster::thrice, ErrorKind::BadArgument, "ERROR copy",
           nullptr, "to the blocks of the mask 7, but its cluster has only 2"},
          {"more bytes than are expected", cluster::few_expected, ErrorKind::BarrierDivergence,
           "ERROR full", nullptr, "copies have brought 1024 of 512 bytes"},
          {"two arrivals", cluster::arrives_twice, ErrorKind::BadArgument, "ERROR twice", nullptr,
           "a second time"},
          {"a wait without an arrival", cluster::waits_alone, ErrorKind::BadArgument, "ERROR alone",
           nullptr, "where it has not arrived"},
          {"a thread never comes", cluster::waits_for_ever, ErrorKind::BarrierDivergence,
           "ERROR for ever", nullptr,
           "waits for a phase of never + 0 bytes (initialised at cluster/cluster.cu:"},
          {"half of a block waits elsewhere", cluster::other_barrier, ErrorKind::BarrierDivergence,
           "ERROR waits", "OTHER waits", "waits at the barrier of its cluster for 128 threads"},
          {"beyond another block's memory", cluster::beyond_shared, ErrorKind::SharedOutOfBounds,
           "ERROR beyond", nullptr, "outside of all shared arrays of another block"},
          {"a wait at another block's barrier", cluster::waits_elsewhere, ErrorKind::BadArgument,
           "ERROR elsewhere", nullptr, "in a way that only that block's threads may"},
          {"a named barrier of 40 threads", cluster::halves_of_40, ErrorKind::BadArgument,
           "ERROR half", nullptr, "executes bar.sync 1, 40; there are"},
          {"two counts at a named barrier", cluster::halves_differ, ErrorKind::BadArgument,
           "ERROR half", "OTHER half", "where another thread has said 256"},
          {"two arrivals at a named barrier", cluster::arrives_again, ErrorKind::BadArgument,
           "ERROR again", nullptr,
           "bar.arrive 4, 128 a second time before the others have arrived"},
          {"a named barrier that is full", cluster::halves_of_all, ErrorKind::BarrierDivergence,
           "ERROR half", nullptr, "waits at barrier 1 for 256 threads, of which 128 have arrived"},
      },
      CLUSTER_FILE);
}

TEST_CASE("clusters that cannot be launched") {
  DeviceArray<float> a(mbarrier::numbers()), c(std::vector<float>(16 * THREADS));
  const mbarrier::Args args{a.get(), c.get()};
  cluster::odd_grid(args);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  cluster::large_cluster(args);
  CHECK(cudaGetLastError() == cudaErrorInvalidClusterSize);
  cluster::other_cluster(args);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}
