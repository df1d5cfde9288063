// Blocks that add to a sum one after another, in the order in which they drew a ticket.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int tickets, serving;
__device__ volatile int turn;
__device__ int sum, product = 1;

__global__ void add() {
  if (threadIdx.x != 0) return;
  const int mine = atomicAdd(&tickets, 1);
  while (atomicAdd(&serving, 0) != mine) {
  }
  __threadfence();
  sum += blockIdx.x;
  __threadfence();
  atomicAdd(&serving, 1);
}

__global__ void multiply(int first) {
  if (threadIdx.x != 0) return;
  const int mine = atomicAdd(&tickets, 1) - first;
  while (turn != mine) {
  }
  __threadfence();
  product *= blockIdx.x + 1;
  __threadfence();
  turn = mine + 1;
}

int main() {
  add<<<6, 64>>>();
  multiply<<<6, 64>>>(6);
  int sums = 0, products = 0;
  cudaMemcpyFromSymbol(&sums, sum, sizeof sums);
  if (cudaMemcpyFromSymbol(&products, product, sizeof products) != cudaSuccess) return 2;
  std::printf("%d %d\n", sums, products);
  return sums != 15 || products != 720;
}

// BUG no_wait
// -   while (atomicAdd(&serving, 0) != mine) {
// -   }
// +   if (mine < 0) return;
// ! stores 4 bytes at offset 0 of the variable sum
// @ sum += blockIdx.x;

// BUG no_turn
// -   while (turn != mine) {
// -   }
// +   if (mine < 0) return;
// ! the variable product
// @ product *= blockIdx.x + 1;
