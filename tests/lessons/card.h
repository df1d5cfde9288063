// The card that the CPU backend pretends to be: some lessons plan by it.
#pragma once
#include <cstdlib>
#include <string>

#include "common/lesson.h"

// Whether it has compute capability 9.0, as lessons have it that need that: tensor maps and clusters.
inline bool is_hopper() {
  int major = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  return major >= 9;
}

// As told until the end of the block. A GPU is what it is, and so are its numbers there.
class Card {
 public:
  static constexpr const char* kMultiprocessors = "SIMT_MULTIPROCESSORS";
  static constexpr const char* kSharedKB =
      "SIMT_SHARED_KB";  // of shared memory that a block may have

  // NOLINTBEGIN(concurrency-mt-unsafe): between launches, when no thread runs
  Card(const char* variable, int value) : variable_(variable) {
    const char* const before = std::getenv(variable);
    known_ = before != nullptr;
    if (known_) before_ = before;
    setenv(variable, std::to_string(value).c_str(), 1);
  }
  ~Card() {
    if (known_) {
      setenv(variable_, before_.c_str(), 1);
    } else {
      unsetenv(variable_);
    }
  }
  // NOLINTEND(concurrency-mt-unsafe)
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;

 private:
  const char* variable_;
  bool known_ = false;
  std::string before_;
};
