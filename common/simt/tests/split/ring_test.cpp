// Mbarriers: right kernels give right sums and no report; each mistake is reported at its line.
#include "tests/split/run.h"

namespace {

using simt::ErrorKind;
using split::BLOCKS;
using split::number;
using split::run_on_numbers;
using split::text;
using split::THREADS;
using split::TILES;

}  // namespace

TEST_CASE("a kernel in which an mbarrier does not order what it must is reported") {
  split::check(
      {
          {"no wait", split::no_wait, ErrorKind::AsyncNotWaited, "ERROR first", "OTHER copy",
           "reads"},
          {"a wait for the phase before", split::wait_for_last_tile, ErrorKind::BadArgument,
           "ERROR wait", nullptr, "a token of 2 phases ago"},
          {"arrives before its copies", split::arrive_before_copies, ErrorKind::SharedRace,
           "ERROR first", "OTHER copy", "no wait for a phase at which it has arrived since"},
          {"no wait for copies", split::no_waits_for_copies, ErrorKind::AsyncNotWaited,
           "ERROR first", "OTHER copy", "reads"},
          {"a buffer refilled early", split::refill_early, ErrorKind::SharedRace, "OTHER copy",
           "ERROR second", "since another thread read it"},
          {"a tile read early", split::read_early, ErrorKind::AsyncNotWaited, "ERROR next",
           "OTHER copy", "reads"},
          {"a buffer read late", split::no_arrive_before_last_read, ErrorKind::AsyncNotWaited,
           "ERROR last", "OTHER copy", "reads"},
          {"one thread does not arrive", split::arrive_but_one, ErrorKind::BarrierDivergence,
           "ERROR wait", nullptr, "255 of 256 have arrived; thread (77,0,0) has exited"},
          {"a producer that does not wait", split::producers_early, ErrorKind::SharedRace,
           "OTHER producer", "ERROR producer", "since another thread wrote it"},
          {"one consumer less", split::one_consumer_less, ErrorKind::SharedRace, "ERROR producer",
           "OTHER producer", "thread (251,0,0) read"},
      },
      RING_FILE);
}

TEST_CASE("mbarriers that are used rightly are not reported, and their tiles are right") {
  for (const split::Run& kernel :
       {split::ring, split::ring_behind, split::ring_of_blocks, split::two_barriers,
        split::beside_syncthreads, split::one_lane_looks}) {
    CHECK(!run_on_numbers(split::refill_early).errors.empty());
    const split::Outcome outcome = run_on_numbers(kernel);
    CHECK(text(outcome.errors) == "");
    for (int t = 0; t < THREADS * (kernel == split::ring_of_blocks ? BLOCKS : 1); ++t) {
      float sum = 0;
      for (int tile = 0; tile < TILES; ++tile) {
        sum += number(tile, (t + 1) % THREADS) + number(tile, (t + 64) % THREADS);
      }
      REQUIRE(outcome.C[size_t(t)] == sum);
    }
  }
}

TEST_CASE("other right uses of mbarriers are not reported") {
  for (const split::Run& kernel :
       {split::looks_once, split::in_place, split::made_anew, split::producers}) {
    CHECK(text(run_on_numbers(kernel).errors) == "");
    CHECK(!run_on_numbers(split::no_wait).errors.empty());
    CHECK(text(run_on_numbers(kernel).errors) == "");
  }
}

TEST_CASE("arrivals are counted beside barriers, and not as accesses") {
  run_on_numbers(split::ring_of_blocks);
  const simt::LaunchReport& report = simt::last_report();
  CHECK(report.barriers == BLOCKS);
  CHECK(report.arrivals == uint64_t(BLOCKS) * THREADS * (TILES + 1));
  CHECK(report.total.shared_atomic.requests == 0);
  CHECK(report.total.shared_store.requests == 0);
  // Two reads of each tile by each warp; with no warp split in two.
  CHECK(report.total.shared_load.requests == uint64_t(BLOCKS) * (THREADS / 32) * TILES * 2);
}
