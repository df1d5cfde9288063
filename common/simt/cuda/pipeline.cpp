// cp.async: __pipeline_memcpy_async() and its waits.
#include "common/simt/api/threads.h"
#include "common/simt/recorder/recorder.h"

namespace simt {

__attribute__((noinline)) void copy_async(void* shared, const void* global, size_t size,
                                          size_t zfill, const char* file, int line) {
  Recorder& recorder = *Recorder::running;
  recorder.copies().copy(recorder.now(), static_cast<char*>(shared),
                         static_cast<const char*>(global), size, zfill, {file, line},
                         __builtin_return_address(0));
}

__attribute__((noinline)) void pipeline_commit() {
  Recorder& recorder = *Recorder::running;
  recorder.copies().commit(recorder.now(), __builtin_return_address(0));
}

__attribute__((noinline)) void pipeline_wait(size_t prior) {
  Recorder& recorder = *Recorder::running;
  recorder.copies().wait(recorder.now(), prior, __builtin_return_address(0));
}

}  // namespace simt
