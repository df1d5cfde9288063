// Asynchronous copies: __pipeline_memcpy_async() and its waits, and bulk copies by TMA.
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "races/races.h"
#include "simt/api/ptx.h"
#include "simt/api/tensor_map.h"
#include "simt/api/threads.h"
#include "simt/api/tma.h"

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
  source.address = in_device_memory(reinterpret_cast<uintptr_t>(request.address));
  source.bytes = request.bytes;
  if (request.rank == 0) {
    return source;
  }
  Recorder& recorder = *Recorder::running;
  if (recorder.is_own(reinterpret_cast<uintptr_t>(request.map)) &&
      !recorder.is_grid_constant(reinterpret_cast<uintptr_t>(request.map))) {
    recorder.findings().report_and_abandon(
        ErrorKind::BadArgument, {request.file, request.line},
        "passes a tensor map in a thread's own memory, where TMA cannot read it: a "
        "kernel's parameter must be const __grid_constant__");
  }
  std::memcpy(&source.tensor, request.map, sizeof source.tensor);
  std::memcpy(source.at, request.at, sizeof source.at);
  if (source.tensor.mark != Tensor::kMark || source.tensor.rank != request.rank) {
    recorder.findings().report_and_abandon(
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

namespace {

[[noreturn]] void refuse(ErrorKind kind, const RawPlace& place, const std::string& what) {
  Recorder::running->findings().report_and_abandon(kind, place, what);
}

// Returns the block that receives a copy, which must be the mbarrier's block; null if `to` is not in shared memory.
Recorder* target_of(uint32_t to, uint32_t barrier, const RawPlace& place) {
  Recorder* const target = Recorder::running->block_at(to);
  Recorder* const waits = Recorder::running->block_at(barrier);
  if (waits == nullptr) {
    refuse(ErrorKind::InvalidAddress, place,
           "passes the address " + std::to_string(barrier) +
               " for a copy's mbarrier, where no shared memory is");
  }
  if (target != nullptr && target != waits) {
    refuse(ErrorKind::BadArgument, place,
           "copies to one block of its cluster, and passes an mbarrier of another one");
  }
  return target;
}

// Returns the element type of a tensor for a reduction by TMA.
AtomicType type_of(const Tensor& tensor, const RawPlace& place) {
  switch (tensor.type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT32:
      return AtomicType::u32;
    case CU_TENSOR_MAP_DATA_TYPE_INT32:
      return AtomicType::s32;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
      return AtomicType::u64;
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
      return AtomicType::s64;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
      return AtomicType::f16;
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
      return AtomicType::bf16;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
      return AtomicType::f64;
    case CU_TENSOR_MAP_DATA_TYPE_UINT8:
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
      refuse(ErrorKind::BadArgument, place, "reduces integers of 8 or 16 bits, which TMA cannot");
    default:
      return AtomicType::f32;
  }
}

// Records a copy for a trace. shared, barrier: offsets in shared memory.
void note_copy(Access what, const BulkSource& box, size_t shared, uint64_t barrier,
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
  copy.sectors = recorder.tma().last_sectors();
  recorder.log().note_copy(what, pc, copy);
}

}  // namespace

__attribute__((noinline)) void bulk_load(const BulkRequest& request, uint32_t to, uint32_t barrier,
                                         uint16_t blocks) {
  Recorder& self = *Recorder::running;
  const RawPlace place(request.file, request.line);
  const BulkSource source = source_of(request);
  const unsigned size = Worker::current()->cluster().size();
  Recorder* const target = target_of(to, barrier, place);
  if (blocks >> size != 0) {
    refuse(ErrorKind::BadArgument, place,
           "copies to the blocks of the mask " + std::to_string(blocks) +
               ", but its cluster has only " + std::to_string(size));
  }
  const size_t offset = target == nullptr ? to : Recorder::offset_in_block(to);
  const unsigned count = blocks == 0 ? 1 : unsigned(__builtin_popcount(blocks));
  const void* const pc = __builtin_return_address(0);
  const uint32_t site = self.tma().ask(source, offset, count, place, pc);
  note_copy(Access::BulkLoad, source, offset, Recorder::offset_in_block(barrier), pc);
  for (unsigned rank = 0; rank < size; ++rank) {
    Recorder& block = self.block(rank);
    if (blocks == 0 ? &block == target : (blocks >> rank & 1) != 0) {
      if (&block != &self) block.reach(place, false);
      block.tma().load(source, offset, block.pointer_at(barrier), place, site);
    }
  }
}

__attribute__((noinline)) void bulk_store(const BulkRequest& to, uint32_t from) {
  Recorder& self = *Recorder::running;
  const BulkSource source = source_of(to);
  const size_t offset = self.block_at(from) == &self ? Recorder::offset_in_block(from) : from;
  const void* const pc = __builtin_return_address(0);
  self.tma().store(source, offset, {to.file, to.line}, pc);
  note_copy(Access::BulkStore, source, offset, kNoAddress, pc);
}

__attribute__((noinline)) void bulk_reduce(const BulkRequest& to, uint32_t from, AtomicOp op,
                                           AtomicType type) {
  Recorder& self = *Recorder::running;
  BulkSource source = source_of(to);
  const RawPlace place(to.file, to.line);
  source.reduces = true;
  source.op = op;
  source.type = to.rank == 0 ? type : type_of(source.tensor, place);
  const size_t offset = self.block_at(from) == &self ? Recorder::offset_in_block(from) : from;
  const void* const pc = __builtin_return_address(0);
  self.tma().store(source, offset, place, pc);
  note_copy(Access::BulkStore, source, offset, kNoAddress, pc);
}

namespace {

// Returns the block of the cluster that receives `bytes` bytes at `to`, which must be in one of its arrays.
Recorder& receiver_of(uint32_t to, size_t bytes, size_t unit, uint32_t barrier,
                      const RawPlace& place) {
  Recorder& self = *Recorder::running;
  Recorder* const block = target_of(to, barrier, place);
  const size_t offset = Recorder::offset_in_block(to);
  if (block == nullptr || !block->shared().is_all_array(offset, bytes)) {
    refuse(ErrorKind::SharedOutOfBounds, place,
           "sends " + std::to_string(bytes) + " bytes to an address where no shared array is");
  }
  if (to % unit != 0) {
    refuse(ErrorKind::Misaligned, place,
           "sends to " + block->shared().name(offset) + ", which is not at a multiple of " +
               std::to_string(unit) + " bytes");
  }
  if (block != &self) block->reach(place, false);
  return *block;
}

}  // namespace

__attribute__((noinline)) void store_async(uint32_t to, const void* bytes, unsigned size,
                                           uint32_t barrier, const char* file, int line) {
  Recorder& self = *Recorder::running;
  const RawPlace place(file, line);
  Recorder& block = receiver_of(to, size, size, barrier, place);
  const uint32_t site = Sites::get().number(static_cast<const char*>(__builtin_return_address(0)),
                                            0, Access::Store, size);
  const size_t offset = Recorder::offset_in_block(to);
  self.log().add(site, true, offset);
  BulkSource source;
  source.bytes = size;
  const char* const begin = static_cast<const char*>(bytes);
  block.tma().load(source, offset, block.pointer_at(barrier), place, site, true,
                   std::vector<char>(begin, begin + size));
}

__attribute__((noinline)) void bulk_send(uint32_t to, uint32_t from, uint32_t bytes,
                                         uint32_t barrier, const char* file, int line) {
  Recorder& self = *Recorder::running;
  const RawPlace place(file, line);
  const size_t at = self.block_at(from) == &self ? Recorder::offset_in_block(from) : from;
  const uint32_t site = Sites::get().number(static_cast<const char*>(__builtin_return_address(0)),
                                            0, Access::BulkLoad, 16);
  std::vector<char> sent = self.tma().take(at, bytes, place, site);
  Recorder& block = receiver_of(to, bytes, 16, barrier, place);
  BulkSource source;
  source.bytes = bytes;
  block.tma().load(source, Recorder::offset_in_block(to), block.pointer_at(barrier), place, site,
                   true, std::move(sent));
}

void grid_constant(const void* parameter, size_t bytes) {
  Recorder::running->add_grid_constant(parameter, bytes);
}

void bulk_commit() {
  Recorder::running->tma().commit();
}

void bulk_wait(unsigned prior, bool only_read) {
  Recorder::running->tma().wait(prior, only_read);
}

}  // namespace simt
