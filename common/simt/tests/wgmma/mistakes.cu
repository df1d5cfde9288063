// ERROR marks the lines that must be reported, OTHER the other party's.
#include "tests/wgmma/mistakes.h"
#include "tests/wgmma/operands.h"

namespace wgmma {

using simt::ErrorKind;

__device__ void start(float (&d)[4], uint64_t a, uint64_t b, int add = 1) {
  asm volatile(  // ERROR start
      "{ .reg .pred p; setp.ne.b32 p, %6, 0;"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0; }"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "l"(a), "l"(b), "r"(add));
}
__device__ void start_wide(float (&d)[4], float (&e)[4], uint64_t a, uint64_t b) {
  asm volatile(  // ERROR wide
      "{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p, 1, 1, 0, 0; }"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(e[0]), "+f"(e[1]), "+f"(e[2]),
        "+f"(e[3])
      : "l"(a), "l"(b));
}
__device__ void fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ void commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int LATEST>
__device__ void wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LATEST) : "memory");  // ERROR wait
}
__device__ void store(const State& s, const float (&d)[4]) {
  const int row = s.warp * 16 + s.lane / 4, col = s.lane % 4 * 2;
  for (int i = 0; i < 4; ++i) {
    s.out[(row + i / 2 * 8) * 8 + col + i % 2] = d[i];
  }
}

// Two groups on two sets of registers, in turn.
__device__ void right(State s) {
  float d[4] = {}, e[4] = {};
  for (int i = 0; i < 3; ++i) {
    fence();
    start(d, s.a, s.b);
    start(d, s.a, s.b);
    commit();
    start(e, s.a, s.b, i != 0);
    commit();
    wait<1>();
    d[0] += 0;
    wait<0>();
  }
  for (int i = 0; i < 4; ++i) d[i] += e[i];
  store(s, d);
}

__device__ void no_fence(State s) {
  float d[4] = {};
  start(d, s.a, s.b);
  commit();
  wait<0>();
  store(s, d);
}
__device__ void written_after_fence(State s) {
  float d[4];
  fence();
  for (int i = 0; i < 4; ++i) d[i] = 0;  // OTHER written
  start(d, s.a, s.b);
  commit();
  wait<0>();
  store(s, d);
}
__device__ void used_without_fence(State s) {
  float d[4] = {};
  fence();
  start(d, s.a, s.b);
  commit();
  wait<0>();
  store(s, d);
  d[s.lane % 4] *= 2;  // OTHER used
  start(d, s.a, s.b);
  commit();
  wait<0>();
  store(s, d);
}
template <int LATEST, bool COMMIT>
__device__ void read_early(State s) {
  float d[4] = {}, e[4] = {};
  fence();
  start(e, s.a, s.b);
  commit();
  start(d, s.a, s.b);
  if (COMMIT) commit();
  wait<LATEST>();
  s.out[threadIdx.x] = d[2];  // ERROR early
}
__device__ void written_early(State s) {
  float d[4] = {};
  fence();
  start(d, s.a, s.b);
  commit();
  d[s.lane % 4] = 1;  // ERROR writes
  wait<0>();
  store(s, d);
}
__device__ void no_wait(State s) {
  float d[4] = {};
  fence();
  start(d, s.a, s.b);
  commit();
  s.out[threadIdx.x] = 0;
}
// In some threads otherwise than in the others: LANE, WARP or not at all.
enum Part { LANE, WARP };
template <Part PART>
__device__ bool differs(const State& s) {
  return PART == LANE ? s.lane == 5 : s.warp == 2;
}
template <Part PART>
__device__ void other_descriptor(State s) {
  float d[4] = {};
  fence();
  start(d, s.a + differs<PART>(s), s.b);
  commit();
  wait<0>();
  store(s, d);
}
template <Part PART>
__device__ void other_scale(State s) {
  float d[4] = {};
  fence();
  start(d, s.a, s.b, differs<PART>(s));
  commit();
  wait<0>();
  store(s, d);
}
template <Part PART>
__device__ void missing(State s) {
  float d[4] = {};
  fence();
  if (!differs<PART>(s)) start(d, s.a, s.b);
  commit();
  wait<0>();
  store(s, d);
}
template <Part PART>
__device__ void gone(State s) {
  if (differs<PART>(s)) return;
  right(s);
}
__device__ void other_line(State s) {
  float d[4] = {}, e[4] = {};
  fence();
  if (differs<WARP>(s)) {
    start(d, s.a, s.b);
  } else {
    start_wide(d, e, s.a, s.b);
  }
  commit();
  wait<0>();
  store(s, d);
}
template <Part PART>
__device__ void uncommitted(State s) {
  float d[4] = {};
  fence();
  start(d, s.a, s.b);
  if (!differs<PART>(s)) commit();
  wait<0>();
  store(s, d);
}
__device__ void other_shape(State s) {
  float d[4] = {}, e[4] = {};
  fence();
  start(d, s.a, s.b);
  start_wide(e, d, s.a, s.b);
  commit();
  wait<0>();
  store(s, d);
}
__device__ void not_local(State s) {
  __shared__ float d[128][4];
  fence();
  start(d[threadIdx.x], s.a, s.b);
  commit();
  wait<0>();
  store(s, d[threadIdx.x]);
}
__device__ void outside(State s) {
  s.b += 0x3000;
  right(s);
}

template <void (*WORK)(State)>
__global__ void kernel(float* out) {
  alignas(128) extern __shared__ Operands s[];
  const int thread = threadIdx.x;
  for (int i = thread; i < 64 * 16; i += blockDim.x) s->A[i] = half(float(i % 7));
  for (int i = thread; i < 16 * 16; i += blockDim.x) s->B[i] = half(float(i % 5));
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  WORK({descriptor(s->A), descriptor(s->B), thread / 32, thread % 32, out});
}

enum Count { GOOD, ODD, FEW, TOO_MANY, NOTHING_GIVEN_BACK, LESS_FOR_MORE, OF_A_WARP };
template <Count COUNT>
__global__ void registers_kernel(float* out) {
  const int group = threadIdx.x / 128;
  if (COUNT == ODD) asm volatile("setmaxnreg.dec.sync.aligned.u32 28;");  // ERROR odd
  if (COUNT == FEW) asm volatile("setmaxnreg.dec.sync.aligned.u32 16;");  // ERROR few
  if (group == 2) {
    if (COUNT != NOTHING_GIVEN_BACK && (COUNT != OF_A_WARP || threadIdx.x % 128 < 96)) {
      asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");  // ERROR less
    }
  } else if (COUNT == TOO_MANY) {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 248;");  // ERROR many
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");  // ERROR all
    if (COUNT == LESS_FOR_MORE) asm volatile("setmaxnreg.inc.sync.aligned.u32 200;");  // ERROR more
  }
  out[threadIdx.x] = 1;
}

template <void (*WORK)(State), int THREADS = 128>
void run(float* out) {
  kernel<WORK><<<1, THREADS, sizeof(Operands)>>>(out);
}
template <Count COUNT>
void run_registers(float* out) {
  registers_kernel<COUNT><<<1, 384>>>(out);
}

void run_right(float* out) {
  run<right>(out);
}
void run_right_registers(float* out) {
  run_registers<GOOD>(out);
}

const std::vector<Mistake>& mistakes() {
  constexpr auto EARLY = ErrorKind::AsyncNotWaited, APART = ErrorKind::WarpDivergence,
                 BAD = ErrorKind::BadArgument;
  const char *const start = "ERROR start", *const wait = "ERROR wait";
  static const std::vector<Mistake> all = {
      {run<no_fence>, EARLY, start, nullptr, "with no wgmma.fence before it"},
      {run<written_after_fence>, EARLY, start, "OTHER written", "no wgmma.fence since its"},
      {run<used_without_fence>, EARLY, start, "OTHER used", "no wgmma.fence since its"},
      {run<read_early<1, true>>, EARLY, "ERROR early", start, "reads a register of a wgmma"},
      {run<read_early<0, false>>, EARLY, "ERROR early", start, "reads a register of a wgmma"},
      {run<written_early>, EARLY, "ERROR writes", start, "writes a register of a wgmma"},
      {run<no_wait>, EARLY, start, nullptr, "exits without a wgmma.wait_group"},
      {run<other_descriptor<LANE>>, BAD, start, start, "of A to wgmma.mma_async than another lane"},
      {run<other_descriptor<WARP>>, BAD, start, start, "of A to wgmma.mma_async than another warp"},
      {run<other_scale<LANE>>, BAD, start, start, "scale-d to wgmma.mma_async than another lane"},
      {run<other_scale<WARP>>, BAD, start, start, "scale-d to wgmma.mma_async than another warp"},
      {run<missing<LANE>>, APART, wait, nullptr, "lane 5 of its warp has started 0 in 1 groups"},
      {run<missing<WARP>>, APART, wait, start, "where another warp of its warpgroup"},
      {run<gone<LANE>>, APART, wait, nullptr, "waits at wgmma.wait_group for lanes"},
      {run<gone<WARP>>, APART, start, nullptr, "threads 64 to 95 of its warpgroup never"},
      {run<other_line>, APART, start, "ERROR wide", "where another warp of its warpgroup"},
      {run<uncommitted<LANE>>, APART, wait, nullptr,
       "lane 5 of its warp has started 1 in 0 groups"},
      {run<uncommitted<WARP>>, EARLY, nullptr, start, "reads a register of a wgmma"},
      {run<other_shape>, EARLY, "ERROR wide", nullptr, "of another shape or in another order"},
      {run<not_local>, BAD, start, nullptr, "not local variables"},
      {run<outside>, ErrorKind::SharedOutOfBounds, start, nullptr, "descriptor of B leads outside"},
      {run<right, 96>, BAD, nullptr, nullptr, "in a warpgroup of 96 threads, which needs 128"},
      {run_registers<ODD>, BAD, "ERROR odd", nullptr, "passes 28 to setmaxnreg"},
      {run_registers<FEW>, BAD, "ERROR few", nullptr, "passes 16 to setmaxnreg"},
      {run_registers<TOO_MANY>, BAD, "ERROR many", nullptr, "waits for 248 registers for ever"},
      {run_registers<NOTHING_GIVEN_BACK>, BAD, "ERROR all", nullptr,
       "waits for 240 registers for ever"},
      {run_registers<LESS_FOR_MORE>, BAD, "ERROR more", nullptr,
       "to 200 registers, of which its warp has 240"},
      {run_registers<OF_A_WARP>, APART, "ERROR less", nullptr,
       "threads 352 to 383 of its warpgroup never"},
  };
  return all;
}

}  // namespace wgmma
