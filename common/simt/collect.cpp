#include "common/simt/collect.h"

#include <cstdio>
#include <cstdlib>

#include "common/simt/recorder.h"

namespace simt {

void Collector::add(Worker& worker) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto& errors = worker.recorder().errors().errors();
  errors_.insert(errors_.end(), errors.begin(), errors.end());
}

bool Collector::finish() {
  for (const RawError& error : errors_) {
    const uint3 t = unflatten(error.here.thread, launch_.config.block);
    const uint3 b = unflatten(error.here.block, launch_.config.grid);
    std::fprintf(stderr, "%s:%d: %s, thread (%u,%u,%u) block (%u,%u,%u)\n",
                 error.here.place.file != nullptr ? error.here.place.file : "?",
                 error.here.place.line, error.what.c_str(), t.x, t.y, t.z, b.x, b.y, b.z);
  }
  return !errors_.empty();
}

void refuse_nested_launch() {
  std::fprintf(stderr, "the CPU backend does not support a kernel that launches a kernel\n");
  std::_Exit(3);
}

}  // namespace simt
