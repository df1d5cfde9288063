// mbarriers (also __mbarrier_t), clusters of blocks, and named barriers.
#include <string>

#include "races/races.h"
#include "simt/api/cluster.h"
#include "simt/api/ptx.h"
#include "simt/api/threads.h"
#include "simt/api/tma.h"

namespace simt {
namespace {

// Records for a trace that the running thread is about to use the mbarrier at this offset in shared memory.
void note(Access what, size_t barrier, const void* pc) {
  Recorder::running->log().note(what, pc, barrier);
}

}  // namespace

__attribute__((noinline)) void mbarrier_init(uint64_t* barrier, uint32_t count, const char* file,
                                             int line) {
  Recorder::running->barriers().init(barrier, count, {file, line}, __builtin_return_address(0));
}

__attribute__((noinline)) void mbarrier_inval(uint64_t* barrier, const char* file, int line) {
  Recorder::running->barriers().inval(barrier, {file, line});
}

__attribute__((noinline)) uint64_t mbarrier_arrive(uint64_t* barrier, const char* file, int line) {
  note(Access::Arrive, Recorder::running->shared().offset(barrier), __builtin_return_address(0));
  return Recorder::running->barriers().arrive(barrier, {file, line});
}

__attribute__((noinline)) bool mbarrier_test(uint64_t* barrier, uint64_t token, const char* file,
                                             int line) {
  return Recorder::running->barriers().test(barrier, token, {file, line});
}

namespace {

// Returns the block whose shared memory contains the PTX address. It must be the running thread's block unless
// may_be_another.
Recorder& block_of(uint32_t address, bool may_be_another, const RawPlace& place) {
  Recorder& self = *Recorder::running;
  Recorder* const block = self.block_at(address);
  if (block == nullptr) {
    self.findings().report_and_abandon(
        ErrorKind::InvalidAddress, place,
        "passes " + std::to_string(address) + " for an mbarrier, where no shared memory is");
  }
  if (block != &self && !may_be_another) {
    self.findings().report_and_abandon(
        ErrorKind::BadArgument, place,
        "uses another block's mbarrier in a way that only that block's threads may");
  }
  if (block != &self) {
    block->reach(place);
  }
  return *block;
}

}  // namespace

__attribute__((noinline)) bool mbarrier_test_parity(uint32_t barrier, uint32_t parity,
                                                    const char* file, int line) {
  Recorder& block = block_of(barrier, false, {file, line});
  return block.barriers().test_parity(block.pointer_at(barrier), parity, {file, line});
}

__attribute__((noinline)) void ptx_init(uint32_t barrier, uint32_t count, const char* file,
                                        int line) {
  Recorder& block = block_of(barrier, false, {file, line});
  block.barriers().init(block.pointer_at(barrier), count, {file, line},
                        __builtin_return_address(0));
}

void ptx_inval(uint32_t barrier, const char* file, int line) {
  Recorder& block = block_of(barrier, false, {file, line});
  block.barriers().inval(block.pointer_at(barrier), {file, line});
}

__attribute__((noinline)) uint64_t ptx_arrive(uint32_t barrier, const Arrival& arrival,
                                              const char* file, int line) {
  Recorder& block = block_of(barrier, true, {file, line});
  note(Access::Arrive, Recorder::offset_in_block(barrier), __builtin_return_address(0));
  return block.barriers().arrive(block.pointer_at(barrier), {file, line}, arrival.count,
                                 arrival.bytes, arrival.relaxed, arrival.drops);
}

// The copies complete here. A thread that has not waited for the phase has no happens-before edge to them.
__attribute__((noinline)) void arrive_with_copies(uint32_t barrier, bool counts, const char* file,
                                                  int line) {
  Recorder& block = block_of(barrier, false, {file, line});
  const void* const at = block.pointer_at(barrier);
  Mbarriers::Barrier& b = block.barriers().for_own_copies(at, {file, line});
  const uint32_t stamp = block.order().next_epoch();
  block.copies().hand_over(block.now(), stamp, b.channel);
  block.barriers().hand_on(b, stamp);
  if (counts) {
    note(Access::Arrive, Recorder::offset_in_block(barrier), __builtin_return_address(0));
    block.barriers().arrive(at, {file, line});
  }
}

void ptx_expect(uint32_t barrier, uint32_t bytes, const char* file, int line) {
  Recorder& block = block_of(barrier, true, {file, line});
  block.barriers().expect(block.pointer_at(barrier), bytes, {file, line});
}

void ptx_complete(uint32_t barrier, uint32_t bytes, const char* file, int line) {
  Recorder& block = block_of(barrier, true, {file, line});
  block.barriers().complete(block.pointer_at(barrier), bytes, {file, line});
}

__attribute__((noinline)) bool ptx_test(uint32_t barrier, uint64_t token, const char* file,
                                        int line) {
  Recorder& block = block_of(barrier, false, {file, line});
  return block.barriers().test(block.pointer_at(barrier), token, {file, line});
}

void fence_proxy() {
  Recorder::running->order().fence_proxy();
}

void fence_inits() {
  Recorder::running->order().fence_inits();
}

void fence_arrivals() {
  Recorder::running->order().fence_arrivals();
}

namespace {

void check_rank(uint32_t rank, const RawPlace& place) {
  const unsigned size = Worker::current()->cluster().size();
  if (rank >= size) {
    Recorder::running->findings().report_and_abandon(
        ErrorKind::BadArgument, place,
        "asks for shared memory of block " + std::to_string(rank) + " of its cluster, which has " +
            std::to_string(size));
  }
}

}  // namespace

void cluster_arrive(bool relaxed, const char* file, int line) {
  Recorder::running->keep_vector_clocks();
  Recorder::running->cluster_barrier().arrive(relaxed, {file, line});
}

// Also orders global memory, for which the cluster has no finer check.
void cluster_wait(const char* file, int line) {
  Recorder::running->cluster_barrier().wait({file, line});
  if (Worker::current()->cluster().size() > 1) {
    Recorder::running->fence();
  }
}

uint3 cluster_extent() {
  return Worker::current()->launch().config.cluster;
}

uint3 index_in_cluster() {
  return unflatten(rank_in_cluster(), cluster_extent());
}

unsigned rank_in_cluster() {
  return Worker::current()->rank();
}

uint32_t map_shared(uint32_t address, uint32_t rank, const char* file, int line) {
  check_rank(rank, {file, line});
  return Recorder::offset_in_block(address) | rank << 24;
}

const void* map_shared(const void* pointer, uint32_t rank, const char* file, int line) {
  return shared_pointer(map_shared(shared_address(pointer, file, line), rank, file, line), file,
                        line);
}

void* shared_pointer(uint32_t address, const char* file, int line) {
  Recorder& self = *Recorder::running;
  if (self.block_at(address) == nullptr) {
    self.findings().report_and_abandon(
        ErrorKind::InvalidAddress, {file, line},
        "uses the address " + std::to_string(address) + ", where no shared memory is");
  }
  return self.pointer_into(address >> 24, Recorder::offset_in_block(address));
}

void named_barrier(uint32_t number, uint32_t threads, bool waits, const char* file, int line) {
  Worker& worker = *Worker::current();
  if (number == 0 && waits && threads == worker.thread_count()) {
    return worker.barrier({file, line});
  }
  Recorder::running->keep_vector_clocks();
  Recorder::running->named_barriers().arrive(number, threads, waits, {file, line});
}

uint32_t arrive_in_block(const char* file, int line) {
  Recorder::running->keep_vector_clocks();
  return Recorder::running->named_barriers().arrive_in_block({file, line});
}

void wait_in_block(uint32_t phase, const char* file, int line) {
  Recorder::running->named_barriers().wait_in_block(phase, {file, line});
}

}  // namespace simt
