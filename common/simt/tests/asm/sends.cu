// ERROR marks the lines that must be reported.
#include <cuda_runtime.h>

#include "tests/asm/sends.h"

namespace sends {

__device__ uint32_t shared(const void* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ void init(uint64_t& barrier, int count) {
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared(&barrier)), "r"(count));
    asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async;" ::: "memory");
  }
  __syncthreads();
}

// As CUTLASS waits.
__device__ void wait(const uint64_t& barrier, uint32_t parity) {
  asm volatile(
      "{\n"
      ".reg .pred       P1;\n"
      "LAB_WAIT: \n"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1, %2;\n"  // with a hint of its time
      "@P1 bra DONE;\n"
      "bra     LAB_WAIT;\n"
      "DONE: \n"
      "}" ::"r"(shared(&barrier)),
      "r"(parity), "r"(0x989680)
      : "memory");
}

template <Copy HOW>
__global__ void copy_kernel(const float4* from, float4* to) {
  alignas(16) __shared__ float4 s[THREADS * 2];
  __shared__ uint64_t full;
  const int t = threadIdx.x;
  uint64_t policy;
  init(full, HOW == Copy::NotCounted ? THREADS + 1 : THREADS);
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0;" : "=l"(policy));
  asm volatile("cp.async.cg.shared::cta.global.L2::cache_hint.L2::128B [%0], [%1], 16, %2;" ::"r"(
                   shared(&s[t])),
               "l"(from + t), "l"(policy)
               : "memory");
  asm volatile(
      "{ .reg .pred p; setp.ne.b32 p, %2, 0; cp.async.ca.shared.global [%0], [%1], 16, p; }" ::"r"(
          shared(&s[THREADS + t])),
      "l"(from + THREADS + t), "r"(t % 2)
      : "memory");
  if (HOW == Copy::OwnUnwaited) {
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared(&full)));
    to[t] = s[t];  // ERROR own
    wait(full, 0);
    return;
  }
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared(&full)));
  if (HOW != Copy::Unwaited) wait(full, 0);  // never over: ERROR missing
  to[t] = s[t ^ 1];  // ERROR unwaited
  to[THREADS + t] = s[THREADS + (t ^ 1)];
  if (HOW == Copy::Unwaited) wait(full, 0);
}

void copy(Copy how, const float4* from, float4* to) {
  switch (how) {
    case Copy::Right:
      copy_kernel<Copy::Right><<<1, THREADS>>>(from, to);
      break;
    case Copy::Unwaited:
      copy_kernel<Copy::Unwaited><<<1, THREADS>>>(from, to);
      break;
    case Copy::NotCounted:
      copy_kernel<Copy::NotCounted><<<1, THREADS>>>(from, to);
      break;
    default:
      copy_kernel<Copy::OwnUnwaited><<<1, THREADS>>>(from, to);
      break;
  }
}

template <Send HOW>
__global__ void __cluster_dims__(2) send_kernel(const uint32_t* from, uint32_t* to) {
  constexpr bool ROW = HOW == Send::Row || HOW == Send::RowUnwaited || HOW == Send::RowUnfenced;
  constexpr bool UNWAITED = HOW == Send::RowUnwaited || HOW == Send::StoresUnwaited;
  alignas(128) __shared__ uint32_t mine[THREADS * 4], theirs[THREADS * 4];
  __shared__ uint64_t full;
  const int t = threadIdx.x, first = (blockIdx.x * THREADS + t) * 4;
  uint32_t rank, there, barrier;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  init(full, 1);
  for (int i = 0; i < 4; ++i) mine[t * 4 + i] = from[first + i];
  if (t == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared(&full)),
                 "r"(THREADS * 16));
  }
  if (HOW != Send::RowUnfenced) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("barrier.cluster.arrive.release.aligned;\n barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared(theirs)), "r"(rank ^ 1));
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(barrier) : "r"(shared(&full)), "r"(rank ^ 1));
  if (!ROW) {
    there += t * 16 + (HOW == Send::StoresMisaligned ? 4 : 0);
    asm volatile(  // ERROR misaligned
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, "
        "[%5];" ::"r"(there),
        "r"(mine[t * 4]), "r"(mine[t * 4 + 1]), "r"(mine[t * 4 + 2]), "r"(mine[t * 4 + 3]),
        "r"(barrier)
        : "memory");
  } else if (t == 0) {
    asm volatile(  // ERROR unfenced
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, "
        "[%3];" ::"r"(there),
        "r"(shared(mine)), "r"(THREADS * 16), "r"(barrier)
        : "memory");
  }
  if (!UNWAITED) wait(full, 0);
  for (int i = 0; i < 4; ++i) to[first + i] = theirs[t * 4 + i];  // ERROR read
  if (UNWAITED) wait(full, 0);
  asm volatile("barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;" ::
                   : "memory");
}

void send(Send how, const uint32_t* from, uint32_t* to) {
  switch (how) {
#define SEND_CASE(name)                                \
  case Send::name:                                     \
    send_kernel<Send::name><<<2, THREADS>>>(from, to); \
    break;
    SEND_CASE(Stores)
    SEND_CASE(Row)
    SEND_CASE(StoresUnwaited)
    SEND_CASE(RowUnwaited)
    SEND_CASE(RowUnfenced)
    SEND_CASE(StoresMisaligned)
  }
}

template <Reduce HOW>
__global__ void reduce_kernel(void* to, const __grid_constant__ CUtensorMap map) {
  constexpr bool HALVES = HOW == Reduce::Halves;
  alignas(128) __shared__ uint32_t s[64];
  const int t = threadIdx.x;
  if (HALVES) {
    reinterpret_cast<uint16_t*>(s)[t] = 0x3c00;
  } else if (HOW == Reduce::Floats || HOW == Reduce::Box) {
    reinterpret_cast<float*>(s)[t] = float(t);
  } else {
    s[t] = HOW == Reduce::Max ? t * (blockIdx.x + 1) : t;
  }
  if (HOW != Reduce::Unfenced) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t != 0) return;
  const uint32_t from = shared(s);
  if (HOW == Reduce::Floats) {
    asm volatile(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(to),
        "r"(from), "r"(256));
  } else if (HALVES) {
    asm volatile(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%0], [%1], 128;" ::"l"(
            to),
        "r"(from));
  } else if (HOW == Reduce::Max) {
    asm volatile(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u32 [%0], [%1], 256;" ::"l"(to),
        "r"(from));
  } else if (HOW == Reduce::Box) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map));
    asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global [%0, {%1, %2}];" ::"l"(&map), "r"(0),
                 "r"(0));
    asm volatile(
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%0, {%1, %2}], [%3];" ::
            "l"(&map),
        "r"(0), "r"(1), "r"(from));
  } else {
    asm volatile(  // ERROR reduce
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.L2::cache_hint.s32 [%0], [%1], "
        "256, %2;" ::"l"(to),
        "r"(from), "l"(uint64_t(0)));
  }
  asm volatile("cp.async.bulk.commit_group;");
  if (HOW != Reduce::Unwaited) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

void reduce(Reduce how, void* to, const CUtensorMap& map) {
  switch (how) {
#define REDUCE_CASE(name)                            \
  case Reduce::name:                                 \
    reduce_kernel<Reduce::name><<<4, 64>>>(to, map); \
    break;
    REDUCE_CASE(Words)
    REDUCE_CASE(Floats)
    REDUCE_CASE(Halves)
    REDUCE_CASE(Max)
    REDUCE_CASE(Box)
    REDUCE_CASE(Unwaited)
    REDUCE_CASE(Unfenced)
  }
}

__global__ void arrive_kernel(uint32_t* to) {
  __shared__ uint64_t barrier;
  __shared__ uint32_t s[THREADS], later[THREADS];
  const int t = threadIdx.x;
  const uint32_t address = shared(&barrier);
  init(barrier, THREADS);
  s[t] = t;
  uint64_t state;
  if (t % 4 == 0) {
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1];"
                 : "=l"(state)
                 : "r"(address));
  } else if (t % 4 == 1) {
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 1;" : "=l"(state) : "r"(address));
  } else if (t % 4 == 2) {
    asm volatile("mbarrier.arrive.noComplete.release.cta.shared::cta.b64 %0, [%1], 1;"
                 : "=l"(state)
                 : "r"(address));
  } else {
    asm volatile("mbarrier.arrive_drop.release.cta.shared::cta.b64 _, [%0];" ::"r"(address));
  }
  wait(barrier, 0);
  to[t] = s[t ^ 1];
  // A quarter comes no more.
  if (t % 4 != 3) {
    later[t] = 100 + t;
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address));
    asm volatile(
        "{\n.reg .pred p;\n$W_%=:\nmbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%0], "
        "1;\n"
        "@!p bra.uni $W_%=;\n}" ::"r"(address)
        : "memory");
    to[THREADS + t] = later[(t / 4 * 4 + 4) % THREADS];
  }
}

void arrive(uint32_t* to) {
  arrive_kernel<<<1, THREADS>>>(to);
}

}  // namespace sends
