// Implements common/harness/device/backend.h for a GPU, except for the baseline, which is in cublas.cu.
//
// CUDA does not record the grid and block of a launch. nvcc turns <<<...>>> into calls of a launch
// function. If the program is linked with -Wl,--wrap=cudaLaunchKernel,--wrap=__cudaLaunchKernel,
// these calls go through the functions below. Otherwise launches are unknown; all else works.
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstring>

#include "common/harness/device/backend.h"
#include "common/harness/device/cuda_error.h"
#include "common/lesson.h"

namespace {

struct Recorded {
  const void* function = nullptr;
  dim3 grid, block;
  size_t dynamic_shared_bytes = 0;
  cudaError_t status = cudaSuccess;  // the result of the launch call
} recorded;
std::atomic<uint64_t> launched{0};

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

// FP32 lanes of an SM (CUDA C++ Programming Guide, "Compute Capabilities"); 0 if unknown.
int cores_per_sm(int major, int minor) {
  if (major < 5 || major > 12) return 0;
  return major == 7 || ((major == 6 || major == 8) && minor == 0) ? 64 : 128;
}

}  // namespace

extern "C" {

// nvcc 12 calls the first, nvcc 13 the second. Its argument is a cudaKernel_t, which functions that take a kernel's
// address accept as well. __real_* exist only if the program is linked with --wrap.
__attribute__((weak)) cudaError_t __real_cudaLaunchKernel(const void*, dim3, dim3, void**, size_t,
                                                          cudaStream_t);
__attribute__((weak)) cudaError_t __real___cudaLaunchKernel(const void*, dim3, dim3, void**, size_t,
                                                            cudaStream_t);

cudaError_t __wrap_cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                    size_t shared, cudaStream_t stream) {
  const cudaError_t status =
      __real_cudaLaunchKernel(function, grid, block, arguments, shared, stream);
  recorded = {function, grid, block, shared, status};
  ++launched;
  return status;
}

cudaError_t __wrap___cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                      size_t shared, cudaStream_t stream) {
  const cudaError_t status =
      __real___cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
  recorded = {kernel, grid, block, shared, status};
  ++launched;
  return status;
}

}  // extern "C"

bool backend::is_gpu() {
  return true;
}

bool backend::cuts_sums() {
  return true;
}

void backend::name_matrix(const char*, const void*, int, int, int64_t, size_t) {}

backend::Launch backend::last_launch() {
  Launch launch;
  if (recorded.function == nullptr) {
    return launch;
  }
  cudaFuncAttributes attributes;
  CUDA_CHECK(cudaFuncGetAttributes(&attributes, recorded.function));
  launch.known = true;
  launch.grid = recorded.grid;
  launch.block = recorded.block;
  launch.registers = attributes.numRegs;
  launch.shared_bytes = attributes.sharedSizeBytes + recorded.dynamic_shared_bytes;
  const dim3 block = recorded.block;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&launch.blocks_per_sm, recorded.function,
                                                           int(block.x * block.y * block.z),
                                                           recorded.dynamic_shared_bytes));
  return launch;
}

bool backend::refused_launch() {
  return recorded.status != cudaSuccess;
}

backend::Launches backend::launches() {
  return {launched, false};
}

std::string backend::host_line(void* const*, int) {
  return "";
}

void backend::tell_fault(void* const*, int, const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
}

void backend::after_errors(void (*)(const std::string&, bool)) {}

bool backend::waits_for_device(void* const* frames, int count) {
  for (int i = 0; i < count; ++i) {
    Dl_info info;
    if (dladdr(frames[i], &info) != 0 && info.dli_fname != nullptr &&
        std::strstr(info.dli_fname, "libcuda.so") != nullptr) {
      return true;
    }
  }
  return false;
}

// On a GPU, the driver and its tools report crashes.
void backend::begin_call() {}

void backend::end_call() {}

std::string backend::why_wrong() {
  return "";
}

void backend::select_device(int number) {
  int driver = 0;
  int runtime = 0;
  CUDA_CHECK(cudaDriverGetVersion(&driver));
  CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (driver == 0) {
    throw DeviceError("no GPU found: the NVIDIA driver is not installed");
  }
  if (status == cudaErrorInsufficientDriver) {
    throw DeviceError("the driver supports only CUDA " + cuda_version(driver) +
                      "; this program needs CUDA " + cuda_version(runtime));
  }
  if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0)) {
    throw DeviceError("no GPU found");
  }
  CUDA_CHECK(status);
  if (number >= count) {
    throw DeviceError("no device " + std::to_string(number) + ": the highest number here is " +
                      std::to_string(count - 1));
  }
  CUDA_CHECK(cudaSetDevice(number));
}

Device backend::query_device() {
  int id = 0;
  CUDA_CHECK(cudaGetDevice(&id));
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, id));
  Device device;
  device.name = properties.name;
  device.major = properties.major;
  device.minor = properties.minor;
  device.sms = properties.multiProcessorCount;
  device.cores_per_sm = cores_per_sm(device.major, device.minor);
  // CUDA 13 removed the clocks from cudaDeviceProp, but they are still attributes, in kHz.
  device.sm_clock_mhz = attribute(cudaDevAttrClockRate, id) / 1e3;
  device.memory_clock_mhz = attribute(cudaDevAttrMemoryClockRate, id) / 1e3;
  device.memory_bus_bits = properties.memoryBusWidth;
  device.memory_bytes = properties.totalGlobalMem;
  device.l2_bytes = size_t(properties.l2CacheSize);
  device.shared_per_sm = properties.sharedMemPerMultiprocessor;
  device.shared_per_block = properties.sharedMemPerBlock;
  device.shared_per_block_optin = properties.sharedMemPerBlockOptin;
  device.registers_per_sm = properties.regsPerMultiprocessor;
  device.threads_per_sm = properties.maxThreadsPerMultiProcessor;
  CUDA_CHECK(cudaDriverGetVersion(&device.driver));
  CUDA_CHECK(cudaRuntimeGetVersion(&device.runtime));
  return device;
}
