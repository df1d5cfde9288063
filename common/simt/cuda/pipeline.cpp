// cp.async: __pipeline_memcpy_async() and its waits.
#include <cuda_pipeline.h>

#include <cstring>
#include <string>

#include "common/simt/memory/memory.h"

namespace simt {

// Nothing moves before the wait: whoever reads too early finds the old bytes, and is reported.
__attribute__((noinline)) void copy_async(void* shared, const void* global, size_t size,
                                          size_t zfill, const char* file, int line) {
  Recorder& recorder = *Recorder::running;
  if ((size != 4 && size != 8 && size != 16) || zfill > size) {
    RawPlace place;
    place.file = file;
    place.line = line;
    recorder.report_and_abandon(
        ErrorKind::BadArgument, place,
        "copies " + std::to_string(size) + " bytes asynchronously, " + std::to_string(zfill) +
            " of them zeros; the size must be 4, 8 or 16, and no less than the zeros");
  }
  Pipeline& pipeline = recorder.pipeline();
  AsyncCopy copy{static_cast<char*>(shared), static_cast<const char*>(global), uint8_t(size),
                 uint8_t(zfill), pipeline.group};
  recorder.begin_copy(copy, __builtin_return_address(0));
  pipeline.copies.push_back(copy);
}

__attribute__((noinline)) void pipeline_commit() {
  Recorder& recorder = *Recorder::running;
  recorder.note(Access::Commit, __builtin_return_address(0));
  ++recorder.pipeline().group;
}

__attribute__((noinline)) void pipeline_wait(size_t prior) {
  Recorder& recorder = *Recorder::running;
  recorder.note(Access::Wait, __builtin_return_address(0), prior);
  Pipeline& pipeline = recorder.pipeline();
  // Copies after the last commit belong to no group yet and are not waited for.
  const uint32_t limit = pipeline.group > prior ? uint32_t(pipeline.group - prior) : 0;
  while (pipeline.done < pipeline.copies.size() && pipeline.copies[pipeline.done].group < limit) {
    const AsyncCopy& copy = pipeline.copies[pipeline.done++];
    const size_t bytes = size_t(copy.size) - copy.zfill;
    std::memcpy(copy.shared, copy.global, bytes);
    std::memset(copy.shared + bytes, 0, copy.zfill);
    recorder.end_copy(copy);
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
