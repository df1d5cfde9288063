#include "tests/runtime/vectors.h"

namespace runtime {

#define ALL_VECTORS(USE) \
  USE(char)              \
  USE(uchar)             \
  USE(short)             \
  USE(ushort) USE(int) USE(uint) USE(long) USE(ulong) USE(longlong) USE(ulonglong) USE(float)

std::vector<size_t> sizes_of_vectors() {
  std::vector<size_t> sizes;
#define ADD_SIZES(name)                                                                     \
  for (size_t size : {sizeof(name##1), alignof(name##1), sizeof(name##2), alignof(name##2), \
                      sizeof(name##3), alignof(name##3)})                                   \
    sizes.push_back(size);
  ALL_VECTORS(ADD_SIZES);
  ADD_SIZES(double);
#define ADD_FOUR(name) sizes.insert(sizes.end(), {sizeof(name), alignof(name)})
  ADD_FOUR(char4);
  ADD_FOUR(uchar4);
  ADD_FOUR(short4);
  ADD_FOUR(ushort4);
  ADD_FOUR(int4);
  ADD_FOUR(uint4);
  ADD_FOUR(float4);
  ADD_FOUR(long4_16a);
  ADD_FOUR(ulong4_32a);
  ADD_FOUR(longlong4_16a);
  ADD_FOUR(ulonglong4_32a);
  ADD_FOUR(double4_16a);

  ADD_FOUR(double4_32a);
  return sizes;
}

std::vector<double> sums_of_vectors() {
  std::vector<double> sums;
#define ADD_SUM(name)                                                                      \
  {                                                                                        \
    const name##1 a = make_##name##1(1);                                                   \
    name##2 b = make_##name##2(1, 2), b0 = {3};                                            \
    const name##3 c = make_##name##3(1, 2, 3), c0 = {3, 0, 0};                             \
    b.y += 1;                                                                              \
    sums.push_back(double(a.x + b.x + b.y + b0.x + b0.y + c.x + c.y + c.z + c0.x + c0.z)); \
  }
  ALL_VECTORS(ADD_SUM);
  ADD_SUM(double);
#define ADD_SUM4(name)                                                  \
  {                                                                     \
    name v = make_##name(1, 2, 3, 4), zero = {3};                       \
    const name copy = v;                                                \
    v.w = 5;                                                            \
    zero = v;                                                           \
    sums.push_back(double(copy.x + copy.y + copy.z + copy.w + zero.w)); \
  }
  ADD_SUM4(char4);
  ADD_SUM4(uchar4);
  ADD_SUM4(short4);
  ADD_SUM4(ushort4);
  ADD_SUM4(int4);
  ADD_SUM4(uint4);
  ADD_SUM4(float4);
  ADD_SUM4(long4_16a);
  ADD_SUM4(ulong4_16a);
  ADD_SUM4(long4_32a);
  ADD_SUM4(ulong4_32a);
  ADD_SUM4(longlong4_16a);
  ADD_SUM4(ulonglong4_16a);
  ADD_SUM4(longlong4_32a);
  ADD_SUM4(ulonglong4_32a);

  ADD_SUM4(double4_16a);
  ADD_SUM4(double4_32a);
  return sums;
}

template <typename T>
__global__ void copy_kernel(const T* in, T* out) {
  const T value = in[threadIdx.x];
  out[threadIdx.x] = value;
}

void copy_pixels(const uchar4* in, uchar4* out) {
  copy_kernel<uchar4><<<1, 32>>>(in, out);
}

void copy_quadruples(const longlong4_16a* in, longlong4_16a* out) {
  copy_kernel<longlong4_16a><<<1, 32>>>(in, out);
}

void copy_bytes(const char2* in, char2* out) {
  copy_kernel<char2><<<1, 32>>>(in, out);
}

void copy_shorts(const ushort4* in, ushort4* out) {
  copy_kernel<ushort4><<<1, 32>>>(in, out);
}

__global__ void misaligned_kernel(const unsigned char* in, uchar4* out) {
  out[threadIdx.x] = *reinterpret_cast<const uchar4*>(in + 4 * threadIdx.x + 1);
}

void copy_misaligned(const unsigned char* in, uchar4* out) {
  misaligned_kernel<<<1, 32>>>(in, out);
}

}  // namespace runtime
