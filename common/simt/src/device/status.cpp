#include "device/status.h"

#include <atomic>

#include "simt/report.h"
#include "simt/testing.h"

namespace simt {
namespace {

std::atomic<cudaError_t> last_error{cudaSuccess};
bool sticky = true, failed = false;

struct Text {
  cudaError_t error;
  const char* name;
  const char* sentence;
};

const Text kTexts[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {cudaErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle",
     "invalid resource handle (the CPU backend has only the default stream)"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure",
     "the CPU backend found errors in the kernel"},
    {cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported by the CPU backend"},
    {cudaErrorInvalidClusterSize, "cudaErrorInvalidClusterSize", "invalid cluster size"},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
};

const Text& text_of(cudaError_t error) {
  for (const Text& text : kTexts) {
    if (text.error == error) {
      return text;
    }
  }
  return text_of(cudaErrorUnknown);
}

}  // namespace

void set_sticky(bool all) {
  sticky = all;
  failed = failed && sticky;
}

void remember_failure() {
  failed = sticky;
  remember(cudaErrorLaunchFailure);
}

bool has_failed() {
  return failed;
}

cudaError_t remember(cudaError_t status) {
  if (failed) {
    status = cudaErrorLaunchFailure;
  }
  if (status != cudaSuccess) {
    last_error = status;
  }
  return status;
}

}  // namespace simt

const char* cudaGetErrorName(cudaError_t error) {
  return simt::text_of(error).name;
}

const char* cudaGetErrorString(cudaError_t error) {
  return simt::text_of(error).sentence;
}

cudaError_t cudaGetLastError() {
  return simt::last_error.exchange(simt::has_failed() ? cudaErrorLaunchFailure : cudaSuccess);
}

cudaError_t cudaPeekAtLastError() {
  return simt::last_error;
}
