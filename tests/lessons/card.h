// The card that the CPU backend simulates. Some lessons plan by its properties.
#pragma once
#include <cstdlib>
#include <string>

#include "common/lesson.h"

// Whether the card has compute capability 9.0, which lessons with tensor maps or clusters need.
inline bool is_hopper() {
  int major = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  return major >= 9;
}

// Changes a property of the simulated card until the end of the scope. Has no effect on a GPU.
class Card {
 public:
  static constexpr const char* kMultiprocessors = "SIMT_MULTIPROCESSORS";
  static constexpr const char* kSharedKB = "SIMT_SHARED_KB";  // shared memory per block

  // NOLINTBEGIN(concurrency-mt-unsafe): no other thread runs between launches
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
