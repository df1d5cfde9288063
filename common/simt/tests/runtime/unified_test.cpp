// Managed and pinned memory, and copies of three dimensions.
#include "tests/runtime/unified.h"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"

TEST_CASE("hosts and kernels share managed memory") {
  CHECK(runtime::saxpy_managed(1000, 3) == 0);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(runtime::sum_of_list(10) == 45);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("kernels use pinned memory") {
  CHECK(runtime::sum_of_pinned(100) == 4950);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("managed memory is checked in kernels") {
  int* x = nullptr;
  REQUIRE(cudaMallocManaged(&x, 32 * sizeof(int)) == cudaSuccess);
  std::fill_n(x, 32, 1);
  runtime::race(x, 31);
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  REQUIRE(!simt::last_errors().empty());
  CHECK(simt::last_errors()[0].kind == simt::ErrorKind::GlobalRace);
  runtime::race(x, 32);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  REQUIRE(!simt::last_errors().empty());
  CHECK(simt::last_errors()[0].kind == simt::ErrorKind::GlobalOutOfBounds);
  REQUIRE(cudaFree(x) == cudaSuccess);
  runtime::race(x, 1);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  REQUIRE(!simt::last_errors().empty());
  CHECK(simt::last_errors()[0].kind == simt::ErrorKind::GlobalOutOfBounds);
}

namespace {

// What this writes to stderr.
template <typename Run>
std::string said_by(Run run) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const int before = dup(2);
  dup2(ends[1], 2);
  close(ends[1]);
  simt::set_printing(true);
  run();
  simt::set_printing(false);
  dup2(before, 2);
  close(before);
  char text[4000] = {};
  const ssize_t size = read(ends[0], text, sizeof text - 1);
  close(ends[0]);
  return std::string(text, size > 0 ? size_t(size) : 0);
}

}  // namespace

TEST_CASE("the host must wait for what a kernel writes to managed memory") {
  int* x = nullptr;
  constexpr int n = 4096;
  REQUIRE(cudaMallocManaged(&x, n * sizeof(int)) == cudaSuccess);
  int value = 0;
  CHECK(said_by([&] { value = runtime::read_after_kernel(x, n, true, 0); }).empty());
  CHECK(value == 5);
  const std::string said = said_by([&] { value = runtime::read_after_kernel(x, n, false, 0); });
  CHECK(value == 5);
  CHECK(said.find("unified.cu:") != std::string::npos);
  CHECK(said.find("cudaDeviceSynchronize() is missing") != std::string::npos);
  // Elsewhere in it the host may work while the kernel does.
  CHECK(said_by([&] { value = runtime::read_after_kernel(x, n, false, n - 1); }).empty());
  CHECK(value == 4);
  CHECK(cudaFree(x) == cudaSuccess);
  REQUIRE(cudaMallocHost(&x, n * sizeof(int)) == cudaSuccess);
  CHECK(said_by([&] { value = runtime::read_after_kernel(x, n, true, 0); }).empty());
  CHECK(!said_by([&] { value = runtime::read_after_kernel(x, n, false, 0); }).empty());
  CHECK(cudaFreeHost(x) == cudaSuccess);
}

TEST_CASE("the host must wait for an asynchronous copy to pinned memory") {
  int *pinned = nullptr, value = 0;
  REQUIRE(cudaMallocHost(&pinned, sizeof(int)) == cudaSuccess);
  DeviceArray<int> device(std::vector<int>(1, 8));
  const auto read = [&](bool wait) {
    return said_by([&] { value = runtime::read_after_copy(pinned, device.get(), wait); });
  };
  CHECK(read(true).empty());
  CHECK(value == 8);
  CHECK(read(false).find("cudaStreamSynchronize() is missing") != std::string::npos);
  CHECK(value == 8);
  const auto read_after_flag = [&](bool copy_first) {
    return said_by([&] { value = runtime::read_after_flag(pinned, device.get(), copy_first); });
  };
  CHECK(read_after_flag(true).empty());
  CHECK(read_after_flag(false).find("cudaStreamSynchronize() is missing") != std::string::npos);
  cudaStream_t blocking = nullptr, other = nullptr;
  REQUIRE(cudaStreamCreate(&blocking) == cudaSuccess);
  REQUIRE(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking) == cudaSuccess);
  const struct {
    cudaStream_t copy, kernel;
    bool event, is_ordered;
  } cases[] = {
      {blocking, nullptr, false, true}, {nullptr, blocking, false, true},
      {other, other, false, true},      {blocking, other, true, true},
      {blocking, other, false, false},  {other, nullptr, false, false},
  };
  for (const auto& each : cases) {
    INFO("case " << &each - cases);
    const std::string said = said_by([&] {
      value = runtime::read_after_flag_of(pinned, device.get(), each.copy, each.kernel, each.event);
    });
    CHECK(said.empty() == each.is_ordered);
    CHECK(value == 8);
  }
  CHECK(cudaStreamDestroy(blocking) == cudaSuccess);
  CHECK(cudaStreamDestroy(other) == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
}

TEST_CASE("copies take managed and pinned memory on either side") {
  int *managed = nullptr, *pinned = nullptr, values[4] = {1, 2, 3, 4};
  REQUIRE(cudaMallocManaged(&managed, 16, cudaMemAttachHost) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 16) == cudaSuccess);
  CHECK(cudaMemcpy(managed, values, 16, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(pinned, managed, 16, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(std::equal(values, values + 4, pinned));
  CHECK(cudaMemcpy(pinned, managed, 20, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  DeviceArray<int> device(4), never(4);
  CHECK(cudaMemcpy(device.get(), pinned, 16, cudaMemcpyDefault) == cudaSuccess);
  CHECK(device.values() == std::vector<int>(values, values + 4));
  CHECK(cudaMemcpy(pinned, never.get(), 16, cudaMemcpyDefault) == cudaSuccess);
  CHECK(cudaMemsetAsync(managed, 0, 16) == cudaSuccess);
  CHECK(managed[3] == 0);
  CHECK(cudaMemcpyPeer(device.get(), 0, managed, 0, 16) == cudaSuccess);
  CHECK(cudaMemcpyPeerAsync(device.get(), 0, managed, 9, 16) == cudaErrorInvalidDevice);
  CHECK(cudaMemset2DAsync(managed, 8, 1, 4, 2) == cudaSuccess);
  CHECK(managed[2] == 0x01010101);
  CHECK(managed[3] == 0);
  CHECK(cudaFree(pinned) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(managed) == cudaErrorInvalidValue);
  CHECK(cudaFree(managed) == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(nullptr) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("hints are for managed memory") {
  int *managed = nullptr, *device = nullptr;
  REQUIRE(cudaMallocManaged(&managed, 64) == cudaSuccess);
  REQUIRE(cudaMalloc(&device, 64) == cudaSuccess);
  const cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
  const cudaMemLocation host = {cudaMemLocationTypeHost, 0};
  CHECK(cudaMemPrefetchAsync(managed, 64, here, 0) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(managed, 64, host, 0) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(managed, 64, cudaCpuDeviceId) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(managed, 64, 9) == cudaErrorInvalidDevice);
  CHECK(cudaMemPrefetchAsync(managed, 65, 0) == cudaErrorInvalidValue);
  CHECK(cudaMemPrefetchAsync(device, 64, 0) == cudaErrorInvalidValue);
  CHECK(cudaMemAdvise(managed, 64, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId) ==
        cudaSuccess);
  CHECK(cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, here) == cudaSuccess);
  CHECK(cudaMemAdvise(device, 64, cudaMemAdviseSetReadMostly, 0) == cudaErrorInvalidValue);
  CHECK(cudaStreamAttachMemAsync(nullptr, managed) == cudaSuccess);
  CHECK(cudaStreamAttachMemAsync(nullptr, device) == cudaErrorInvalidValue);
  CHECK(cudaFree(managed) == cudaSuccess);
  CHECK(cudaFree(device) == cudaSuccess);
  CHECK(cudaMallocManaged(&managed, 0) == cudaErrorInvalidValue);
  CHECK(cudaMallocManaged(&managed, 4, 4) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("pointers tell what memory they are of") {
  std::vector<int> own(4);
  int *managed = nullptr, *device = nullptr, *pinned = nullptr;
  REQUIRE(cudaMallocManaged(&managed, 64) == cudaSuccess);
  REQUIRE(cudaMalloc(&device, 64) == cudaSuccess);
  REQUIRE(cudaHostAlloc(&pinned, 64, cudaHostAllocPortable) == cudaSuccess);
  const auto type_of = [](const void* pointer) {
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess);
    return attributes.type;
  };
  CHECK(type_of(managed + 3) == cudaMemoryTypeManaged);
  CHECK(type_of(device + 3) == cudaMemoryTypeDevice);
  CHECK(type_of(pinned + 3) == cudaMemoryTypeHost);
  CHECK(type_of(own.data()) == cudaMemoryTypeUnregistered);
  unsigned flags = 0;
  CHECK(cudaHostGetFlags(&flags, pinned) == cudaSuccess);
  CHECK(flags == cudaHostAllocPortable);
  CHECK(cudaHostRegister(own.data(), 16, cudaHostRegisterDefault) == cudaSuccess);
  CHECK(cudaHostRegister(own.data() + 1, 4, 0) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(type_of(own.data()) == cudaMemoryTypeHost);
  void* mapped = nullptr;
  CHECK(cudaHostGetDevicePointer(&mapped, own.data() + 1, 0) == cudaSuccess);
  CHECK(type_of(mapped) == cudaMemoryTypeHost);
  own[1] = 7;
  CHECK(*static_cast<int*>(mapped) == 7);
  CHECK(cudaFreeHost(mapped) == cudaErrorInvalidValue);
  CHECK(cudaHostGetDevicePointer(&mapped, device, 0) == cudaErrorInvalidValue);
  CHECK(cudaHostUnregister(own.data()) == cudaSuccess);
  CHECK(own[1] == 7);
  CHECK(cudaHostUnregister(own.data()) == cudaErrorHostMemoryNotRegistered);
  int local[4];
  CHECK(cudaHostRegister(local, sizeof local, 0) == cudaErrorNotSupported);
  cudaFree(managed), cudaFree(device), cudaFreeHost(pinned);
  CHECK(cudaGetLastError() == cudaErrorNotSupported);
}

TEST_CASE("boxes in memory of three dimensions are copied") {
  CHECK(runtime::copy_volume() == 0);
  cudaMemcpy3DParms copy = {};
  copy.dstArray = reinterpret_cast<cudaArray_t>(&copy);
  CHECK(cudaMemcpy3D(&copy) == cudaErrorNotSupported);
  CHECK(cudaMemcpy3D(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}
