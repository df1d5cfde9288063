// Votes, matches and reductions of a warp, barriers that count, and __activemask().
#include <algorithm>
#include <chrono>

#include "execution/execution.h"
#include "races/races.h"
#include "simt/api/threads.h"

namespace simt {
namespace {

// A lane's operand and result.
struct Contribution {
  uint64_t value;
  unsigned result = 0, voters = 0;
  Reduction kind = Reduction::Add;
};

template <typename Function>
void for_lanes(void* const arguments[32], Function function) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (arguments[lane] != nullptr) {
      function(lane, *static_cast<Contribution*>(arguments[lane]));
    }
  }
}

// Finds for each lane the lanes that have the same value.
void match(void* const arguments[32]) {
  for_lanes(arguments, [&](unsigned, Contribution& to) {
    for_lanes(arguments, [&](unsigned lane, const Contribution& from) {
      to.voters |= 1u << lane;
      to.result |= unsigned(from.value == to.value) << lane;
    });
  });
}

void count(void* const arguments[32]) {
  unsigned voters = 0, holds = 0;
  for_lanes(arguments, [&](unsigned lane, const Contribution& from) {
    voters |= 1u << lane;
    holds |= unsigned(from.value != 0) << lane;
  });
  for_lanes(arguments, [&](unsigned, Contribution& to) { to.result = holds, to.voters = voters; });
}

unsigned combine(Reduction kind, unsigned a, unsigned b) {
  switch (kind) {
    case Reduction::Add:
      return a + b;
    case Reduction::Min:
      return std::min(a, b);
    case Reduction::Max:
      return std::max(a, b);
    case Reduction::SignedMin:
      return unsigned(std::min(int(a), int(b)));
    case Reduction::SignedMax:
      return unsigned(std::max(int(a), int(b)));
    case Reduction::And:
      return a & b;
    case Reduction::Or:
      return a | b;
    default:
      return a ^ b;
  }
}

void reduce_lanes(void* const arguments[32]) {
  bool first = true;
  unsigned result = 0;
  for_lanes(arguments, [&](unsigned, const Contribution& from) {
    result = first ? unsigned(from.value) : combine(from.kind, result, unsigned(from.value));
    first = false;
  });
  for_lanes(arguments, [&](unsigned, Contribution& to) { to.result = result; });
}

__attribute__((always_inline)) inline Contribution meet(WarpOp op, unsigned mask, uint64_t value,
                                                        WarpFunction function, const char* file,
                                                        int line, Reduction kind = Reduction::Add) {
  Contribution own{value};
  own.kind = kind;
  Worker::current()->warp_op(op, mask, {file, line}, &own, function);
  return own;
}

}  // namespace

unsigned barrier_count(bool predicate, const char* file, int line) {
  return Worker::current()->barrier_count(predicate, {file, line});
}

// Never inlined: the return address shows the lane's position in the code.
__attribute__((noinline)) unsigned active_mask(const char* file, int line) {
  RawPlace place(file, line);
  place.pc = __builtin_return_address(0);
  return Worker::current()->active_mask(place);
}

Votes vote(unsigned mask, bool predicate, Vote kind, const char* file, int line) {
  const WarpOp op = kind == Vote::All   ? WarpOp::All
                    : kind == Vote::Any ? WarpOp::Any
                                        : WarpOp::Ballot;
  const Contribution own = meet(op, mask, predicate, count, file, line);
  return {own.voters, own.result};
}

unsigned match_any(unsigned mask, uint64_t bits, const char* file, int line) {
  return meet(WarpOp::MatchAny, mask, bits, match, file, line).result;
}

unsigned match_all(unsigned mask, uint64_t bits, const char* file, int line) {
  const Contribution own = meet(WarpOp::MatchAll, mask, bits, match, file, line);
  return own.result == own.voters ? mask : 0;
}

unsigned reduce(unsigned mask, unsigned value, Reduction kind, const char* file, int line) {
  return meet(WarpOp::Reduce, mask, value, reduce_lanes, file, line, kind).result;
}

uint64_t now_in_nanoseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

void trap(const char* file, int line) {
  Recorder::running->findings().report_and_abandon(ErrorKind::Fault, {file, line},
                                                   "executes __trap()");
  __builtin_unreachable();
}

}  // namespace simt
