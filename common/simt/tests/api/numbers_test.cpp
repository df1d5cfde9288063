// Functions of a single value: half, device math, and what lanes and threads do with numbers; rare calls of the API.
#include "tests/api/numbers.h"

#include <cuda_awbarrier_primitives.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "simt/report.h"
#include "simt/testing.h"
#include "tests/catch.h"
#include "tests/device_array.h"

namespace {

const float kInfinity = std::numeric_limits<float>::infinity();

unsigned bits(half h) {
  return __half_as_ushort(h);
}
unsigned bits(__nv_bfloat16 value) {
  return __bfloat16_as_ushort(value);
}

}  // namespace

TEST_CASE("conversions to half round to nearest even") {
  CHECK(bits(__float2half_rn(1)) == 0x3c00);
  CHECK(bits(__float2half_rn(1 + 0x1p-11f)) == 0x3c00);  // halfway: to even
  CHECK(bits(__float2half_rn(1 + 3 * 0x1p-11f)) == 0x3c02);  // halfway: to even, upwards
  CHECK(bits(__float2half_rn(65520)) == 0x7c00);  // the first that is infinite
  CHECK(bits(__float2half_rn(0x1p-24f)) == 0x0001);  // the smallest denormal number
  CHECK(bits(__double2half(1 + 0x1p-11 + 0x1p-40)) == 0x3c01);  // once, not by way of float
  CHECK(bits(__int2half_rn(2049)) == bits(__int2half_rn(2048)));
  CHECK(bits(__int2half_rn(-3)) == 0xc200);
}

TEST_CASE("arithmetic of half rounds once") {
  const half one(1.0f), tiny(0x1p-11f), third = __ushort_as_half(0x3555);
  CHECK(bits(__hadd(one, tiny)) == 0x3c00);
  CHECK(bits(__hsub(one, tiny)) == 0x3bff);
  CHECK(bits(__hmul(third, half(3.0f))) == bits(half(float(third) * 3)));
  // third * third loses its end in a product of halves, and not in a fused one.
  const half product = __hmul(third, third);
  CHECK(bits(__hfma(third, third, -product)) != 0);
  CHECK(bits(__hfma(one, one, tiny)) == 0x3c00);
}

TEST_CASE("conversions to bfloat16 round to nearest even, or to zero") {
  CHECK(bits(__float2bfloat16_rn(1)) == 0x3f80);
  CHECK(bits(__float2bfloat16(1 + 0x1p-8f)) == 0x3f80);  // halfway: to even
  CHECK(bits(__float2bfloat16_rn(1 + 3 * 0x1p-8f)) == 0x3f82);  // halfway: to even, upwards
  CHECK(bits(__float2bfloat16_rn(-(1 + 0x1p-8f + 0x1p-20f))) == 0xbf81);
  CHECK(bits(__float2bfloat16_rz(-(1 + 0x1.fp-8f))) == 0xbf80);
  CHECK(bits(__float2bfloat16_rn(0x1.ffp127f)) == 0x7f80);  // the first that is infinite
  CHECK(bits(__float2bfloat16_rz(0x1.fffffep127f)) == 0x7f7f);
  CHECK(bits(__float2bfloat16_rn(0x1p-133f)) == 1);  // the smallest denormal number
  CHECK(bits(__float2bfloat16_rn(-kInfinity)) == 0xff80);
  for (const float nan : {std::nanf(""), -std::nanf("")}) {
    CHECK(bits(__float2bfloat16_rn(nan)) == 0x7fff);
    CHECK(bits(__float2bfloat16_rz(nan)) == 0x7fff);
  }
  // Once, not by way of float: this is above halfway, and below.
  CHECK(bits(__double2bfloat16(1 + 0x1p-8 + 0x1p-40)) == 0x3f81);
  CHECK(bits(__double2bfloat16(-(1 + 3 * 0x1p-8 - 0x1p-40))) == 0xbf81);
  CHECK(bits(__double2bfloat16(std::nan(""))) == 0x7fff);
  CHECK(bits(__nv_bfloat16(3)) == 0x4040);
  CHECK(__bfloat162float(__ushort_as_bfloat16(0xc049)) == -3.140625f);
  CHECK(std::isnan(__bfloat162float(__ushort_as_bfloat16(0x7fff))));
}

TEST_CASE("arithmetic of bfloat16 rounds once, and two of them go together") {
  const __nv_bfloat16 one(1.0f), tiny(0x1p-8f), three(3);
  CHECK(bits(one + tiny) == 0x3f80);
  CHECK(bits(one - tiny) == 0x3f7f);
  CHECK(bits(one / three) == 0x3eab);
  CHECK(bits(-(three * three)) == 0xc110);
  __nv_bfloat16 sum = one;
  sum += three;
  CHECK((sum == __nv_bfloat16(4.0f) && sum > three && one <= one && one != three));
  const __nv_bfloat162 pair = __floats2bfloat162_rn(1, 3);
  CHECK(bits(__low2bfloat16(pair)) == 0x3f80);
  CHECK(bits(__high2bfloat16(pair)) == 0x4040);
  const float2 back = __bfloat1622float2(__halves2bfloat162(pair.y, pair.x));
  CHECK((back.x == 3 && back.y == 1));
  CHECK(bits(__float22bfloat162_rn(back).x) == 0x4040);
}

TEST_CASE("half2 computes both of its halves") {
  const half2 a = make_half2(half(1.0f), half(2.0f)), b = __floats2half2_rn(3, 4),
              c = __float2half2_rn(5);
  CHECK(bits(__low2half(b)) == bits(half(3.0f)));
  CHECK(bits(__high2half(b)) == bits(half(4.0f)));
  const float2 sum = __half22float2(__hadd2(a, b)), product = __half22float2(__hmul2(a, b)),
               fused = __half22float2(__hfma2(a, b, c));
  CHECK((sum.x == 4 && sum.y == 6));
  CHECK((product.x == 3 && product.y == 8));
  CHECK((fused.x == 8 && fused.y == 13));
  CHECK(bits(__float22half2_rn(sum).y) == bits(half(6.0f)));
}

TEST_CASE("device math") {
  CHECK(rsqrtf(0.25f) == 2);
  CHECK(std::fabs(__expf(1) - 2.7182818f) < 1e-6f);
  CHECK(std::fabs(__logf(10) - 2.3025851f) < 1e-6f);
  CHECK(std::fabs(__sinf(1) - 0.84147098f) < 1e-6f);
  CHECK(std::fabs(__cosf(1) - 0.54030231f) < 1e-6f);
  CHECK(std::fabs(__powf(2, 0.5f) - 1.4142136f) < 1e-6f);
  CHECK(std::fabs(__tanhf(0.5f) - 0.46211716f) < 1e-6f);
  CHECK(__frcp_rn(8) == 0.125f);
  CHECK(__fdividef(1, 8) == 0.125f);
  CHECK(__saturatef(-1) == 0);
  CHECK(__saturatef(0.5f) == 0.5f);
  CHECK(__saturatef(kInfinity) == 1);
  CHECK(__saturatef(std::nanf("")) == 0);
  // 1 - (1 - e)(1 + e) is e²: 0 if the product is rounded first.
  const float e = 0x1p-13f;
  CHECK(__fmaf_rn(-(1 - e), 1 + e, 1) == e * e);
  CHECK(__fadd_rn(1, -__fmul_rn(1 - e, 1 + e)) == 0);
}

TEST_CASE("bits and integers") {
  CHECK(__float2int_rn(2.5f) == 2);
  CHECK(__float2int_rn(3.5f) == 4);
  CHECK(__float2int_rn(-2.5f) == -2);
  CHECK(__popc(0xf00f0001u) == 9);
  CHECK(__clz(0) == 32);
  CHECK(__clz(1) == 31);
  CHECK(__clz(-1) == 0);
  CHECK(__ffs(0) == 0);
  CHECK(__ffs(0x50) == 5);
  CHECK(__int_as_float(0x3f800000) == 1);
  CHECK(__float_as_int(-0.0f) == int(0x80000000));
  CHECK(__uint_as_float(0xbf800000u) == -1);
  CHECK(__float_as_uint(-1) == 0xbf800000u);
}

TEST_CASE("a shuffle upwards stays within its group") {
  DeviceArray<int> out(32);
  numbers::shuffle_up(out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (int lane = 0; lane < 32; ++lane) {
    CHECK(out.values()[size_t(lane)] == (lane % 16 < 3 ? lane : lane - 3));
  }
}

TEST_CASE("atomicCAS() swaps only what it expects") {
  DeviceArray<int> sum(std::vector<int>{5});
  DeviceArray<unsigned long long> product(std::vector<unsigned long long>{1ull << 40});
  numbers::add(sum.get(), product.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(sum.values()[0] == 5 + 63 * 64 / 2);
  CHECK(product.values()[0] == 1ull << 50);
}

TEST_CASE("atomic operations combine what all threads bring, and return the old value") {
  const DeviceArray<int> ints(std::vector<int>{1, 5000, 3, 3, 0xff, 0, 0, 70, 0});
  numbers::combine(ints.get());
  CHECK(ints.values() == std::vector<int>{2017, 2984, -32, 31, 0xfb, 0xfffff, 0xffff0, 63, 70});
  const DeviceArray<unsigned> unsigneds(std::vector<unsigned>{1, 5000, 3, 3, 0xff, 0, 0, 70, 0});
  numbers::combine(unsigneds.get());
  CHECK(unsigneds.values() ==
        std::vector<unsigned>{2017, 2984, 0, ~0u, 0xfb, 0xfffff, 0xffff0, 63, 70});
  const DeviceArray<unsigned long long> sum(std::vector<unsigned long long>{1});
  const DeviceArray<double> fractions(std::vector<double>{0.5});
  const DeviceArray<float> swapped(std::vector<float>{1.5f, 0});
  numbers::combine_wide(sum.get(), fractions.get(), swapped.get());
  CHECK(sum.values()[0] == (1ull << 46) + 1);
  CHECK(fractions.values()[0] == 16.5);
  CHECK(swapped.values() == std::vector<float>{2.5f, 1.5f});
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("a fence is no barrier") {
  DeviceArray<int> out(1);
  simt::set_printing(false);
  numbers::fence(out.get());
  simt::set_printing(true);
  REQUIRE(simt::last_errors().size() == 1);
  CHECK(simt::last_errors()[0].kind == simt::ErrorKind::SharedRace);
  CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
}

TEST_CASE("cudaMemset2D() leaves what lies between rows") {
  DeviceArray<unsigned char> array(std::vector<unsigned char>(40, 1));
  CHECK(cudaMemset2D(array.get() + 3, 10, 7, 5, 3) == cudaSuccess);
  for (size_t i = 0; i < 40; ++i) {
    CHECK(int(array.values()[i]) == (i >= 3 && i < 33 && (i - 3) % 10 < 5 ? 7 : 1));
  }
  CHECK(cudaMemset2D(array.get(), 4, 0, 5, 3) != cudaSuccess);  // a row is wider than the pitch
  CHECK(cudaGetLastError() != cudaSuccess);
}

TEST_CASE("errors have names, and only cudaGetLastError() forgets them") {
  CHECK(cudaSetDevice(7) == cudaErrorInvalidDevice);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaGetErrorName(cudaErrorInvalidDevice) == std::string("cudaErrorInvalidDevice"));
  CHECK(cudaGetErrorString(cudaErrorInvalidDevice) != std::string());
}

TEST_CASE("after a kernel has failed, nothing succeeds any more") {
  DeviceArray<int> out(1), sum(std::vector<int>{0});
  DeviceArray<unsigned long long> product(std::vector<unsigned long long>{1});
  int host = 7;
  void* memory = nullptr;
  simt::set_printing(false);
  simt::set_sticky(true);
  numbers::fence(out.get());
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
  numbers::add(sum.get(), product.get());
  CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
  CHECK(cudaMemcpy(&host, sum.get(), sizeof host, cudaMemcpyDeviceToHost) ==
        cudaErrorLaunchFailure);
  CHECK(host == 7);
  CHECK(cudaMalloc(&memory, 4) == cudaErrorLaunchFailure);
  CHECK(cudaStreamSynchronize(nullptr) == cudaErrorLaunchFailure);
  CHECK(cudaPeekAtLastError() == cudaErrorLaunchFailure);
  simt::set_sticky(false);
  simt::set_printing(true);
  CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(sum.values()[0] == 0);
}

TEST_CASE("the one device, its versions and its events") {
  int device = -1, driver = 0, runtime = 0;
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaDriverGetVersion(&driver) == cudaSuccess);
  CHECK(cudaRuntimeGetVersion(&runtime) == cudaSuccess);
  CHECK(driver >= runtime);
  cudaDeviceProp properties;
  REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK(properties.warpSize == 32);
  CHECK(properties.maxThreadsPerBlock == 1024);
  CHECK(properties.maxSurface2D[1] == 0);  // as of textures, for programs that print them
  CHECK(cudaGetDeviceProperties(&properties, 1) == cudaErrorInvalidDevice);
  cudaGetLastError();
  cudaEvent_t event = nullptr;
  CHECK(cudaEventCreateWithFlags(&event, 2 /* cudaEventDisableTiming */) == cudaSuccess);
  CHECK(cudaEventRecord(event) == cudaSuccess);
  CHECK(cudaEventQuery(event) == cudaSuccess);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaDeviceReset() == cudaSuccess);
}

TEST_CASE("an mbarrier counts as many arrivals as CUDA's") {
  CHECK(__mbarrier_maximum_count() == (1u << 14) - 1);
}
