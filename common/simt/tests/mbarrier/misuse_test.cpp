// Mbarriers that are used wrongly are reported.
#include "tests/mbarrier/run.h"

using simt::ErrorKind;

TEST_CASE("each misuse of an mbarrier is reported") {
  mbarrier::check(
      {
          {"a read before the barrier is made", mbarrier::read_before_made, ErrorKind::SharedRace,
           "ERROR before", "OTHER before", "thread (6,0,0) read"},
          {"a read behind the arrival", mbarrier::read_behind_arrival, ErrorKind::SharedRace,
           "ERROR behind", "OTHER behind", "thread (0,0,0) read"},
          {"two reads behind the arrival", mbarrier::two_read_behind_arrival, ErrorKind::SharedRace,
           "ERROR behind", "OTHER behind", "thread (100,0,0) read"},
          {"no __mbarrier_init()", mbarrier::never_made, ErrorKind::BadArgument, "ERROR arrive",
           nullptr, "arrives at barrier + 0 bytes, where no __mbarrier_init() made a barrier"},
          {"two __mbarrier_init()", mbarrier::made_twice, ErrorKind::BadArgument, "ERROR made",
           "ERROR made", "which is a barrier already; thread (0,0,0) initialised it"},
          {"no barrier after __mbarrier_init()", mbarrier::made_unseen, ErrorKind::SharedRace,
           "ERROR arrive", "ERROR made", "since another thread initialised it"},
          {"a count of 0", mbarrier::made_for_none, ErrorKind::BadArgument, "ERROR made", nullptr,
           "for 0 arrivals"},
          {"data where a barrier is made", mbarrier::made_of_data, ErrorKind::SharedRace,
           "ERROR data", "OTHER data", "since another thread wrote it"},
          {"two arrivals of a thread", mbarrier::arrives_twice, ErrorKind::BadArgument,
           "ERROR twice", nullptr, "arrives a second time"},
          {"a token of long ago", mbarrier::old_token, ErrorKind::BadArgument, "ERROR test",
           nullptr, "a token of 2 phases ago"},
          {"another barrier's token", mbarrier::token_of_another, ErrorKind::BadArgument,
           "ERROR test", nullptr, "a token that no __mbarrier_arrive() of this barrier returned"},
          {"a barrier read as data", mbarrier::data_beside, ErrorKind::BadArgument, "ERROR beside",
           "ERROR made", "where an mbarrier lies"},
          {"__mbarrier_inval() in use", mbarrier::unmade_in_use, ErrorKind::BadArgument,
           "ERROR unmade", nullptr, "4 of 256 have arrived"},
          {"half of the threads exit", mbarrier::half_exits, ErrorKind::BarrierDivergence,
           "ERROR test", nullptr, "128 of 256 have arrived; thread (128,0,0) has exited"},
          {"crossed waits", mbarrier::crossed_waits, ErrorKind::BarrierDivergence, "ERROR wait",
           "ERROR wait", "thread (128,0,0) waits for a phase of "},
          {"half at __syncthreads()", mbarrier::waits_at_syncthreads, ErrorKind::BarrierDivergence,
           "ERROR test", "OTHER syncthreads", "thread (128,0,0) waits at __syncthreads()"},
          {"a count that is too large", mbarrier::one_too_many, ErrorKind::BarrierDivergence,
           "ERROR test", nullptr, "256 of 257 have arrived"},
      },
      MISUSE_FILE);
}
