// PTX: bar.red, trap, exit, the carry flag and special registers.
#include <chrono>

#include "execution/execution.h"
#include "races/races.h"
#include "simt/api/occupancy.h"
#include "simt/api/ptx.h"

namespace simt {
namespace {

// One for all threads of a worker: a thread runs on until its barrier, and no barrier stands between two parts of a sum.
thread_local bool carry_kept = false;

}  // namespace

bool kept_carry() {
  return carry_kept;
}

void keep_carry(bool carry) {
  carry_kept = carry;
}

unsigned counting_barrier(unsigned number, unsigned threads, bool predicate, const char* file,
                          int line) {
  const RawPlace place(file, line);
  Worker& worker = *Worker::current();
  if (number == 0 && (threads == 0 || threads == worker.thread_count())) {
    return worker.barrier_count(predicate, place);
  }
  Recorder::running->keep_vector_clocks();
  return Recorder::running->named_barriers().count(
      number, threads == 0 ? worker.thread_count() : threads, predicate, place);
}

void ptx_trap(const char* file, int line) {
  Recorder::running->findings().report_and_abandon(ErrorKind::Fault, {file, line}, "executes trap");
}

void ptx_exit() {
  Worker::current()->exit_thread();
}

uint64_t special_number(SpecialNumber which) {
  const Worker& worker = *Worker::current();
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const uint64_t multiprocessors = uint64_t(multiprocessor_count());
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
