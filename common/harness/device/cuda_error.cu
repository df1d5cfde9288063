#include <cuda_runtime.h>
#include <sys/resource.h>

#include <cstring>
#include <string>

#include "common/harness/device/backend.h"
#include "common/harness/device/cuda_error.h"
#include "common/lesson.h"

void check_cuda(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) {
    return;
  }
  const char* slash = std::strrchr(file, '/');
  std::string text = std::string(slash ? slash + 1 : file) + ":" + std::to_string(line) + ": " +
                     call + ": " + cudaGetErrorString(status);
  // Depending on its version, CUDA returns either error for a grid or block that is too large.
  if (status == cudaErrorInvalidConfiguration ||
      (status == cudaErrorInvalidValue && backend::refused_launch())) {
    text +=
        " (a grid needs at least 1 block and has at most 65535 rows of blocks; a block has 1 to "
        "1024 "
        "threads)";
  }
  if (status == cudaErrorInvalidConfiguration && !backend::is_gpu()) {
    throw LaunchRefused(text);
  }
  throw DeviceError(text);
}

std::string host_memory_error() {
  rlimit limit{};
  const bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return "not enough memory on the host" +
         (limited ? ": ulimit -v allows " + std::to_string(limit.rlim_cur >> 20) + " MiB" : "");
}
