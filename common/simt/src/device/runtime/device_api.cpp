// Devices and events.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>
#include <string>

#include "device/device.h"
#include "device/runtime/graphs.h"
#include "execution/execution.h"
#include "host/host.h"
#include "memory/memory.h"
#include "races/races.h"
#include "reports/reports.h"
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

namespace {

std::set<cudaEvent_t>& living_events() {
  static std::set<cudaEvent_t> all;
  return all;
}

}  // namespace

cudaError_t simt::check_event(const char* function, cudaEvent_t event) {
  const Turn turn;
  if (living_events().count(event) != 0) return cudaSuccess;
  if (event != nullptr) {
    tell_host_error(std::string(function) +
                    "() fails: no cudaEventCreate() has made this event, or it has been destroyed");
  }
  return cudaErrorInvalidResourceHandle;
}

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
  const simt::Turn turn;
  living_events().insert(*event);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (simt::check_event("cudaEventRecord", event) != cudaSuccess ||
      simt::check_stream(stream) != cudaSuccess) {
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
  const cudaError_t status = simt::check_event("cudaEventSynchronize", event);
  if (status != cudaSuccess) return remember(status);
  simt::note_event_wait("cudaEventSynchronize", event);
  return simt::take_kernel_error();
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  const cudaError_t status = simt::check_event("cudaEventQuery", event);
  if (status != cudaSuccess) return remember(status);
  simt::note_event_wait("cudaEventQuery", event);  // the caller polls, which counts as a wait
  return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t stop) {
  const auto has_time = [](cudaEvent_t event) {
    return simt::check_event("cudaEventElapsedTime", event) == cudaSuccess && event->recorded &&
           event->timed;
  };
  if (!has_time(start) || !has_time(stop)) {
    return remember(cudaErrorInvalidResourceHandle);
  }
  *ms = std::chrono::duration<float, std::milli>(stop->time - start->time).count();
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (event == nullptr) return cudaSuccess;
  const cudaError_t status = simt::check_event("cudaEventDestroy", event);
  if (status != cudaSuccess) return remember(status);
  const simt::Turn turn;
  living_events().erase(event);
  delete event;
  return cudaSuccess;
}
