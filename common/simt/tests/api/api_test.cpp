// The runtime API of the CPU backend: memory, launches and their errors, half.
#include "tests/api/api.h"

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "simt/report.h"
#include "simt/testing.h"
#include "tests/catch.h"
#include "tests/device_array.h"

namespace {

cudaError_t launch(dim3 grid, dim3 block, size_t shared = 0) {
  api::fill(grid, block, shared, nullptr);
  return cudaGetLastError();
}

}  // namespace

TEST_CASE("launches beyond CUDA's limits fail as they do there") {
  CHECK(launch(dim3(1), dim3(1024)) == cudaSuccess);
  CHECK(launch(dim3(1), dim3(1025)) == cudaErrorInvalidConfiguration);
  CHECK(launch(dim3(1), dim3(32, 33)) == cudaErrorInvalidConfiguration);
  CHECK(launch(dim3(1), dim3(1, 1, 65)) == cudaErrorInvalidConfiguration);
  CHECK(launch(dim3(0), dim3(1)) == cudaErrorInvalidConfiguration);
  CHECK(launch(dim3(1), dim3(0)) == cudaErrorInvalidConfiguration);
  CHECK(launch(dim3(1, 65536), dim3(1)) == cudaErrorInvalidConfiguration);
  CHECK(launch(dim3(1, 65535), dim3(1)) == cudaSuccess);
  CHECK(launch(dim3(100000), dim3(1)) == cudaSuccess);
  CHECK(launch(dim3(1), dim3(1), 48 * 1024) == cudaSuccess);
  CHECK(launch(dim3(1), dim3(1), 48 * 1024 + 1) == cudaErrorInvalidValue);
  CHECK(api::allow_shared(227 * 1024) == cudaSuccess);
  CHECK(launch(dim3(1), dim3(1), 227 * 1024) == cudaSuccess);
  CHECK(launch(dim3(1), dim3(1), 227 * 1024 + 1) == cudaErrorInvalidValue);
  CHECK(api::allow_shared(227 * 1024 + 1) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("a kernel's attributes are told") {
  cudaFuncAttributes fill, bounded;
  REQUIRE(api::allow_shared(100000) == cudaSuccess);
  REQUIRE(api::attributes(&fill, &bounded) == cudaSuccess);
  CHECK(fill.sharedSizeBytes == 0);
  CHECK(fill.maxThreadsPerBlock == 1024);
  CHECK(fill.maxDynamicSharedSizeBytes == 100000);
  CHECK(bounded.sharedSizeBytes == 256);
  CHECK(bounded.maxThreadsPerBlock == 96);
  CHECK(bounded.maxDynamicSharedSizeBytes == 48 * 1024 - 256);
  CHECK(bounded.ptxVersion == 90);
  CHECK(api::attributes(nullptr, &bounded) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("blocks and grids have up to three dimensions") {
  constexpr int count = 2 * 3 * 4 * 5 * 2 * 3;
  DeviceArray<int> seen(std::vector<int>(count, 0));
  api::fill(dim3(2, 3, 4), dim3(5, 2, 3), 0, seen.get());
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(seen.values() == std::vector<int>(count, 1));
}

TEST_CASE("dynamic shared memory is as large as the launch says") {
  DeviceArray<float> out(32);
  const auto reads_too_far = [&](int floats, int first, int width) {
    simt::set_printing(false);
    api::read_dynamic(floats, first, width, out.get());
    simt::set_printing(true);
    const bool failed = cudaGetLastError() == cudaErrorLaunchFailure;
    CHECK(failed == !simt::last_errors().empty());
    CHECK((!failed || simt::last_errors()[0].kind == simt::ErrorKind::SharedOutOfBounds));
    return failed;
  };
  CHECK(!reads_too_far(32, 0, 1));
  CHECK(reads_too_far(32, 1, 1));
  CHECK(reads_too_far(32, 3000, 1));
  CHECK(reads_too_far(0, 0, 1));
  CHECK(!reads_too_far(128, 0, 4));
  CHECK(reads_too_far(126, 0, 4));  // the last 16 bytes are 8 too many
}

TEST_CASE("a copy cannot zero more than it writes") {
  DeviceArray<float> in(std::vector<float>(1, 5.0f)), out(1);
  api::copy_with_zeros(in.get(), out.get(), 0);
  CHECK(out.values()[0] == 5);
  api::copy_with_zeros(in.get(), out.get(), 4);
  CHECK(out.values()[0] == 0);
  simt::set_printing(false);
  api::copy_with_zeros(in.get(), out.get(), 8);
  simt::set_printing(true);
  CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
  REQUIRE(simt::last_errors().size() == 1);
  CHECK(simt::last_errors()[0].kind == simt::ErrorKind::BadArgument);
}

TEST_CASE("device memory") {
  size_t free_bytes = 0, total = 0;
  CHECK(cudaMemGetInfo(&free_bytes, &total) == cudaSuccess);
  CHECK(free_bytes <= total);
  void* p = nullptr;
  CHECK(cudaMalloc(&p, total + 1) == cudaErrorMemoryAllocation);
  CHECK(p == nullptr);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&p, &pitch, 100, 3) == cudaSuccess);
  CHECK(pitch == 512);
  CHECK(reinterpret_cast<uintptr_t>(p) % 256 == 0);
  char host[300], back[300];
  std::memset(host, 7, sizeof host);
  CHECK(cudaMemcpy2D(p, pitch, host, 100, 100, 3, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy2D(back, 100, p, pitch, 100, 3, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(std::memcmp(host, back, sizeof host) == 0);
  CHECK(cudaMemcpy(p, host, 3 * 512 + 1, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host, back, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemset(p, 1, 3 * 512) == cudaSuccess);
  CHECK(cudaMemset(static_cast<char*>(p) + 1, 1, 3 * 512) == cudaErrorInvalidValue);
  CHECK(cudaFree(static_cast<char*>(p) + 256) == cudaErrorInvalidValue);
  CHECK(cudaFree(p) == cudaSuccess);
  CHECK(cudaFree(p) == cudaErrorInvalidValue);
  CHECK(cudaFree(nullptr) == cudaSuccess);
  size_t after = 0;
  cudaMemGetInfo(&after, &total);
  CHECK(after == free_bytes);
  cudaGetLastError();
}

TEST_CASE("memory in the order of the stream") {
  float* p = nullptr;
  CHECK(cudaMallocAsync(&p, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMallocAsync(&p, size_t(1) << 60, nullptr) == cudaErrorMemoryAllocation);
  CHECK(p == nullptr);
  REQUIRE(cudaMallocAsync(&p, 12, nullptr) == cudaSuccess);
  const float host[3] = {1, 2, 3};
  CHECK(cudaMemcpy(p, host, 12, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(p, host, 13, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaFreeAsync(p + 1, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaFreeAsync(p, nullptr) == cudaSuccess);
  CHECK(cudaFreeAsync(p, nullptr) == cudaErrorInvalidValue);
  cudaMemPool_t pool = nullptr;
  uint64_t keep = UINT64_MAX;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep) ==
        cudaErrorInvalidValue);
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 1) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep) == cudaSuccess);
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, nullptr) ==
        cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("memory of a pool of one's own") {
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps properties{};
  CHECK(cudaMemPoolCreate(&pool, &properties) == cudaErrorInvalidValue);
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 1};
  CHECK(cudaMemPoolCreate(&pool, &properties) == cudaErrorInvalidValue);
  float* p = nullptr;
  CHECK(cudaMallocFromPoolAsync(&p, 12, pool, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolDestroy(pool) == cudaErrorInvalidValue);
  properties.location.id = 0;
  REQUIRE(cudaMemPoolCreate(&pool, &properties) == cudaSuccess);
  uint64_t keep = UINT64_MAX;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep) == cudaSuccess);
  CHECK(cudaMallocFromPoolAsync(&p, 0, pool, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMallocFromPoolAsync(&p, size_t(1) << 60, pool, nullptr) == cudaErrorMemoryAllocation);
  REQUIRE(cudaMallocFromPoolAsync(&p, 12, pool, nullptr) == cudaSuccess);
  CHECK(cudaMemset(p, 0, 12) == cudaSuccess);
  CHECK(cudaMemset(p, 0, 13) == cudaErrorInvalidValue);
  CHECK(cudaFreeAsync(p, nullptr) == cudaSuccess);
  CHECK(cudaFreeAsync(p, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolDestroy(pool) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("a second device, and the pool of the first") {
  CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
  setenv("SIMT_DEVICES", "2", 1);  // NOLINT(concurrency-mt-unsafe): between launches
  int count = 0, device = 0;
  CHECK((cudaGetDeviceCount(&count) == cudaSuccess && count == 2));
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool = nullptr;
  REQUIRE(cudaMemPoolCreate(&pool, &properties) == cudaSuccess);
  CHECK((cudaSetDevice(1) == cudaSuccess && cudaGetDevice(&device) == cudaSuccess && device == 1));
  float* p = nullptr;
  simt::set_printing(false);
  CHECK(cudaMallocFromPoolAsync(&p, 12, pool, nullptr) == cudaErrorInvalidValue);
  simt::set_printing(true);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaMallocFromPoolAsync(&p, 12, pool, nullptr) == cudaSuccess);
  CHECK(cudaFreeAsync(p, nullptr) == cudaSuccess);
  unsetenv("SIMT_DEVICES");  // NOLINT(concurrency-mt-unsafe)
  cudaGetLastError();
}

TEST_CASE("sparse memory is larger than the machine's, and bounds what no copy wrote") {
  constexpr size_t kCount = size_t(5) << 31;  // 40 GiB
  const dim3 one(1);
  size_t free_bytes = 0, total = 0, after = 0;
  cudaMemGetInfo(&free_bytes, &total);
  for (int round = 0; round < 2; ++round) {
    int* const memory = static_cast<int*>(simt::malloc_sparse(kCount * sizeof(int)));
    if (memory == nullptr) {
      WARN("skipped: no addresses (ulimit -v, vm.overcommit_memory)");
      return;
    }
    cudaMemGetInfo(&after, &total);
    CHECK(after == free_bytes);
    int value = 41;
    for (const size_t i : {size_t(0), kCount / 2, kCount - 1}) {
      CHECK(cudaMemcpy(memory + i, &value, sizeof value, cudaMemcpyHostToDevice) == cudaSuccess);
      api::fill(one, one, 0, memory + i);
      CHECK(cudaGetLastError() == cudaSuccess);
      CHECK(cudaMemcpy(&value, memory + i, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
      CHECK(value-- == 42);
    }
    simt::set_printing(false);
    for (const size_t i : {size_t(1), kCount / 3, kCount / 2 - 1, kCount - 2, kCount}) {
      api::fill(one, one, 0, memory + i);
      CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
      REQUIRE(simt::last_errors().size() == 1);
      CHECK(simt::last_errors()[0].kind == simt::ErrorKind::GlobalOutOfBounds);
    }
    CHECK(cudaMemcpy(memory + kCount, &value, 1, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaFree(memory) == cudaSuccess);
    api::fill(one, one, 0, memory);
    CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
    simt::set_printing(true);
  }
  CHECK(simt::malloc_sparse(size_t(1) << 45) == nullptr);
  cudaGetLastError();
}

TEST_CASE("half rounds to nearest even, from float and from double") {
  // All halves survive the way to float and back.
  int wrong = 0;
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const half h = __ushort_as_half(static_cast<unsigned short>(bits));
    const float f = float(h);
    wrong += __hisnan(h) ? !std::isnan(f) : half(f).bits != bits || half(double(f)).bits != bits;
  }
  CHECK(wrong == 0);
  CHECK(float(half(2049)) == 2048);
  CHECK(float(half(2051)) == 2052);
  CHECK(float(half(65519.0f)) == 65504);
  CHECK(std::isinf(float(half(65520.0f))));
  CHECK(float(half(1e-8)) == 0);
  CHECK(float(half(std::ldexp(1.5, -24))) == std::ldexp(1.0, -23));
  // Halfway in float's precision, not in double's.
  CHECK(float(half(1.0 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40))) ==
        1.0f + std::ldexp(1.0f, -10));
  CHECK(float(half(3) * half(0.5f) + half(1)) == 2.5f);
}

TEST_CASE("one device, the default stream, events") {
  int count = 0;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  float ms = -1;
  CHECK(cudaEventElapsedTime(&ms, start, stop) == cudaErrorInvalidResourceHandle);
  cudaEventRecord(start);
  cudaEventRecord(stop);
  CHECK(cudaEventElapsedTime(&ms, start, stop) == cudaSuccess);
  CHECK(ms >= 0);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaGetLastError();
}
