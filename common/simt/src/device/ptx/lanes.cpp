// PTX of a warp's lanes; special registers.
#include <chrono>

#include "execution/execution.h"
#include "races/races.h"
#include "simt/api/ptx.h"

namespace simt {
namespace {

struct Gather {
  uint64_t mine;
  Lanes* all;
};

void gather(void* const arguments[32]) {
  Lanes all{};
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (arguments[lane] != nullptr) {
      all.present |= 1u << lane;
      all.value[lane] = static_cast<Gather*>(arguments[lane])->mine;
    }
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (arguments[lane] != nullptr) *static_cast<Gather*>(arguments[lane])->all = all;
  }
}

}  // namespace

void gather_lanes(unsigned mask, uint64_t value, Lanes& all, const char* file, int line) {
  Gather mine{value, &all};
  Worker::current()->warp_op(WarpOp::Shuffle, mask, {file, line}, &mine, gather);
}

void ptx_trap(const char* file, int line) {
  Recorder::running->findings().report_and_abandon(ErrorKind::Fault, {file, line}, "executes trap");
}

uint64_t special_number(SpecialNumber which) {
  const Worker& worker = *Worker::current();
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const int asked = number_asked_for("SIMT_MULTIPROCESSORS");
  const uint64_t multiprocessors = asked > 0 ? uint64_t(asked) : 132;
  switch (which) {
    case SpecialNumber::Clock:
    case SpecialNumber::Nanoseconds:
      return uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
    case SpecialNumber::Multiprocessor:
      return worker.block() % multiprocessors;
    case SpecialNumber::Multiprocessors:
      return multiprocessors;
    default:
      return worker.launch().config.dynamic_shared;
  }
}

}  // namespace simt
