// Mbarriers: right kernels give right sums and no report; each mistake is reported at its line.
#include "tests/mbarrier/run.h"

namespace {

using mbarrier::BLOCKS;
using mbarrier::number;
using mbarrier::run_on_numbers;
using mbarrier::text;
using mbarrier::THREADS;
using mbarrier::TILES;
using simt::ErrorKind;

}  // namespace

TEST_CASE("a kernel in which an mbarrier does not order what it must is reported") {
  mbarrier::check(
      {
          {"no wait", mbarrier::no_wait, ErrorKind::AsyncNotWaited, "ERROR first", "OTHER copy",
           "reads"},
          {"a wait for the phase before", mbarrier::wait_for_last_tile, ErrorKind::BadArgument,
           "ERROR wait", nullptr, "a token of 2 phases ago"},
          {"arrives before its copies", mbarrier::arrive_before_copies, ErrorKind::SharedRace,
           "ERROR first", "OTHER copy", "no wait for a phase at which it has arrived since"},
          {"no wait for copies", mbarrier::no_waits_for_copies, ErrorKind::AsyncNotWaited,
           "ERROR first", "OTHER copy", "reads"},
          {"a buffer refilled early", mbarrier::refill_early, ErrorKind::SharedRace, "OTHER copy",
           "ERROR second", "since another thread read it"},
          {"a tile read early", mbarrier::read_early, ErrorKind::AsyncNotWaited, "ERROR next",
           "OTHER copy", "reads"},
          {"a buffer read late", mbarrier::no_arrive_before_last_read, ErrorKind::AsyncNotWaited,
           "ERROR last", "OTHER copy", "reads"},
          {"one thread does not arrive", mbarrier::arrive_but_one, ErrorKind::BarrierDivergence,
           "ERROR wait", nullptr, "255 of 256 have arrived; thread (77,0,0) has exited"},
          {"a producer that does not wait", mbarrier::producers_early, ErrorKind::SharedRace,
           "OTHER producer", "ERROR producer", "since another thread wrote it"},
          {"one consumer less", mbarrier::one_consumer_less, ErrorKind::SharedRace,
           "ERROR producer", "OTHER producer", "thread (251,0,0) read"},
      },
      RING_FILE);
}

TEST_CASE("mbarriers that are used rightly are not reported, and their tiles are right") {
  for (const mbarrier::Run& kernel :
       {mbarrier::ring, mbarrier::ring_behind, mbarrier::ring_of_blocks, mbarrier::two_barriers,
        mbarrier::beside_syncthreads, mbarrier::one_lane_looks}) {
    CHECK(!run_on_numbers(mbarrier::refill_early).errors.empty());
    const mbarrier::Outcome outcome = run_on_numbers(kernel);
    CHECK(text(outcome.errors) == "");
    for (int t = 0; t < THREADS * (kernel == mbarrier::ring_of_blocks ? BLOCKS : 1); ++t) {
      float sum = 0;
      for (int tile = 0; tile < TILES; ++tile) {
        sum += number(tile, (t + 1) % THREADS) + number(tile, (t + 64) % THREADS);
      }
      REQUIRE(outcome.C[size_t(t)] == sum);
    }
  }
}

TEST_CASE("other right uses of mbarriers are not reported") {
  for (const mbarrier::Run& kernel :
       {mbarrier::looks_once, mbarrier::in_place, mbarrier::made_anew, mbarrier::producers}) {
    CHECK(text(run_on_numbers(kernel).errors) == "");
    CHECK(!run_on_numbers(mbarrier::no_wait).errors.empty());
    CHECK(text(run_on_numbers(kernel).errors) == "");
  }
}

TEST_CASE("arrivals are counted beside barriers, and not as accesses") {
  run_on_numbers(mbarrier::ring_of_blocks);
  const simt::LaunchReport& report = simt::last_report();
  CHECK(report.barriers == BLOCKS);
  CHECK(report.arrivals == uint64_t(BLOCKS) * THREADS * (TILES + 1));
  CHECK(report.total.shared_atomic.requests == 0);
  CHECK(report.total.shared_store.requests == 0);
  // Two reads of each tile by each warp; with no warp split in two.
  CHECK(report.total.shared_load.requests == uint64_t(BLOCKS) * (THREADS / 32) * TILES * 2);
}
