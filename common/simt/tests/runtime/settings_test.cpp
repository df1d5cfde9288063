// The device's properties, settings and occupancy, and the codes of errors.
#include "tests/runtime/settings.h"

#include <cstdlib>
#include <cstring>
#include <set>

#include "tests/catch.h"

TEST_CASE("the device has properties that programs print") {
  CHECK(runtime::describe_device() ==
        "1: 8.0, 132 SMs, warp 32, threads 1024 (1024, 1024, 64), grid (2147483647, 65535, 65535), "
        "shared 49152, const 65536, regs 65536, memory 1, bus 0, pci 0 0 0");
  CHECK(runtime::compare_attributes() == 0);
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, cudaDeviceAttr(12345), 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxTexture2DWidth, 0) == cudaSuccess);
  CHECK(value == 0);
  CHECK(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0) == cudaErrorInvalidValue);
  CHECK(cudaGetDeviceProperties(nullptr, 0) == cudaErrorInvalidValue);
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 7) == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  // Members of CUDA 12 that CUDA 13 does not have.
  CHECK(properties.clockRate >= 0);
  CHECK(properties.memoryClockRate >= 0);
}

TEST_CASE("as many blocks are resident as threads and shared memory allow") {
  const runtime::Occupancy plain = runtime::occupancy_of(false, 256, 0);
  CHECK(plain.blocks == 8);
  CHECK(plain.with_flags == 8);
  CHECK(plain.block == 1024);
  CHECK(plain.grid == 2 * 132);
  CHECK(plain.limited == 64);
  CHECK(plain.clusters == 8 * 132 / 2);
  CHECK(runtime::occupancy_of(false, 32, 0).blocks == 32);
  CHECK(runtime::occupancy_of(false, 33, 0).blocks == 32);
  CHECK(runtime::occupancy_of(false, 1024, 0).blocks == 2);
  CHECK(runtime::occupancy_of(false, 1025, 0).blocks == 0);
  CHECK(runtime::occupancy_of(false, 64, 100 * 1024).blocks == 2);
  CHECK(runtime::occupancy_of(false, 64, 228 * 1024).blocks == 0);
  // 228 KB of a multiprocessor for two blocks, of each 1 KB reserved.
  CHECK(plain.dynamic == 113 * 1024);
  const runtime::Occupancy bounded = runtime::occupancy_of(true, 96, 0);
  CHECK(bounded.block == 64);
  CHECK(bounded.blocks == 21);
  CHECK(bounded.dynamic == 109 * 1024);
  CHECK(runtime::occupancy_of(true, 128, 0).blocks == 0);
  CHECK(plain.variable % 32 == 0);
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, static_cast<const void*>(nullptr), 1,
                                                      0) == cudaErrorInvalidDeviceFunction);
  CHECK(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
}

TEST_CASE("hints and limits are kept") {
  CHECK(runtime::prepare_device().empty());
  size_t value = 0;
  CHECK(cudaDeviceGetLimit(&value, cudaLimit(99)) == cudaErrorUnsupportedLimit);
  CHECK(cudaDeviceSetLimit(cudaLimit(99), 1) == cudaErrorUnsupportedLimit);
  cudaSharedMemConfig banks;
  CHECK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte) == cudaSuccess);
  CHECK(cudaDeviceGetSharedMemConfig(&banks) == cudaSuccess);
  CHECK(banks == cudaSharedMemBankSizeFourByte);
  void (*const none)(int) = nullptr;
  CHECK(cudaFuncSetSharedMemConfig(none, banks) == cudaErrorInvalidDeviceFunction);
  CHECK(cudaFuncSetCacheConfig(none, cudaFuncCachePreferL1) == cudaErrorInvalidDeviceFunction);
  cudaFuncAttributes attributes;
  REQUIRE(runtime::attributes_of(&attributes) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 96);
  CHECK(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
}

TEST_CASE("devices are each other's peers") {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no thread reads it now
  setenv("SIMT_DEVICES", "2", 1);
  int can = 0;
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaSuccess);
  CHECK(can == 1);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaSuccess);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled);
  CHECK(cudaDeviceDisablePeerAccess(1) == cudaSuccess);
  CHECK(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
  unsetenv("SIMT_DEVICES");
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
}

TEST_CASE("each code has its name") {
  CHECK(runtime::check_failing_call() == ": cudaErrorInvalidDevice, invalid device ordinal");
  CHECK(std::strcmp(cudaGetErrorName(cudaErrorInvalidSymbol), "cudaErrorInvalidSymbol") == 0);
  CHECK(std::strcmp(cudaGetErrorName(cudaErrorMisalignedAddress), "cudaErrorMisalignedAddress") ==
        0);
  CHECK(std::strcmp(cudaGetErrorName(cudaError_t(5555)), "cudaErrorUnknown") == 0);
  std::set<std::string> sentences;
  for (const cudaError_t each : {cudaErrorAssert, cudaErrorNotPermitted, cudaErrorInvalidPtx}) {
    sentences.insert(cudaGetErrorString(each));
  }
  CHECK(sentences.size() == 3);
}
