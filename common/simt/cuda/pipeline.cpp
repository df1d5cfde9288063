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

// For a trace. shared, barrier: offsets in shared memory.
void note_copy(Access what, const BulkSource& box, uint32_t shared, uint64_t barrier,
               const void* pc) {
  Recorder& recorder = *Recorder::running;
  WatchedCopy copy;
  uintptr_t corner = box.address;
  copy.bytes = box.bytes;
  if (box.tensor.rank != 0) {
    copy.bytes = uint64_t(box.tensor.box[0]) * box.tensor.element;
    corner = box.tensor.address + uint64_t(int64_t(box.at[0]) * int64_t(box.tensor.element));
    for (unsigned d = 1; d < box.tensor.rank; ++d) {
      corner += uint64_t(int64_t(box.at[d]) * int64_t(box.tensor.strides[d]));
    }
  }
  copy.global = recorder.global().offset(corner);
  copy.shared = shared;
  copy.barrier = barrier;
  copy.rows = box.bytes / copy.bytes;
  copy.sectors = recorder.engine().last_sectors();
  recorder.log().note_copy(what, pc, copy);
}

}  // namespace

__attribute__((noinline)) void bulk_load(const BulkRequest& from, uint32_t to, uint32_t barrier,
                                         uint16_t /*blocks*/) {
  const BulkSource source = source_of(from);
  const void* const pc = __builtin_return_address(0);
  Recorder::running->engine().load(source, to, barrier, {from.file, from.line}, pc);
  note_copy(Access::BulkLoad, source, to, barrier, pc);
}

__attribute__((noinline)) void bulk_store(const BulkRequest& to, uint32_t from) {
  const BulkSource source = source_of(to);
  const void* const pc = __builtin_return_address(0);
  Recorder::running->engine().store(source, from, {to.file, to.line}, pc);
  note_copy(Access::BulkStore, source, from, kNoAddress, pc);
}

void bulk_commit() {
  Recorder::running->engine().commit();
}

void bulk_wait(unsigned prior) {
  Recorder::running->engine().wait(prior);
}

}  // namespace simt
