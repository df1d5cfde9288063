// Checks and counts the memory accesses of the block that a worker runs.
#pragma once
#include <cstdint>
#include <vector>

#include "common/simt/pipeline.h"
#include "common/simt/raw_error.h"

namespace simt {

struct Tile;
class Worker;
struct Thread;

enum class Access : uint8_t { Load, Store, Atomic };

class Recorder {
 public:
  explicit Recorder(Worker& worker) : worker_(worker) {}

  void begin_launch() { errors_.clear(); }
  void end_launch() {}
  void begin_block() { errors_.begin_block(); }
  void drop_block() {}
  void end_barrier() {}
  void sync_warp() {}
  void enter(Thread&) {}
  void leave(Thread&) {}
  void drain(unsigned) {}
  bool can_resume(const Thread&) const { return true; }
  void flush(unsigned) {}
  const void* last_access(unsigned) const { return nullptr; }
  ErrorList& errors() { return errors_; }

  bool begin_copy(const AsyncCopy&, size_t, size_t, const void*) { return true; }
  void end_copy(const AsyncCopy&) {}
  bool check_tile(const Tile&, unsigned, const void*) { return true; }
  void count_multiply(const void*) {}
  void access(const void*, unsigned, Access, const void*) {}

 private:
  Worker& worker_;
  ErrorList errors_;
};

}  // namespace simt
