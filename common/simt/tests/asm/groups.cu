#include <cuda_runtime.h>

#include "tests/asm/groups.h"

namespace groups {

// Eight rows of 16 bytes lie together; the other half of K follows 128 bytes on, and then the next eight rows.
__device__ uint64_t descriptor(const void* matrix, bool generic) {
  const uint64_t address =
      generic ? reinterpret_cast<uint64_t>(matrix) : uint64_t(__cvta_generic_to_shared(matrix));
  return (address & 0x3ffff) >> 4 | uint64_t(8) << 16 | uint64_t(16) << 32;
}

#define PRODUCT(types, a, ...)                                                                   \
  asm volatile(                                                                                  \
      "{ .reg .pred p; setp.ne.b32 p, 1, 0;\n wgmma.mma_async.sync.aligned.m64n16k32.s32." types \
      " {%0, %1, %2, %3, %4, %5, %6, %7}, " a ", p; }"                                           \
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]),      \
        "+r"(d[7])                                                                               \
      : __VA_ARGS__)

__global__ void multiply_kernel(Task t) {
  alignas(128) __shared__ int8_t a[64 * 32], b[16 * 32];
  const int thread = threadIdx.x, row = thread / 32 * 16 + thread % 32 / 4, col = thread % 4 * 2;
  const auto place = [](int line, int k) {
    return line / 8 * 256 + k / 16 * 128 + line % 8 * 16 + k % 16;
  };
  for (int i = thread; i < 64 * 32; i += 128) a[place(i / 32, i % 32)] = t.a[i];
  for (int i = thread; i < 16 * 32; i += 128) b[place(i / 32, i % 32)] = t.b[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  uint32_t r[4], d[8];
  for (int i = 0; i < 4; ++i) {
    r[i] = *reinterpret_cast<const uint32_t*>(
        &t.a[(row + i % 2 * 8) * 32 + i / 2 * 16 + thread % 4 * 4]);
  }
  for (int i = 0; i < 8; ++i) {
    d[i] = uint32_t(t.d[(row + i / 2 % 2 * 8) * 16 + i / 4 * 8 + col + i % 2]);
  }
  const uint64_t da = descriptor(a, t.generic), db = descriptor(b, t.generic);
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  if (t.registers) {
    PRODUCT("s8.s8", "{%8, %9, %10, %11}, %12", "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]),
            "l"(db));
  } else if (t.unsigned_a) {
    PRODUCT("u8.s8", "%8, %9", "l"(da), "l"(db));
  } else {
    PRODUCT("s8.s8", "%8, %9", "l"(da), "l"(db));
  }
  asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 8; ++i) {
    t.d[(row + i / 2 % 2 * 8) * 16 + i / 4 * 8 + col + i % 2] = int32_t(d[i]);
  }
}

void multiply(const Task& task) {
  multiply_kernel<<<1, 128>>>(task);
}

}  // namespace groups
