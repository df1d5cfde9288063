#include "execution/divergence.h"

#include <cstdio>
#include <cstring>

namespace simt {

bool same_place(const RawPlace& a, const RawPlace& b) {
  return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

namespace {

void add(const StoppedBlock& block, RawError error) {
  ErrorList& errors = block.observer.errors();
  error.here.block = error.other.block = block.number;
  error.barriers = block.barriers;
  error.no_loops = !block.observer.has_jumped(error.here.thread) &&
                   !(error.has_other && block.observer.has_jumped(error.other.thread));
  if (errors.is_new(error.kind, error.here.place, error.other.place)) {
    errors.add(std::move(error));
  }
}

}  // namespace

void report_warp_divergence(const StoppedBlock& block, unsigned warp, unsigned lane) {
  const Thread& self = block.threads[warp * 32 + lane];
  RawError error;
  error.kind = ErrorKind::WarpDivergence;
  error.here = {self.stop, self.id, 0};
  // The message names the first lane of the mask that does not arrive.
  unsigned missing = 0;
  const Thread* other = nullptr;
  for (unsigned i = 0; i < 32 && warp * 32 + i < block.count; ++i) {
    const Thread& thread = block.threads[warp * 32 + i];
    const bool here =
        thread.state == Thread::AtWarpOp && thread.op == self.op && thread.mask == self.mask;
    if ((self.mask >> i & 1) != 0 && !here) {
      ++missing;
      other = other == nullptr ? &thread : other;
    }
  }
  char text[200];
  std::snprintf(text, sizeof text, "waits at %s for lanes 0x%08x, but %u of them do not arrive",
                name_of(self.op), self.mask, missing);
  error.what = text;
  if (other != nullptr) {
    error.has_other = true;
    error.other.thread = other->id;
    if (other->state == Thread::Done) {
      error.other_what = "has exited";
      error.other.place.pc = block.observer.last_access(other->id);
    } else {
      error.other.place = other->stop;
      error.other.waits = true;
      error.other_what = other->state == Thread::AtBarrier
                             ? "waits at __syncthreads()"
                             : std::string("waits at ") + name_of(other->op);
    }
  }
  add(block, std::move(error));
}

bool report_barrier_divergence(const StoppedBlock& block, unsigned waiting) {
  const unsigned count = block.count;
  const Thread* first = nullptr;
  const Thread* other = nullptr;
  const Thread* gone = nullptr;
  for (unsigned i = 0; i < count; ++i) {
    const Thread& thread = block.threads[i];
    if (thread.state == Thread::AtBarrier) {
      first = first == nullptr ? &thread : first;
      if (other == nullptr && !same_place(thread.stop, first->stop)) {
        other = &thread;
      }
    } else if (gone == nullptr) {
      gone = &thread;
    }
  }
  if (other == nullptr && gone == nullptr) {
    return false;
  }
  RawError error;
  error.kind = ErrorKind::BarrierDivergence;
  error.here = {first->stop, first->id, 0};
  error.has_other = true;
  if (gone != nullptr) {
    char text[120];
    std::snprintf(text, sizeof text, "waits at __syncthreads() with %u other%s, but %u %s exited",
                  waiting - 1, waiting == 2 ? "" : "s", count - waiting,
                  count - waiting == 1 ? "has" : "have");
    error.what = text;
    error.other.thread = gone->id;
    error.other_what = "has exited";
    error.other.place.pc = block.observer.last_access(gone->id);
  } else {
    error.what = "waits at __syncthreads()";
    error.other = {other->stop, other->id, 0};
    error.other.waits = true;
    error.other_what = "waits at another __syncthreads()";
  }
  add(block, std::move(error));
  return true;
}

void report_grid_divergence(Worker& block, const std::vector<Worker*>& all) {
  const uint32_t* const phase = &block.launch().grid_phase;
  const auto waits = [phase](const Thread& t) {
    return t.state == Thread::AtPhase && t.phase == phase;
  };
  RawError error;
  error.kind = ErrorKind::BarrierDivergence;
  unsigned self = 0;
  for (; !waits(block.thread(self)); ++self) {
  }
  error.here = {block.thread(self).stop, self, block.block()};
  uint64_t missing = 0;
  for (Worker* each : all) {
    for (unsigned t = 0; t < each->thread_count(); ++t) {
      const Thread& other = each->thread(t);
      if (waits(other) || missing++ != 0) {
        continue;
      }
      error.has_other = true;
      error.other = {other.stop, t, each->block()};
      error.other.waits = other.state != Thread::Done;
      error.other_what = what_stops(other);
      if (other.state == Thread::Done) {
        error.other.place = RawPlace(each->observer().last_access(t));
      }
    }
  }
  error.what = "waits at sync() of the grid, but " + std::to_string(missing) +
               (missing == 1 ? " thread does not arrive" : " threads do not arrive");
  ErrorList& errors = block.observer().errors();
  if (errors.is_new(error.kind, error.here.place, error.other.place)) {
    errors.add(std::move(error));
  }
}

void report_bad_mask(const StoppedBlock& block, unsigned thread, WarpOp op, unsigned mask,
                     const RawPlace& stop) {
  RawError error;
  const bool too_few = op >= WarpOp::MatrixLoad;  // lanes are missing, as in divergence
  error.kind = too_few ? ErrorKind::WarpDivergence : ErrorKind::BadArgument;
  error.here = {stop, thread, 0};
  char text[160];
  if (too_few) {
    std::snprintf(text, sizeof text, "calls %s in a warp of %d threads, which needs 32",
                  name_of(op), __builtin_popcount(mask));
  } else {
    std::snprintf(text, sizeof text, "calls %s with the mask 0x%08x, which lacks its own lane",
                  name_of(op), mask);
  }
  error.what = text;
  add(block, std::move(error));
}

}  // namespace simt
