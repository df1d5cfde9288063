// Clusters of blocks, and named barriers.
#include "common/simt/api/cluster.h"

#include <string>

#include "common/simt/api/threads.h"
#include "common/simt/recorder/recorder.h"

namespace simt {
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
  Recorder::running->keep_pairs();
  Recorder::running->cluster_barrier().arrive(relaxed, {file, line});
}

void cluster_wait(const char* file, int line) {
  Recorder::running->cluster_barrier().wait({file, line});
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
  Recorder::running->keep_pairs();
  Recorder::running->named_barriers().arrive(number, threads, waits, {file, line});
}

}  // namespace simt
