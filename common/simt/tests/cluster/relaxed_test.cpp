// Relaxed barriers of a cluster: what fences make known behind them, and what they do not.
#include "tests/cluster/cluster.h"
#include "tests/mbarrier/run.h"

using mbarrier::number;
using mbarrier::THREADS;
using simt::ErrorKind;

TEST_CASE("a relaxed barrier of the cluster makes known what a fence has released") {
  for (const int threads : {1, 3}) {
    simt::set_threads(threads);
    const mbarrier::Outcome fenced = mbarrier::run_on_numbers(cluster::relaxed);
    CHECK(mbarrier::text(fenced.errors) == "");
    const mbarrier::Outcome restricted = mbarrier::run_on_numbers(cluster::relaxed_restricted);
    CHECK(mbarrier::text(restricted.errors) == "");
    for (int i = 0; i < 4 * THREADS; ++i) {
      const int block = i / THREADS, t = i % THREADS;
      CHECK(fenced.C[size_t(i)] == number(block, t));
      CHECK(restricted.C[size_t(i)] == number(block, t) + number(block ^ 1, t));
    }
  }
  simt::set_threads(0);
}

TEST_CASE("what no fence has released is a race behind a relaxed barrier") {
  mbarrier::check(
      {{"a barrier", cluster::relaxed_unfenced, ErrorKind::SharedRace, "ERROR relaxed arrival",
        "OTHER relaxed init", "another thread initialised it"},
       {"numbers behind a fence for barriers", cluster::relaxed_numbers, ErrorKind::SharedRace,
        "ERROR relaxed read", "OTHER relaxed write", "since another thread wrote it"}},
      RELAXED_FILE);
}
