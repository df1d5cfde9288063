// Copies and memory sets, and their races with operations of other streams.
#pragma once
#include <cstddef>
#include <cstdint>

namespace simt {

// A copy or memory set. It begins in StreamOrder when it is constructed, by a function such as cudaMemcpyAsync.
class CopyOperation {
 public:
  CopyOperation(const char* function, const void* stream);
  // It accesses these bytes, unless they are the host's own memory. Each reports the first race with an operation that
  // nothing orders before it, and records the access for later operations.
  void read(const void* begin, size_t bytes);
  void write(const void* begin, size_t bytes);

 private:
  void report(uintptr_t address, const char* does, uint64_t cell, const char* other_does);
  uint64_t cell_ = 0;  // 0 if the program has no streams: then its operations are in order
  bool reported_ = false;
};

// Forgets what has used these bytes before they were allocated.
void forget_uses(const void* begin, size_t bytes);

}  // namespace simt
