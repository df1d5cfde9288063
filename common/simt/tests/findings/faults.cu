#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstdlib>

#include "tests/findings/faults.h"

namespace faults {

// Block 2, thread 5 of 8 makes the mistake.
__device__ bool here() {
  return blockIdx.x == 2 && threadIdx.x == 5;
}

__global__ void divide_kernel(int* memory) {
  memory[blockIdx.x * 8 + threadIdx.x] = 17 / (memory[100] + !here());  // ERROR division
}

__global__ void abort_kernel(int*) {
  if (here()) {
    std::abort();  // ERROR abort
  }
}

__global__ void trap_kernel(int*) {
  if (here()) {
    __builtin_trap();  // ERROR trap
  }
}

__global__ void assert_kernel(int* memory) {
  assert(memory[100] == 0 && "memory is clear");  // holds
  assert(!here() || memory[100] == 1);  // ERROR assert
}

__device__ __attribute__((noinline)) int depth(const int* memory, int level) {
  return level < 0 ? 0 : depth(memory, level + memory[level % 16]) + 1;  // ERROR recursion
}

__global__ void recurse_kernel(int* memory) {
  if (here()) {
    memory[0] = depth(memory, 0);
  }
}

__global__ void call_kernel(int* memory, void (*function)(int*)) {
  if (here()) {
    function(memory);  // ERROR null
  }
}

__device__ int set_below(const int* memory, int i) {  // ERROR return
  for (; i < 100; ++i) {
    if (memory[i] > 0) {
      return i;
    }
  }
}

__global__ void no_return_kernel(int* memory) {
  memory[blockIdx.x * 8 + threadIdx.x] = here() ? set_below(memory, 0) : 0;
}

struct OfHost {
  int operator()(int x) const { return x + 1; }  // ERROR operator
};

template <typename F>
__global__ void apply_kernel(F f, int* memory) {
  if (here()) {
    memory[0] = f(3);
  }
}

__global__ void empty_loop_kernel(int* memory, int n) {
  while (n > 0) {  // ERROR empty
  }
  memory[threadIdx.x] = 1;
}

__global__ void barrier_loop_kernel(int* memory) {
  __shared__ int s[32];
  for (int k = 0; k < 10; k += memory[300]) {
    s[threadIdx.x] = memory[k + threadIdx.x];
    __syncthreads();
    if (s[31 - threadIdx.x] == 1) {
      return;
    }
    __syncthreads();  // ERROR loop
  }
}

template <int COUNT>
__global__ void large_kernel(int* memory, int n) {  // ERROR frame
  int values[COUNT];
  for (int i = 0; i < n; ++i) {
    values[i] = memory[100] + i;
  }
  memory[blockIdx.x * 64 + threadIdx.x] = n == 0 ? 0 : values[n - 1 - threadIdx.x];
}

template <void (*KERNEL)(int*)>
void three_blocks(int* memory) {
  KERNEL<<<3, 8>>>(memory);
}

void call_null(int* memory) {
  call_kernel<<<3, 8>>>(memory, nullptr);
}
void large(int* memory) {
  large_kernel<16 * 1024><<<1, 64>>>(memory, 16 * 1024);
}
void huge(int* memory) {
  large_kernel<512 * 1024><<<3, 8>>>(memory, 16);
}
void empty(int* memory) {
  empty_loop_kernel<<<1, 8>>>(memory, 1);
}
void apply(int* memory) {
  apply_kernel<<<3, 8>>>(OfHost(), memory);
}
void apply_lambda(int* memory) {
  apply_kernel<<<3, 8>>>([](int x) { return x + 1; }, memory);  // ERROR lambda
}
void loop(int* memory) {
  barrier_loop_kernel<<<3, 32>>>(memory);
}

const Run divides_by_zero = three_blocks<divide_kernel>;
const Run aborts = three_blocks<abort_kernel>;
const Run asserts = three_blocks<assert_kernel>;
const Run traps = three_blocks<trap_kernel>;
const Run recurses = three_blocks<recurse_kernel>;
const Run calls_null = call_null;
const Run large_local_array = large;
const Run huge_local_array = huge;
const Run barrier_loop = loop;
const Run empty_loop = empty;
const Run applies_of_host = apply;
const Run applies_lambda = apply_lambda;
const Run misses_return = three_blocks<no_return_kernel>;

template <int THREADS>
__global__ void __launch_bounds__(2 * THREADS, 3) bounded_kernel() {}

void bounded(unsigned threads) {
  bounded_kernel<32><<<1, threads>>>();
}

__global__ void static_kernel(int n) {
  __shared__ float a[4096], b[4096];
  extern __shared__ float c[];
  a[n] = a[n + 1] = b[n] = c[n] = 1;
  __syncthreads();
  if (a[n + 1] != 0) {
    c[n] = a[n] + b[n] + c[n];
  }
}

void with_static(size_t dynamic) {
  static_kernel<<<1, 1, dynamic>>>(0);
}
cudaError_t allow_with_static(int dynamic) {
  return cudaFuncSetAttribute(static_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, dynamic);
}

template <int NUMBER>
__device__ int one_function(int x) {
  __shared__ int a[8192];
  a[x] = NUMBER;
  __syncthreads();
  return a[x];
}

__global__ void two_functions_kernel(int* memory) {
  memory[1] = one_function<1>(memory[0]) + one_function<2>(memory[0]);
}

void two_functions(int* memory) {
  two_functions_kernel<<<1, 1>>>(memory);
}

__global__ void print_kernel() {
  printf("block %d thread %d\n", int(blockIdx.x), int(threadIdx.x));
  __syncthreads();
  if (threadIdx.x == 39) {
    std::printf("after\n");
  }
}

void prints() {
  print_kernel<<<3, 40>>>();
  std::printf("%s\n", "host");
}

__global__ void touch_kernel(int* memory) {
  memory[threadIdx.x] += 1;  // ERROR freed
}

const Run touches = [](int* memory) { touch_kernel<<<1, 32>>>(memory); };

__global__ void private_kernel(int* memory) {
  int own[8] = {};
  for (int i = 0; i < 8; ++i) {
    own[(memory[i] + i) % 8] += memory[8 + i];
  }
  __syncthreads();
  memory[threadIdx.x] = own[threadIdx.x];
}

const Run has_nothing_in_common = [](int* memory) { private_kernel<<<1, 8>>>(memory); };

int host_reads(const int* memory) {
  int sum = 1;
  sum += memory[5];  // ERROR host
  return sum;
}

void launches_nothing() {
  print_kernel<<<0, 32>>>();
}

int start() {
  return std::atoi("40");
}

int counted_calls() {
  static int first = start();
  static std::atomic<int> calls{0};
  static std::atomic<long> large{7};
  static std::atomic<unsigned char> small{0};
  ++first;
  small.store(static_cast<unsigned char>(calls.fetch_add(1)));
  long expected = 7;
  return large.compare_exchange_strong(expected, 7) && small == calls - 1 ? first + calls : -1;
}

}  // namespace faults
