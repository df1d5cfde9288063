#include "device/runtime/status.h"

#include <atomic>

#include "simt/report.h"
#include "simt/testing.h"

namespace simt {
namespace {

std::atomic<cudaError_t> last{cudaSuccess};
std::atomic<cudaError_t> fault{cudaSuccess};  // of the last kernel that failed
bool sticky = true, failed = false;
bool refused = false;  // a launch was refused, and the program has not asked for the error since

struct Text {
  cudaError_t error;
  const char* name;
  const char* sentence;
};

#define SIMT_ERROR(name, sentence) \
  { name, #name, sentence }
const Text kTexts[] = {
    SIMT_ERROR(cudaSuccess, "no error"),
    SIMT_ERROR(cudaErrorInvalidValue, "invalid argument"),
    SIMT_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    SIMT_ERROR(cudaErrorInitializationError, "initialization error"),
    SIMT_ERROR(cudaErrorCudartUnloading, "driver shutting down"),
    SIMT_ERROR(cudaErrorProfilerDisabled, "profiler disabled"),
    SIMT_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    SIMT_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    SIMT_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    SIMT_ERROR(cudaErrorInvalidHostPointer, "invalid host pointer"),
    SIMT_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    SIMT_ERROR(cudaErrorInvalidTexture, "invalid texture reference"),
    SIMT_ERROR(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    SIMT_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    SIMT_ERROR(cudaErrorStubLibrary, "the stub library was loaded, not the driver's"),
    SIMT_ERROR(cudaErrorInsufficientDriver,
               "CUDA driver version is insufficient for CUDA runtime version"),
    SIMT_ERROR(cudaErrorCallRequiresNewerDriver, "the call needs a newer driver"),
    SIMT_ERROR(cudaErrorInvalidSurface, "invalid surface reference"),
    SIMT_ERROR(cudaErrorDevicesUnavailable, "all devices are busy or unavailable"),
    SIMT_ERROR(cudaErrorIncompatibleDriverContext, "incompatible driver context"),
    SIMT_ERROR(cudaErrorMissingConfiguration, "the launch is not configured"),
    SIMT_ERROR(cudaErrorLaunchMaxDepthExceeded, "too many launches are nested"),
    SIMT_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    SIMT_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    SIMT_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    SIMT_ERROR(cudaErrorDeviceNotLicensed, "device not licensed"),
    SIMT_ERROR(cudaErrorStartupFailure, "the CUDA runtime could not start"),
    SIMT_ERROR(cudaErrorInvalidKernelImage, "the kernel's image is invalid"),
    SIMT_ERROR(cudaErrorDeviceUninitialized, "the device has no valid context"),
    SIMT_ERROR(cudaErrorNoKernelImageForDevice, "no kernel image is available for the device"),
    SIMT_ERROR(cudaErrorECCUncorrectable, "uncorrectable ECC error"),
    SIMT_ERROR(cudaErrorUnsupportedLimit, "the device does not support this limit"),
    SIMT_ERROR(cudaErrorDeviceAlreadyInUse, "the device is in use by another thread"),
    SIMT_ERROR(cudaErrorPeerAccessUnsupported, "no peer access between these two devices"),
    SIMT_ERROR(cudaErrorInvalidPtx, "the PTX cannot be compiled"),
    SIMT_ERROR(cudaErrorInvalidGraphicsContext, "invalid graphics context"),
    SIMT_ERROR(cudaErrorJitCompilerNotFound, "PTX JIT compiler not found"),
    SIMT_ERROR(cudaErrorUnsupportedPtxVersion, "the PTX is of a version that is not supported"),
    SIMT_ERROR(cudaErrorInvalidSource, "the kernel's source is invalid"),
    SIMT_ERROR(cudaErrorFileNotFound, "file not found"),
    SIMT_ERROR(cudaErrorSharedObjectSymbolNotFound, "symbol of a shared object not found"),
    SIMT_ERROR(cudaErrorSharedObjectInitFailed, "a shared object could not start"),
    SIMT_ERROR(cudaErrorOperatingSystem, "a call of the operating system failed"),
    SIMT_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    SIMT_ERROR(cudaErrorIllegalState, "the operation is not possible in the present state"),
    SIMT_ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
    SIMT_ERROR(cudaErrorNotReady, "device not ready"),
    SIMT_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    SIMT_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    SIMT_ERROR(cudaErrorLaunchTimeout, "the launch timed out"),
    SIMT_ERROR(cudaErrorLaunchIncompatibleTexturing,
               "the launch uses an incompatible texturing mode"),
    SIMT_ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    SIMT_ERROR(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    SIMT_ERROR(cudaErrorSetOnActiveProcess, "cannot be set while the device is in use"),
    SIMT_ERROR(cudaErrorContextIsDestroyed, "the context is destroyed"),
    SIMT_ERROR(cudaErrorAssert, "an assertion of a kernel failed"),
    SIMT_ERROR(cudaErrorTooManyPeers, "peer access has no resources left"),
    SIMT_ERROR(cudaErrorHostMemoryAlreadyRegistered, "the host memory is already registered"),
    SIMT_ERROR(cudaErrorHostMemoryNotRegistered, "the host memory is not registered"),
    SIMT_ERROR(cudaErrorHardwareStackError, "hardware stack error"),
    SIMT_ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    SIMT_ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    SIMT_ERROR(cudaErrorInvalidAddressSpace, "an instruction was used on the wrong address space"),
    SIMT_ERROR(cudaErrorInvalidPc, "invalid program counter"),
    SIMT_ERROR(cudaErrorLaunchFailure, "the CPU backend found errors in the kernel"),
    SIMT_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in a cooperative launch"),
    SIMT_ERROR(cudaErrorNotPermitted, "operation not permitted"),
    SIMT_ERROR(cudaErrorNotSupported, "operation not supported by the CPU backend"),
    SIMT_ERROR(cudaErrorSystemNotReady, "the system is not ready"),
    SIMT_ERROR(cudaErrorSystemDriverMismatch,
               "the versions of the driver and of the system differ"),
    SIMT_ERROR(cudaErrorCompatNotSupportedOnDevice,
               "the device does not support forward compatibility"),
    SIMT_ERROR(cudaErrorStreamCaptureUnsupported,
               "operation not permitted while a stream is captured"),
    SIMT_ERROR(cudaErrorStreamCaptureInvalidated, "a failed operation has ended the capture"),
    SIMT_ERROR(cudaErrorStreamCaptureMerge, "the operation would join two captures"),
    SIMT_ERROR(cudaErrorStreamCaptureUnmatched, "the capture did not begin in this stream"),
    SIMT_ERROR(cudaErrorStreamCaptureUnjoined, "a captured stream has not joined the first one"),
    SIMT_ERROR(cudaErrorStreamCaptureIsolation,
               "the operation would make the capture depend on work outside it"),
    SIMT_ERROR(cudaErrorStreamCaptureImplicit, "the operation would use a stream that is captured"),
    SIMT_ERROR(cudaErrorCapturedEvent, "operation not permitted on an event of a captured stream"),
    SIMT_ERROR(cudaErrorStreamCaptureWrongThread, "the capture began in another thread"),
    SIMT_ERROR(cudaErrorTimeout, "the wait timed out"),
    SIMT_ERROR(cudaErrorGraphExecUpdateFailure, "the graph was not updated"),
    SIMT_ERROR(cudaErrorExternalDevice, "an external device has failed"),
    SIMT_ERROR(cudaErrorInvalidClusterSize, "invalid cluster size"),
    SIMT_ERROR(cudaErrorUnknown, "unknown error"),
};
#undef SIMT_ERROR

const Text& text_of(cudaError_t error) {
  for (const Text& text : kTexts) {
    if (text.error == error) {
      return text;
    }
  }
  return text_of(cudaErrorUnknown);
}

cudaError_t take_last_error() {
  if (!failed) fault = cudaSuccess;
  return last.exchange(fault);
}

}  // namespace

void set_sticky(bool all) {
  sticky = all;
  failed = failed && sticky;
}

void remember_failure(cudaError_t status) {
  fault = status;
  failed = sticky;
  remember(status);
}

void note_refusal() {
  refused = true;
}

bool refusal_is_unread() {
  return refused;
}

bool has_failed() {
  return failed;
}

cudaError_t lasting_error() {
  return failed ? fault.load() : cudaSuccess;
}

cudaError_t remember(cudaError_t status) {
  if (failed) {
    status = fault;
  }
  if (status != cudaSuccess) {
    last = status;
  }
  return status;
}

cudaError_t last_error() {
  return last;
}

cudaError_t take_kernel_error() {
  return last == fault ? take_last_error() : cudaSuccess;
}

}  // namespace simt

const char* cudaGetErrorName(cudaError_t error) {
  return simt::text_of(error).name;
}

const char* cudaGetErrorString(cudaError_t error) {
  return simt::text_of(error).sentence;
}

cudaError_t cudaGetLastError() {
  simt::refused = false;
  return simt::take_last_error();
}

cudaError_t cudaPeekAtLastError() {
  simt::refused = false;
  return simt::last_error();
}
