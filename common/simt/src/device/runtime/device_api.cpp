// Devices and events.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "device/device.h"
#include "device/runtime/graphs.h"
#include "execution/execution.h"
#include "host/host.h"
#include "memory/memory.h"
#include "races/races.h"
#include "simt/api/device.h"
#include "simt/api/events.h"
#include "simt/api/streams.h"

using simt::remember;

namespace simt {
namespace {

int current = 0;  // device

}  // namespace

bool is_device(int number) {
  return number >= 0 && number < std::max(number_asked_for("SIMT_DEVICES"), 1);
}

int current_device() {
  return current;
}

}  // namespace simt

struct CUevent_st {
  std::chrono::steady_clock::time_point time;
  bool recorded = false, timed = true;
};

cudaError_t cudaGetDeviceCount(int* count) {
  for (*count = 0; simt::is_device(*count);) ++*count;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  if (simt::fails("cudaGetDevice")) return remember(cudaErrorNoDevice);
  *device = simt::current;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  if (!simt::is_device(device)) return remember(cudaErrorInvalidDevice);
  simt::current = device;
  return cudaSuccess;
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return simt::is_device(device) ? cudaSuccess : remember(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceSynchronize() {
  simt::note_wait("cudaDeviceSynchronize");
  return simt::take_kernel_error();
}

cudaError_t cudaDeviceReset() {
  simt::note_wait("cudaDeviceReset");
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  constexpr unsigned kAll = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (event == nullptr || (flags & ~kAll) != 0) return remember(cudaErrorInvalidValue);
  *event = new CUevent_st;
  (*event)->timed = (flags & cudaEventDisableTiming) == 0;
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (event == nullptr || simt::check_stream(stream) != cudaSuccess) {
    return remember(cudaErrorInvalidResourceHandle);
  }
  if (simt::capture_record(event, stream)) return cudaSuccess;
  event->time = std::chrono::steady_clock::now();
  event->recorded = true;
  const simt::Turn turn;
  simt::StreamOrder::get().record(event, stream);
  return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return flags > cudaEventRecordExternal ? remember(cudaErrorInvalidValue)
                                         : cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (event == nullptr) return remember(cudaErrorInvalidResourceHandle);
  simt::note_event_wait("cudaEventSynchronize", event);
  return simt::take_kernel_error();
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  simt::note_event_wait("cudaEventQuery", event);  // the caller polls, which counts as a wait
  return event == nullptr ? remember(cudaErrorInvalidResourceHandle) : cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t stop) {
  const auto has_time = [](cudaEvent_t event) {
    return event != nullptr && event->recorded && event->timed;
  };
  if (!has_time(start) || !has_time(stop)) {
    return remember(cudaErrorInvalidResourceHandle);
  }
  *ms = std::chrono::duration<float, std::milli>(stop->time - start->time).count();
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
