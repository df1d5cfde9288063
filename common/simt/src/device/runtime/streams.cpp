// Streams. All work runs in the order of the calls, whatever its stream.
#include "simt/api/streams.h"

#include <algorithm>
#include <set>

#include "device/device.h"
#include "device/runtime/graphs.h"
#include "host/host.h"
#include "races/races.h"

struct CUstream_st {
  unsigned flags;
  int priority;
};

namespace {

constexpr int kLeastPriority = 0, kGreatestPriority = -5;

std::set<cudaStream_t>& living_streams() {
  static std::set<cudaStream_t> all;
  return all;
}

bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

// Returns the error of earlier work on the stream, once; else cudaSuccess.
cudaError_t status_of(cudaStream_t stream, const char* function) {
  if (simt::end_capture(stream)) return simt::remember(cudaErrorStreamCaptureUnsupported);
  simt::note_stream_wait(function, stream);
  const cudaError_t status = simt::check_stream(stream);
  if (status != cudaSuccess) return simt::remember(status);
  return simt::take_kernel_error();
}

// A function of the host runs after the stream's earlier work: it may use the results, and tell other threads that they
// are there.
void host_runs_after(cudaStream_t stream) {
  const simt::Turn turn;
  simt::StreamOrder::get().host_waits_for_stream(stream);
  simt::end_pending_in_order();
}

}  // namespace

cudaError_t simt::check_stream(cudaStream_t stream) {
  const simt::Turn turn;
  return is_default(stream) || living_streams().count(stream) != 0 ? cudaSuccess
                                                                   : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID,
                                   const cudaLaunchAttributeValue* value) {
  if (value == nullptr) return simt::remember(cudaErrorInvalidValue);
  const cudaError_t status = simt::check_stream(stream);
  return status == cudaSuccess ? status : simt::remember(status);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  if (simt::fails("cudaStreamCreate")) return simt::remember(cudaErrorMemoryAllocation);
  if (stream == nullptr || flags > cudaStreamNonBlocking) {
    return simt::remember(cudaErrorInvalidValue);
  }
  *stream = new CUstream_st{flags, std::clamp(priority, kGreatestPriority, kLeastPriority)};
  const simt::Turn turn;
  living_streams().insert(*stream);
  simt::StreamOrder::get().create(*stream, flags != cudaStreamNonBlocking);
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, kLeastPriority);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

// cudaStreamDestroy() does not wait for the stream's work, so it calls no note_wait().
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const simt::Turn turn;
  if (is_default(stream) || living_streams().erase(stream) == 0) {
    return simt::remember(cudaErrorInvalidResourceHandle);
  }
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = kLeastPriority;
  if (greatest != nullptr) *greatest = kGreatestPriority;
  return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  const cudaError_t status = simt::check_stream(stream);
  if (status != cudaSuccess || flags == nullptr) {
    return simt::remember(status != cudaSuccess ? status : cudaErrorInvalidValue);
  }
  *flags = is_default(stream) ? unsigned(cudaStreamDefault) : stream->flags;
  return cudaSuccess;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  const cudaError_t status = simt::check_stream(stream);
  if (status != cudaSuccess || id == nullptr) {
    return simt::remember(status != cudaSuccess ? status : cudaErrorInvalidValue);
  }
  *id = reinterpret_cast<uintptr_t>(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  const cudaError_t status = simt::check_stream(stream);
  if (status != cudaSuccess || priority == nullptr) {
    return simt::remember(status != cudaSuccess ? status : cudaErrorInvalidValue);
  }
  *priority = is_default(stream) ? kLeastPriority : stream->priority;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return status_of(stream, "cudaStreamSynchronize");
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return status_of(stream, "cudaStreamQuery");  // the caller polls, which counts as a wait
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  if (simt::check_stream(stream) != cudaSuccess ||
      simt::check_event("cudaStreamWaitEvent", event) != cudaSuccess) {
    return simt::remember(cudaErrorInvalidResourceHandle);
  }
  const simt::Turn turn;
  if (!simt::capture_wait(stream, event)) simt::StreamOrder::get().wait(stream, event);
  return flags > cudaEventWaitExternal ? simt::remember(cudaErrorInvalidValue) : cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (simt::check_stream(stream) != cudaSuccess) {
    return simt::remember(cudaErrorInvalidResourceHandle);
  }
  if (function == nullptr) return simt::remember(cudaErrorInvalidValue);
  if (simt::fails("cudaLaunchHostFunc")) return simt::remember(cudaErrorUnknown);
  if (simt::capture(stream, cudaGraphNodeTypeHost,
                    [=] { return cudaLaunchHostFunc(nullptr, function, data); })) {
    return cudaSuccess;
  }
  host_runs_after(stream);
  function(data);
  return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags) {
  if (simt::check_stream(stream) != cudaSuccess) {
    return simt::remember(cudaErrorInvalidResourceHandle);
  }
  if (callback == nullptr || flags != 0) return simt::remember(cudaErrorInvalidValue);
  // After a kernel has failed, CUDA calls callbacks with its error, and no function of cudaLaunchHostFunc().
  if (!simt::has_failed() && simt::fails("cudaStreamAddCallback")) {
    return simt::remember(cudaErrorUnknown);
  }
  host_runs_after(stream);
  callback(stream, simt::lasting_error(), data);
  return cudaSuccess;
}
