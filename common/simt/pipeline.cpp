#include "common/simt/pipeline.h"

#include <cuda_pipeline.h>

#include <cstring>

#include "common/simt/recorder.h"
#include "common/simt/worker.h"

namespace simt {

// Nothing moves before the wait: whoever reads too early finds the old bytes, and is reported.
void copy_async(void* shared, const void* global, size_t size, size_t zfill, const char* file,
                int line) {
  Worker& worker = *Worker::current();
  AsyncCopy copy{static_cast<char*>(shared),
                 static_cast<const char*>(global),
                 uint8_t(size),
                 uint8_t(zfill),
                 0,
                 file,
                 line};
  Pipeline& pipeline = worker.running().pipeline;
  copy.group = pipeline.group;
  if (!worker.recorder().begin_copy(copy, size, zfill, __builtin_return_address(0))) {
    worker.abandon();
  }
  pipeline.copies.push_back(copy);
}

void pipeline_commit() {
  ++Worker::current()->running().pipeline.group;
}

void pipeline_wait(size_t prior) {
  Worker& worker = *Worker::current();
  Pipeline& pipeline = worker.running().pipeline;
  // Copies after the last commit belong to no group yet and are not waited for.
  const uint32_t limit = pipeline.group > prior ? uint32_t(pipeline.group - prior) : 0;
  while (pipeline.done < pipeline.copies.size() && pipeline.copies[pipeline.done].group < limit) {
    const AsyncCopy& copy = pipeline.copies[pipeline.done++];
    const size_t bytes = size_t(copy.size) - copy.zfill;
    std::memcpy(copy.shared, copy.global, bytes);
    std::memset(copy.shared + bytes, 0, copy.zfill);
    worker.recorder().end_copy(copy);
  }
  if (pipeline.done == pipeline.copies.size()) {
    pipeline.copies.clear();
    pipeline.done = 0;
  } else if (pipeline.done > 256) {
    pipeline.copies.erase(pipeline.copies.begin(),
                          pipeline.copies.begin() + std::ptrdiff_t(pipeline.done));
    pipeline.done = 0;
  }
}

}  // namespace simt
