// Streams, events, pinned memory, and launches by pointers to the arguments.
#include "tests/runtime/streams.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "simt/report.h"
#include "simt/testing.h"
#include "tests/catch.h"
#include "tests/device_array.h"

TEST_CASE("kernels and copies run on any stream") {
  std::vector<float> in(1000), out(1000), expected(1000);
  for (int i = 0; i < 1000; ++i) {
    in[i] = float(i) / 4;
    expected[i] = in[i] * 2;
  }
  for (int streams : {1, 3, 8}) {
    CHECK(runtime::scale_in_chunks(in.data(), out.data(), 1000, streams) >= 0);
    CHECK(out == expected);
  }
}

TEST_CASE("streams wait for events, and host functions run in their place") {
  CHECK(runtime::count_on_two_streams(41) == 42);
}

TEST_CASE("a kernel on a stream is checked as any other") {
  DeviceArray<float> x(std::vector<float>(16, 0.0f));
  runtime::scale_too_far(x.get(), 16);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  REQUIRE(simt::last_errors().size() == 1);
  CHECK(simt::last_errors()[0].kind == simt::ErrorKind::GlobalOutOfBounds);
}

TEST_CASE("a stream that has been destroyed is an invalid handle") {
  CHECK(runtime::launch_on_destroyed() == cudaErrorInvalidResourceHandle);
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamDestroy(stream) == cudaErrorInvalidResourceHandle);
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamQuery(stream) == cudaErrorInvalidResourceHandle);
  int value = 0;
  CHECK(cudaMemcpyAsync(&value, &value, 4, cudaMemcpyHostToHost, stream) ==
        cudaErrorInvalidResourceHandle);
  CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
}

TEST_CASE("a stream tells its flags and its priority") {
  int least = 0, greatest = 0, priority = 1;
  unsigned flags = 7;
  cudaStream_t stream = nullptr;
  REQUIRE(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess);
  CHECK(greatest < least);
  CHECK(cudaStreamCreateWithFlags(&stream, 8) == cudaErrorInvalidValue);
  REQUIRE(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest - 9) ==
          cudaSuccess);
  CHECK(cudaStreamGetFlags(stream, &flags) == cudaSuccess);
  CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
  CHECK(flags == cudaStreamNonBlocking);
  CHECK(priority == greatest);
  unsigned long long id = 0, other = 0;
  CHECK(cudaStreamGetId(stream, &id) == cudaSuccess);
  CHECK(cudaStreamGetId(cudaStreamPerThread, &other) == cudaSuccess);
  CHECK(id != other);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  CHECK(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess);
  CHECK(mode == cudaStreamCaptureModeGlobal);
  CHECK(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess);
  CHECK(mode == cudaStreamCaptureModeRelaxed);
  CHECK(cudaStreamGetFlags(cudaStreamPerThread, &flags) == cudaSuccess);
  CHECK(flags == cudaStreamDefault);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

namespace {

void note_status(cudaStream_t, cudaError_t status, void* data) {
  *static_cast<cudaError_t*>(data) = status;
}

void forget_status(void* data) {
  *static_cast<cudaError_t*>(data) = cudaSuccess;
}

}  // namespace

TEST_CASE("a callback is told the status of its stream") {
  cudaError_t status = cudaErrorUnknown;
  CHECK(cudaStreamAddCallback(nullptr, note_status, &status, 0) == cudaSuccess);
  CHECK(status == cudaSuccess);
  CHECK(cudaStreamAddCallback(nullptr, nullptr, &status, 0) == cudaErrorInvalidValue);
  CHECK(cudaLaunchHostFunc(nullptr, nullptr, &status) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("a callback and a launch are told the lasting error of a kernel") {
  DeviceArray<float> x(std::vector<float>(16, 0.0f));
  cudaError_t status = cudaSuccess;
  simt::set_sticky(true);
  runtime::scale_too_far(x.get(), 16);
  for (int i = 0; i < 2; ++i) {  // the reason of a refused launch is printed once
    CHECK(cudaStreamAddCallback(nullptr, note_status, &status, 0) == cudaSuccess);
    CHECK(status == cudaErrorIllegalAddress);
    CHECK(cudaLaunchHostFunc(nullptr, forget_status, &status) == cudaErrorIllegalAddress);
    CHECK(status == cudaErrorIllegalAddress);
    CHECK(runtime::add_by_pointers(nullptr, nullptr, 0, false) == cudaErrorIllegalAddress);
  }
  simt::set_sticky(false);
  CHECK(cudaStreamAddCallback(nullptr, note_status, &status, 0) == cudaSuccess);
  CHECK(status == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
}

TEST_CASE("an event without timing measures nothing") {
  cudaEvent_t start = nullptr, stop = nullptr;
  float ms = 0;
  CHECK(cudaEventCreateWithFlags(&start, 64) == cudaErrorInvalidValue);
  REQUIRE(cudaEventCreate(&start) == cudaSuccess);
  REQUIRE(cudaEventCreateWithFlags(&stop, cudaEventDisableTiming) == cudaSuccess);
  cudaEventRecord(start), cudaEventRecord(stop);
  CHECK(cudaEventElapsedTime(&ms, start, stop) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamWaitEvent(nullptr, nullptr, 0) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventDestroy(start) == cudaSuccess);
  CHECK(cudaEventDestroy(stop) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
}

TEST_CASE("an event that does not exist is refused") {
  cudaEvent_t event = nullptr;
  float ms = 0;
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  int number = 0;
  for (const cudaEvent_t none : {event, reinterpret_cast<cudaEvent_t>(&number)}) {
    CHECK(cudaEventRecord(none) == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventSynchronize(none) == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventQuery(none) == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventElapsedTime(&ms, none, none) == cudaErrorInvalidResourceHandle);
    CHECK(cudaStreamWaitEvent(nullptr, none) == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventDestroy(none) == cudaErrorInvalidResourceHandle);
  }
  CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
}

TEST_CASE("a graph is written for Graphviz") {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t first = nullptr, second = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&first, graph, nullptr, 0) == cudaSuccess);
  const cudaHostNodeParams nothing = {[](void*) {}, nullptr};
  REQUIRE(cudaGraphAddHostNode(&second, graph, &first, 1, &nothing) == cudaSuccess);
  char path[] = "/tmp/simt-graph.XXXXXX";
  close(mkstemp(path));
  REQUIRE(cudaGraphDebugDotPrint(graph, path, cudaGraphDebugDotFlagsVerbose) == cudaSuccess);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  CHECK(text.str() ==
        "digraph dot {\n  n0 [shape=\"record\" label=\"0: EMPTY\"];\n"
        "  n1 [shape=\"record\" label=\"1: HOST\"];\n  n0 -> n1;\n}\n");
  std::remove(path);
  CHECK(cudaGraphDebugDotPrint(graph, "/no/such/folder/x.dot", 0) == cudaErrorOperatingSystem);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorOperatingSystem);
}

TEST_CASE("a kernel is launched by pointers to its arguments") {
  DeviceArray<int> in(std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}), out(8);
  for (const bool with_config : {false, true}) {
    const int by = with_config ? 10 : 20;
    REQUIRE(runtime::add_by_pointers(in.get(), out.get(), by, with_config) == cudaSuccess);
    for (int i = 0; i < 8; ++i) CHECK(out.values()[size_t(i)] == i + by);
  }
  int *from = in.get(), *to = out.get(), by = 30;
  void* arguments[] = {&from, &to, &by};
  CHECK(runtime::add_by_address(runtime::kernel_address(), arguments) == cudaSuccess);
  CHECK(out.values()[1] == 31);
  CHECK(runtime::add_by_address(runtime::kernel_address(), nullptr) == cudaErrorInvalidValue);
  CHECK(runtime::add_by_address(&by, arguments) == cudaErrorNotSupported);
  CHECK(runtime::add_by_address(nullptr, arguments) == cudaErrorInvalidDeviceFunction);
  CHECK(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
}
