#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "tests/functions/hints.h"

namespace hints {

template <typename T>
__device__ void copy_as(const float4* from, float4* to, int way) {
  constexpr int size = 16 / int(sizeof(T));
  const T* in = reinterpret_cast<const T*>(from) + threadIdx.x * size;
  T* out = reinterpret_cast<T*>(to) + threadIdx.x * size;
  for (int i = 0; i < size; ++i) {
    switch (way) {
      case 0:
        __stwb(out + i, __ldg(in + i));
        break;
      case 1:
        __stcg(out + i, __ldca(in + i));
        break;
      case 2:
        __stcs(out + i, __ldcg(in + i));
        break;
      case 3:
        __stwt(out + i, __ldcs(in + i));
        break;
      case 4:
        __stwb(out + i, __ldlu(in + i));
        break;
      default:
        __stwb(out + i, __ldcv(in + i));
    }
  }
}

__global__ void copy_kernel(const float4* in, float4* out) {
  for (int way = 0; way < 6; ++way) {
    copy_as<float>(in, out, way);
    copy_as<float4>(in, out + 32, way);
    copy_as<uint2>(in, out + 64, way);
    copy_as<__half>(in, out + 96, way);
    copy_as<__half2>(in, out + 128, way);
    copy_as<__nv_bfloat162>(in, out + 160, way);
    copy_as<double2>(in, out + 192, way);
    copy_as<uchar4>(in, out + 224, way);
    copy_as<long long>(in, out + 256, way);
    copy_as<short>(in, out + 288, way);
    copy_as<char>(in, out + 320, way);
    in += 32;
    out += 352;
  }
}

void copy(const float4* in, float4* out) {
  copy_kernel<<<1, 32>>>(in, out);
}

__global__ void plain_copy_kernel(const float4* in, float4* out) {
  out[threadIdx.x] = in[threadIdx.x];
}

void plain_copy(const float4* in, float4* out) {
  plain_copy_kernel<<<1, 32>>>(in, out);
}

__global__ void hinted_copy_kernel(const float4* in, float4* out) {
  __stcs(out + threadIdx.x, __ldcs(in + threadIdx.x));
}

void hinted_copy(const float4* in, float4* out) {
  hinted_copy_kernel<<<1, 32>>>(in, out);
}

__global__ void sums_kernel(Sums* out) {
  __shared__ alignas(16) float floats[12];
  __shared__ __half2 halves[3];
  __shared__ __nv_bfloat162 bfloats[3];
  if (threadIdx.x < 12) floats[threadIdx.x] = out->floats[threadIdx.x] = 0;
  if (threadIdx.x < 3) {
    out->doubles[threadIdx.x] = 0;
    halves[threadIdx.x] = __float2half2_rn(0);
    bfloats[threadIdx.x] = __float2bfloat162_rn(0);
  }
  __syncthreads();
  const float value = 0.5f * (threadIdx.x % 4 + 1);
  atomicAdd(&out->doubles[0], double(value));
  atomicAdd_block(&out->doubles[1], double(value));
  atomicAdd_system(&out->doubles[2], double(value));
  atomicAdd(&floats[0], value);
  atomicAdd_block(&floats[1], value);
  atomicAdd(reinterpret_cast<float2*>(&out->floats[2]), make_float2(value, value));
  atomicAdd(reinterpret_cast<float4*>(&out->floats[4]), make_float4(value, value, value, value));
  atomicAdd_system(&floats[8], value);
  atomicAdd(&floats[9], value);
  atomicAdd(&floats[10], value);
  atomicAdd(&floats[11], value);
  const __half h = __float2half(value);
  atomicAdd(&halves[0], __halves2half2(h, h));
  atomicAdd(reinterpret_cast<__half*>(&halves[1]), h);
  atomicAdd(reinterpret_cast<__half*>(&halves[1]) + 1, h);
  const __nv_bfloat16 b = __float2bfloat16(value);
  atomicAdd(&bfloats[0], __halves2bfloat162(b, b));
  atomicAdd(reinterpret_cast<__nv_bfloat16*>(&bfloats[1]), b);
  atomicAdd(reinterpret_cast<__nv_bfloat16*>(&bfloats[1]) + 1, b);
  __syncthreads();
  if (threadIdx.x < 12 && (threadIdx.x < 2 || threadIdx.x >= 8)) {
    out->floats[threadIdx.x] = floats[threadIdx.x];
  }
  if (threadIdx.x < 2) {
    out->halves[2 * threadIdx.x] = __low2float(halves[threadIdx.x]);
    out->halves[2 * threadIdx.x + 1] = __high2float(halves[threadIdx.x]);
    out->bfloats[2 * threadIdx.x] = __low2float(bfloats[threadIdx.x]);
    out->bfloats[2 * threadIdx.x + 1] = __high2float(bfloats[threadIdx.x]);
  }
}

void sums(Sums* out) {
  sums_kernel<<<1, 64>>>(out);
}

template <typename T>
__device__ void combine(T* out, int t) {
  atomicMin(&out[2], T(t - 32)), atomicMax(&out[3], T(t - 32));
  atomicAnd(&out[4], t % 8 == 5 ? ~T(4) : ~T(0));
  atomicOr(&out[5], T(1) << t % 20);
  atomicXor(&out[6], T(1) << t % 20);
  if (t == 63) out[8] = atomicExch(&out[7], T(t));
}

__global__ void words_kernel(unsigned long long* wide, int* ints, unsigned* small) {
  const int t = int(threadIdx.x);
  combine(wide, t);
  long long* const with_sign = reinterpret_cast<long long*>(wide) + 9;
  atomicMin(&with_sign[0], static_cast<long long>(t - 32));
  atomicMax_system(&with_sign[1], static_cast<long long>(t - 32));
  atomicAdd_system(&ints[0], t), atomicSub_block(&ints[1], t);
  atomicMin_block(&ints[2], t - 32), atomicMax_block(&ints[3], t - 32);
  atomicAnd_system(&ints[4], t % 8 == 5 ? ~4 : ~0), atomicOr_block(&ints[5], 1 << t % 20);
  atomicXor_system(&ints[6], 1 << t % 20);
  if (t == 63) ints[8] = atomicExch_block(&ints[7], t);
  atomicInc(&small[0], 9), atomicDec(&small[1], 6);
  atomicInc_block(&small[2], 9), atomicDec_system(&small[3], 6);
}

void words(unsigned long long* wide, int* ints, unsigned* small) {
  words_kernel<<<1, 64>>>(wide, ints, small);
}

template <typename T, typename Swap>
__device__ void count(T* where, Swap swap) {
  T seen = 0, expected;
  do {
    expected = seen;
    seen = swap(where, expected, T(expected + 1));
  } while (seen != expected);
}

__global__ void swaps_kernel(unsigned short* small, unsigned* word, unsigned long long* wide,
                             int* number) {
  count(small, [](auto* a, auto b, auto c) { return atomicCAS(a, b, c); });
  count(word, [](auto* a, auto b, auto c) { return atomicCAS_block(a, b, c); });
  count(wide, [](auto* a, auto b, auto c) { return atomicCAS_system(a, b, c); });
  count(number, [](auto* a, auto b, auto c) { return atomicCAS(a, b, c); });
}

void swaps(unsigned short* small, unsigned* word, unsigned long long* wide, int* number) {
  swaps_kernel<<<1, 64>>>(small, word, wide, number);
}

__global__ void mistake_kernel(Mistake which, float* in, float* out) {
  __shared__ int word;
  __shared__ float2 vector;
  const int t = int(threadIdx.x);
  switch (which) {
    case Mistake::kLoadBehind:
      out[t] = __ldg(in + t + 1);
      break;
    case Mistake::kStoreBehind:
      __stcs(out + t + 1, 2.0f);
      break;
    case Mistake::kMisaligned:
      if (t == 0) out[t] = __ldcs(reinterpret_cast<float4*>(in + 1)).x;
      break;
    case Mistake::kUninitialized:
      out[t] = __ldcg(out + t) + 1;
      break;
    case Mistake::kRace:
      if (t == 0) __stwt(out, 1.0f);
      if (t == 40) out[1] = __ldca(out);
      break;
    case Mistake::kAtomicBehind:
      if (t == 0) atomicAdd(reinterpret_cast<float4*>(out + 64), make_float4(1, 1, 1, 1));
      break;
    case Mistake::kAtomicShared:
      if (t == 0) {
        vector.x = vector.y = 0;
        atomicAdd(&vector, make_float2(1, 1));
      }
      break;
    case Mistake::kAtomicRace:
      if (t == 0) word = 0;
      __syncthreads();
      if (t == 0) atomicMin(&word, -1);
      if (t == 40) out[0] = float(word);
  }
}

void mistake(Mistake which, float* in, float* out) {
  mistake_kernel<<<1, 64>>>(which, in, out);
}

}  // namespace hints
