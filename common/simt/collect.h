// Brings together what the workers of a launch found and counted.
#pragma once
#include <cstddef>
#include <mutex>
#include <vector>

#include "common/simt/raw_error.h"
#include "common/simt/worker.h"

namespace simt {

class Collector {
 public:
  explicit Collector(const Launch& launch) : launch_(launch) {}

  // Called by each worker when it has no more blocks.
  void add(Worker& worker);
  // Called once after all: keeps the report and prints errors. True if there were any.
  bool finish();

  size_t static_shared() const { return static_shared_; }

 private:
  const Launch& launch_;
  std::mutex mutex_;
  std::vector<RawError> errors_;
  size_t static_shared_ = 0;
};

// For a kernel that launches a kernel: says so and ends the process with code 3.
[[noreturn]] void refuse_nested_launch();

}  // namespace simt
