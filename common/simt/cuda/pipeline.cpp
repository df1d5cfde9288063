// Asynchronous copies: __pipeline_memcpy_async() and its waits; those of the copy engine (cp.async.bulk).
#include <cstring>

#include "common/simt/api/engine.h"
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

namespace {

BulkSource source_of(const BulkRequest& request) {
  BulkSource source;
  source.address = reinterpret_cast<uintptr_t>(request.address);
  source.bytes = request.bytes;
  if (request.rank == 0) {
    return source;
  }
  std::memcpy(&source.tensor, request.map, sizeof source.tensor);
  std::memcpy(source.at, request.at, sizeof source.at);
  if (source.tensor.mark != Tensor::kMark || source.tensor.rank != request.rank) {
    Recorder::running->findings().report_and_abandon(
        ErrorKind::BadArgument, {request.file, request.line},
        source.tensor.mark != Tensor::kMark
            ? "passes a tensor map that cuTensorMapEncodeTiled() has not made"
            : "copies a box of " + std::to_string(request.rank) + " dimensions, but its map has " +
                  std::to_string(source.tensor.rank));
  }
  source.bytes = source.tensor.box_bytes();
  return source;
}

}  // namespace

__attribute__((noinline)) void bulk_load(const BulkRequest& from, uint32_t to, uint32_t barrier,
                                         uint16_t /*blocks*/) {
  Recorder::running->engine().load(source_of(from), to, barrier, {from.file, from.line},
                                   __builtin_return_address(0));
}

__attribute__((noinline)) void bulk_store(const BulkRequest& to, uint32_t from) {
  Recorder::running->engine().store(source_of(to), from, {to.file, to.line},
                                    __builtin_return_address(0));
}

void bulk_commit() {
  Recorder::running->engine().commit();
}

void bulk_wait(unsigned prior) {
  Recorder::running->engine().wait(prior);
}

}  // namespace simt
