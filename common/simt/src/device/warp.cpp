// Barriers, shuffles and printf() of kernels.
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <string>

#include "execution/execution.h"
#include "races/races.h"
#include "simt/api/threads.h"

namespace simt {
namespace {

struct Exchange {
  uint64_t mine, result;
  unsigned source;
};

void exchange(void* const arguments[32]) {
  for (int lane = 0; lane < 32; ++lane) {
    Exchange* e = static_cast<Exchange*>(arguments[lane]);
    if (e != nullptr) {
      // The value of a lane outside the mask is undefined. Sums over the lanes of a mask that are right on a GPU, such as
      // those of CUDA's sample of reductions, need 0. They read lanes by a distance, so that is no error.
      const Exchange* from = static_cast<Exchange*>(arguments[e->source]);
      if (from == nullptr) {
        Worker::current()->need_lane(e->source);
      }
      e->result = from != nullptr ? from->mine : 0;
    }
  }
}

}  // namespace

void barrier(const char* file, int line) {
  Worker::current()->barrier({file, line});
}

void fence() {
  if (Recorder::running != nullptr) {
    Recorder::running->fence();
  }
}

void sync_warp(unsigned mask, const char* file, int line) {
  Worker& worker = *Worker::current();
  // All lanes that meet have the same mask.
  worker.warp_op(WarpOp::Sync, mask, {file, line}, nullptr, [](void* const*) {
    Recorder::running->sync_warp(Worker::current()->running().mask);
  });
}

uint64_t shuffle(unsigned mask, uint64_t bits, Shuffle kind, int lane, int width, const char* file,
                 int line) {
  Worker& worker = *Worker::current();
  if (width < 1 || width > 32 || (width & (width - 1)) != 0) {
    Recorder::running->findings().report_and_abandon(ErrorKind::BadArgument, {file, line},
                                                     "calls a shuffle with the width " +
                                                         std::to_string(width) +
                                                         ": it must be 1, 2, 4, 8, 16 or 32");
  }
  const int self = int(worker.lane());
  const int first = self / width * width;  // of the group that contains this lane
  int source = self;
  switch (kind) {
    case Shuffle::Index:
      source = first + (lane & (width - 1));
      break;
    case Shuffle::Up:
      source = self - lane >= first ? self - lane : self;
      break;
    case Shuffle::Down:
      source = self + lane < first + width ? self + lane : self;
      break;
    case Shuffle::Xor:
      // The result may be in a lower group, as on a GPU.
      source = (self ^ lane) < first + width ? self ^ lane : self;
      break;
  }
  if (kind == Shuffle::Index && (mask >> source & 1) == 0 && (mask >> self & 1) != 0) {
    char text[120];
    std::snprintf(text, sizeof text,
                  "calls a shuffle that reads lane %d, which the mask 0x%08x lacks: the value is "
                  "undefined",
                  source, mask);
    Recorder::running->findings().report(ErrorKind::BadArgument, {file, line}, text);
  }
  Exchange e{bits, bits, unsigned(source)};
  worker.warp_op(WarpOp::Shuffle, mask, {file, line}, &e, exchange);
  return e.result;
}

int print(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  Worker* const worker = Worker::current();
  int length = 0;
  if (worker == nullptr || !worker->in_kernel()) {
    length = std::vprintf(format, arguments);
  } else if (worker->may_print()) {
    va_list again;
    va_copy(again, arguments);
    length = std::vsnprintf(nullptr, 0, format, again);
    va_end(again);
    if (length > 0) {
      std::string text(size_t(length) + 1, '\0');
      std::vsnprintf(text.data(), text.size(), format, arguments);
      text.pop_back();
      worker->print(text);
    }
  }
  va_end(arguments);
  return length;
}

}  // namespace simt
