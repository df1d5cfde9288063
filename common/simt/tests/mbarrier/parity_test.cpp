// Mbarriers waited for by parity: the order that they give, and what is reported without it.
#include "tests/mbarrier/run.h"

using simt::ErrorKind;

TEST_CASE("a wait by parity that does not order what it must is reported") {
  mbarrier::check(
      {
          {"no __syncwarp() before the copies' arrival", mbarrier::parity_no_syncwarp,
           ErrorKind::SharedRace, "ERROR first", "OTHER copy", "since another thread wrote it"},
          {"no wait for copies", mbarrier::parity_no_copy_wait, ErrorKind::AsyncNotWaited,
           "ERROR first", "OTHER copy", "reads"},
          {"the parity of the phase before", mbarrier::parity_old, ErrorKind::SharedRace,
           "ERROR first", "OTHER copy", "no wait for a phase at which it has arrived since"},
          {"a buffer refilled early", mbarrier::parity_refill_early, ErrorKind::SharedRace,
           "OTHER copy", "ERROR second", "since another thread read it"},
          {"one warp does not arrive", mbarrier::parity_warp_missing, ErrorKind::BarrierDivergence,
           "ERROR wait", "ERROR wait", "7 of 8 have arrived; thread (96,0,0) waits for a phase"},
          {"a fresh barrier's phase before", mbarrier::parity_fresh, ErrorKind::SharedRace,
           "ERROR first", "OTHER copy", "since another thread wrote it"},
          {"a parity of 2", mbarrier::parity_of_2, ErrorKind::BadArgument, "ERROR wait", nullptr,
           "the parity 2"},
          {"a phase that can be missed", mbarrier::parity_missed, ErrorKind::BadArgument,
           "ERROR wait", nullptr, "the next phase is complete, too"},
          {"no barrier's address", mbarrier::parity_no_address, ErrorKind::InvalidAddress,
           "ERROR address", nullptr, "where no shared memory is"},
          {"no __syncwarp() behind a write", mbarrier::hand_over_unsynced, ErrorKind::SharedRace,
           "ERROR read", "OTHER write", "since another thread wrote it"},
          {"no __syncwarp() behind a read", mbarrier::hand_back_unsynced, ErrorKind::SharedRace,
           "OTHER write", "ERROR read", "since another thread read it"},
      },
      PARITY_FILE);
}

TEST_CASE("a lane that arrives for its warp hands on what the warp did") {
  for (const mbarrier::Run& kernel :
       {mbarrier::parity, mbarrier::parity_late, mbarrier::parity_of_blocks, mbarrier::hand_over}) {
    CHECK(!mbarrier::run_on_numbers(mbarrier::parity_old).errors.empty());
    const mbarrier::Outcome outcome = mbarrier::run_on_numbers(kernel);
    CHECK(mbarrier::text(outcome.errors) == "");
    const int blocks = kernel == mbarrier::parity_of_blocks ? mbarrier::BLOCKS : 1;
    for (int t = 0; t < mbarrier::THREADS * blocks; ++t) {
      float sum = 0;
      for (int tile = 0; tile < mbarrier::TILES; ++tile) {
        sum += mbarrier::number(tile, (t + 1) % mbarrier::THREADS) +
               mbarrier::number(tile, (t + 64) % mbarrier::THREADS);
      }
      REQUIRE(outcome.C[size_t(t)] == sum);
    }
  }
}

TEST_CASE("waits by parity count as no accesses and keep the lanes of a warp together") {
  mbarrier::run_on_numbers(mbarrier::parity_of_blocks);
  const simt::LaunchReport& report = simt::last_report();
  const uint64_t warps = uint64_t(mbarrier::BLOCKS) * (mbarrier::THREADS / 32);
  CHECK(report.arrivals == warps * (mbarrier::TILES + 1));
  CHECK(report.total.shared_atomic.requests == 0);
  CHECK(report.total.shared_store.requests == 0);
  CHECK(report.total.shared_load.requests == warps * mbarrier::TILES * 2);
}
