// ERROR and OTHER mark the lines that must be reported.
#include <cuda_awbarrier_primitives.h>

#include "tests/bulk/bulk.h"

namespace bulk {

constexpr int THREADS = 64, BYTES = 16384;

__device__ unsigned address(const void* pointer) {
  return unsigned(__cvta_generic_to_shared(pointer));
}

// Whether byte i of shared memory belongs to a row, and does not lie between two of them.
__device__ bool in_row(int i, Rows rows) {
  return (i ^ (i >> 3 & (rows.swizzle - 1) & 0x70)) % rows.swizzle < rows.width;
}

__device__ void wait(__mbarrier_t& barrier, int parity) {
  asm volatile(  // ERROR wait
      "{ .reg .pred p;\n"
      "again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
      "@!p bra again; }" ::"r"(address(&barrier)),
      "r"(parity)
      : "memory");
}

__device__ void load_box(const CUtensorMap* map, int row, int col, unsigned to, unsigned barrier) {
  asm volatile(  // ERROR copy
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),
      "l"(map), "r"(col), "r"(row), "r"(barrier)
      : "memory");
}

__device__ void expect(__mbarrier_t& barrier, int bytes) {
  asm volatile(  // ERROR expect
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(&barrier)), "r"(bytes)
      : "memory");
}

__global__ void load_kernel(const __grid_constant__ CUtensorMap map, int row, int col, int bytes,
                            unsigned char* to, Mistake mistake, Rows rows) {
  alignas(1024) extern __shared__ unsigned char box[];
  __shared__ __mbarrier_t full, other;
  __shared__ CUtensorMap none;
  const auto is = [&](Mistake m) { return m == mistake; };
  const int t = threadIdx.x;
  if (t == 0) {
    __mbarrier_init(&full, 1);  // OTHER init
    __mbarrier_init(&other, 1);
    none = CUtensorMap();
    if (!is(Mistake::NoFence)) asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
  if (t == 0) {
    const int told = is(Mistake::TooMany) ? bytes + 16 : bytes;
    if (is(Mistake::ArriveOnly)) {
      __mbarrier_arrive(&full);
    } else if (is(Mistake::NoArrival)) {
      asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(address(&full)),
                   "r"(told)
                   : "memory");
    } else {
      expect(full, told);
    }
    const unsigned at = is(Mistake::Misaligned)      ? address(box) + 16
                        : is(Mistake::OutsideShared) ? address(box) + BYTES - bytes + 1024
                                                     : address(box);
    const unsigned barrier = is(Mistake::NoBarrier) ? address(box) + 8192 : address(&full);
    const CUtensorMap* const used = is(Mistake::NoMap) ? &none : &map;
    if (is(Mistake::TooFew)) {  // in two halves
      load_box(used, row, col, at, barrier);
      load_box(used, row, col, at + bytes, barrier);
    } else if (is(Mistake::OtherRank)) {
      asm volatile(  // ERROR rank
          "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes "
          "[%0], [%1, {%2}], [%3];" ::"r"(at),
          "l"(used), "r"(col), "r"(barrier)
          : "memory");
    } else {
      load_box(used, row, col, at, barrier);
    }
    if (is(Mistake::Inval)) __mbarrier_inval(&full);  // ERROR inval
    if (is(Mistake::OtherBarrier)) __mbarrier_arrive(&other);
  }
  const bool waits = !is(Mistake::NoWait) && !is(Mistake::Unwaited);
  if (waits) wait(is(Mistake::OtherBarrier) ? other : full, is(Mistake::WrongParity) ? 1 : 0);
  if (!is(Mistake::Unwaited)) {
    const int room = bytes / rows.width * rows.swizzle;
    for (int i = t; i < room; i += THREADS) {
      if (in_row(i, rows)) to[i] = box[i];  // ERROR read
    }
  }
  if (is(Mistake::Refill) && t == THREADS - 1) {
    expect(full, bytes);
    load_box(&map, row, col, address(box), address(&full));
  }
  if (is(Mistake::Refill)) wait(full, 1);
}

__global__ void load_row_kernel(const unsigned char* from, int bytes, unsigned char* to) {
  alignas(16) __shared__ unsigned char row[1024];
  __shared__ __mbarrier_t full;
  const int t = threadIdx.x;
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(&full)), "r"(1));
    asm volatile("fence.proxy.async;" ::: "memory");
    expect(full, bytes);
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(address(row)),
        "l"(from), "r"(bytes), "r"(address(&full))
        : "memory");
  }
  __syncthreads();
  wait(full, 0);
  for (int i = t; i < bytes; i += THREADS) to[i] = row[i];
}

__global__ void store_kernel(const __grid_constant__ CUtensorMap map, int row, int col, int bytes,
                             Mistake mistake, Rows rows) {
  alignas(1024) extern __shared__ unsigned char box[];
  const int t = threadIdx.x;
  for (int i = t; i < bytes / rows.width * rows.swizzle; i += THREADS) {
    if (in_row(i, rows)) box[i] = (unsigned char)i;  // OTHER write
  }
  if (mistake != Mistake::StoreUnfenced) {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  if (mistake != Mistake::StoreUnsynced) __syncthreads();
  if (t == THREADS - 1) {
    asm volatile(  // ERROR store
        "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
        "r"(col), "r"(row), "r"(address(box))
        : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    if (mistake == Mistake::StoreOverwritten) box[t] = 1;  // OTHER overwritten
    if (mistake == Mistake::StoreUnwaited) return;
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    box[t] = 1;
  }
}

__global__ void store_row_kernel(unsigned char* to, int bytes) {
  alignas(16) __shared__ unsigned char row[1024];
  const int t = threadIdx.x;
  for (int i = t; i < bytes; i += THREADS) row[i] = (unsigned char)i;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                 "r"(address(row)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group %0;" ::"n"(0) : "memory");
  }
}

struct Maps {
  CUtensorMap none, of;
};

__device__ void slices(const CUtensorMap& map, const float* matrix, float* seen, Mistake mistake) {
  alignas(1024) __shared__ float slices[2][8][32];
  const bool behind = mistake == Mistake::SliceUnsyncedBehind;
  const int lane = threadIdx.x, asks = behind ? 30 : 0;  // here 30 is the first to go on
  const int row0 = blockIdx.x * 8;
  for (int n = 0; n < 4; ++n) {
    float(*to)[32] = slices[n % 2];
    if (lane == asks && mistake != Mistake::SliceTooSoon) {
      asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    } else if (lane == asks) {
      asm volatile("cp.async.bulk.wait_group.read 2;" ::: "memory");
    }
    if (mistake != Mistake::SliceUnsynced && !behind) __syncwarp();
    for (int r = 0; r < 8; ++r) {
      to[r][lane ^ r * 4] = float((row0 + r) * 128 + n * 32 + lane);  // OTHER slice
    }
    if (mistake != Mistake::SliceUnfenced) {
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncwarp();
    if (lane == asks) {
      asm volatile(  // ERROR slice
          "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
          "cp.async.bulk.commit_group;" ::"l"(&map),
          "r"(n * 32), "r"(row0), "r"(address(to))
          : "memory");
    }
  }
  if (lane == asks) {
    if (mistake == Mistake::SliceOnlyRead) {
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    } else {
      asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
    seen[blockIdx.x] = matrix[(row0 + 8) * 128 - 1];
  }
}

__global__ void slices_kernel(const __grid_constant__ Maps maps, const float* matrix, float* seen,
                              Mistake mistake) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&maps.of) : "memory");
  if (mistake != Mistake::SliceEarly) asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;");
  slices(maps.of, matrix, seen, mistake);
}

__global__ void own_map_kernel(Maps maps, const float* matrix, float* seen) {
  slices(maps.of, matrix, seen, Mistake::None);
}

void store_slices(const CUtensorMap& map, const float* matrix, float* seen, Mistake mistake) {
  const Maps maps{{}, map};
  if (mistake == Mistake::SliceOwnMap) {
    own_map_kernel<<<BLOCKS, 32>>>(maps, matrix, seen);
  } else {
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    const cudaLaunchConfig_t config{BLOCKS, 32, 0, nullptr, &early, 1};
    cudaLaunchKernelEx(&config, slices_kernel, maps, matrix, seen, mistake);
  }
}

void load(const CUtensorMap& map, int row, int col, int bytes, unsigned char* to, Mistake mistake,
          Rows rows) {
  load_kernel<<<1, THREADS, BYTES>>>(map, row, col, bytes, to, mistake, rows);
}
void load_row(const unsigned char* from, int bytes, unsigned char* to) {
  load_row_kernel<<<1, THREADS>>>(from, bytes, to);
}
void store(const CUtensorMap& map, int row, int col, int bytes, Mistake mistake, Rows rows) {
  store_kernel<<<1, THREADS, BYTES>>>(map, row, col, bytes, mistake, rows);
}
void store_row(unsigned char* to, int bytes) {
  store_row_kernel<<<1, THREADS>>>(to, bytes);
}

}  // namespace bulk
