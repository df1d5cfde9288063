#include "common/lesson.h"
#include "tests/lessons/suite/watch.h"

void watch(const std::vector<simt::Window>&, const std::function<void()>& call) {
  call();
}

void fail_call(int) {}

std::string failed_call() {
  return "";
}

void* reserve(size_t bytes) {
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // it was this call's error, not that of a later launch
    return nullptr;
  }
  CUDA_CHECK(status);
  return memory;
}
