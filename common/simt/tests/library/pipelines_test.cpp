// cuda::pipeline: stages come in their order, and a wait or a release that is missing is found.
#include "tests/library/pipelines.h"

#include "tests/library/check.h"

using library::numbers;
using library::right;
using namespace pipelines;
using simt::ErrorKind;

TEST_CASE("cuda::pipeline hands tiles from stage to stage") {
  constexpr int TILES = 9;
  const std::vector<int> in = numbers();
  for (const auto kernel : {own_copies, own_prior, all_threads, one_by_one, by_role, by_count}) {
    const bool own = kernel == own_copies || kernel == own_prior;
    const std::vector<int> out = right([&](int* from, int* to) { kernel(from, to, TILES, NONE); });
    for (size_t i = 0; i < TILES * 128; ++i) {
      REQUIRE(out[i] == 2 * in[own ? i : i / 128 * 128 + 127 - i % 128]);
    }
    CHECK(out[TILES * 128] == -1);
  }
}

TEST_CASE("what is missing at a cuda::pipeline is reported") {
  const auto with = [](void (*kernel)(int*, int*, int, Bug), Bug bug) {
    return [=](int* in, int* out) { kernel(in, out, 6, bug); };
  };
  library::check(
      {
          {"no consumer_wait(), a thread's", with(own_copies, NO_WAIT), ErrorKind::AsyncNotWaited,
           "ERROR own", "COPY own", "before its asynchronous copy has been waited for"},
          {"a wait for too few", with(own_prior, TOO_LATE), ErrorKind::AsyncNotWaited,
           "ERROR prior", nullptr, "before its asynchronous copy has been waited for"},
          {"no consumer_wait()", with(all_threads, NO_WAIT), ErrorKind::AsyncNotWaited, "READ all",
           "COPY all", "before its asynchronous copy has been waited for"},
          {"no consumer_release()", with(all_threads, NO_RELEASE), ErrorKind::BarrierDivergence,
           "ACQUIRE all", nullptr, "that cannot complete: 0 of 128 have arrived"},
          {"no producer_acquire()", with(all_threads, NO_ACQUIRE), ErrorKind::SharedRace,
           "COPY all", "READ all", "since another thread read it"},
          {"no consumer_wait() of a consumer", with(by_role, NO_WAIT),
           ErrorKind::UninitializedShared, "ERROR role", nullptr,
           "which no thread of this block has written"},
      },
      PIPELINES_FILE);
}
