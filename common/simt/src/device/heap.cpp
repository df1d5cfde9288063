// Memory that kernels allocate: malloc(), free(), new and delete. Each block is an allocation of the arena.
#include <map>
#include <mutex>
#include <vector>

#include "device/device.h"
#include "races/races.h"
#include "simt/api/settings.h"
#include "simt/api/threads.h"

namespace simt {
namespace {

struct Heap {
  std::mutex mutex;
  std::map<const void*, size_t> blocks;
  std::vector<void*> freed;  // since the last launch began
  size_t used = 0;
};

Heap& heap() {
  static Heap all;
  return all;
}

}  // namespace

bool runs_kernel() {
  return Worker::current() != nullptr;
}

bool in_heap(const void* block) {
  const std::lock_guard<std::mutex> lock(heap().mutex);
  return heap().blocks.count(block) != 0;
}

void* heap_allocate(size_t bytes) {
  size_t limit = 0;
  cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  const std::lock_guard<std::mutex> lock(heap().mutex);
  if (bytes == 0 || bytes > limit || heap().used > limit - bytes) return nullptr;
  void* const block = Arena::get().allocate(bytes, Pages::kHeap);
  if (block == nullptr) return nullptr;
  heap().blocks[block] = bytes;
  heap().used += bytes;
  return block;
}

void heap_free(void* block, const char* file, int line) {
  if (block == nullptr) return;
  const std::lock_guard<std::mutex> lock(heap().mutex);
  const auto found = heap().blocks.find(block);
  if (found == heap().blocks.end()) {
    Recorder::running->findings().report_and_abandon(
        ErrorKind::Fault, {file, line},
        "frees memory that no kernel has allocated, or a second time");
  }
  heap().used -= found->second;
  heap().blocks.erase(found);
  Arena::get().retire(block);
  heap().freed.push_back(block);
}

void release_heap() {
  for (void* const block : heap().freed) Arena::get().free(block);
  heap().freed.clear();
}

}  // namespace simt
