// Implements common/harness/device/backend.h for the CPU backend.
#include "common/harness/device/backend.h"

#include <cuda_fp16.h>

#include <cstdlib>
#include <string>

#include "common/harness/device/cuda_error.h"
#include "simt/probe.h"
#include "simt/report.h"
#include "simt/testing.h"

// Messages about host code name lines of the lesson, not of the harness.
[[maybe_unused]] const bool hidden = (simt::hide_sources("common/harness/"), true);

namespace backend {

bool is_gpu() {
  return false;
}

bool cuts_sums() {
  const char* const sums = std::getenv("SIMT_TENSOR_SUMS");  // NOLINT(concurrency-mt-unsafe)
  return sums != nullptr && std::string(sums) == "hopper";
}

void select_device(int number) {
  if (number != 0) {
    throw DeviceError("no device " + std::to_string(number) + ": the CPU backend is device 0");
  }
}

Device query_device() {
  Device device;
  device.name = "CPU backend";
  return device;
}

void name_matrix(const char* name, const void* begin, int rows, int cols, int64_t ld,
                 size_t element) {
  simt::name_matrix({name, begin, uint64_t(rows), uint64_t(cols), uint64_t(ld), unsigned(element)});
}

Launch last_launch() {
  const simt::LaunchShape shape = simt::last_shape();
  Launch launch;
  launch.known = shape.known;
  launch.grid = shape.grid;
  launch.block = shape.block;
  launch.shared_bytes = shape.shared_bytes;
  for (const simt::Error& error : simt::last_errors()) {
    launch.endless |= error.kind == simt::ErrorKind::Endless;
  }
  return launch;
}

bool refused_launch() {
  return false;  // the backend prints the reason itself
}

Launches launches() {
  const simt::LaunchCount count = simt::launch_count();
  return {count.begun, count.begun != count.ended};
}

std::string host_line(void* const* frames, int count) {
  return simt::place_of(std::vector<const void*>(frames, frames + count));
}

void tell_fault(void* const* frames, int count, const std::string& what) {
  simt::tell_host_error(std::vector<const void*>(frames, frames + count), what);
}

void after_errors(void (*callback)(const std::string&, bool)) {
  static void (*told)(const std::string&, bool);
  told = callback;
  simt::after_errors([](const simt::Error& error) { told(error.message, error.note); });
}

bool waits_for_device(void* const*, int) {
  return false;  // launches run in the caller, and launches() counts them
}

void begin_call() {
  simt::forget_launch();
  simt::begin_call();
}

void end_call() {
  simt::end_call();
}

std::string why_wrong() {
  simt::tell_doubt();
  return simt::last_shape().known ? "" : "gemm() has launched no kernel or its launch was refused";
}

template <typename T, typename Acc, typename Out>
Baseline make_baseline(const Gemm<T, Acc, Out>&) {
  return {};
}

template Baseline make_baseline(const Gemm<float, float>&);
template Baseline make_baseline(const Gemm<double, double>&);
template Baseline make_baseline(const Gemm<half, float>&);
template Baseline make_baseline(const Gemm<half, float, half>&);
template Baseline make_baseline(const Gemm<e4m3, float>&);
template Baseline make_baseline(const Gemm<e4m3, float, bf16>&);
template Baseline make_baseline(const Gemm<int, int>&);

}  // namespace backend
