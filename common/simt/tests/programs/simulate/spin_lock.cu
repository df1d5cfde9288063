// A lock by atomicCAS and atomicExch: one thread of each block adds to two numbers that belong together.
#include <cuda_runtime.h>

#include <cstdio>

struct Account {
  int lock, sum, entries;
};

__global__ void deposit_kernel(Account* account) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&account->lock, 0, 1) != 0) {
  }
  __threadfence();
  const int old = account->sum;
  account->sum = old + int(blockIdx.x) + 1;
  account->entries += 1;
  __threadfence();
  atomicExch(&account->lock, 0);
}

int main() {
  const int blocks = 5;
  Account *d_account, account;
  cudaMalloc(&d_account, sizeof(Account));
  cudaMemset(d_account, 0, sizeof(Account));
  deposit_kernel<<<blocks, 32>>>(d_account);
  cudaMemcpy(&account, d_account, sizeof(Account), cudaMemcpyDeviceToHost);
  std::printf("%d in %d entries\n", account.sum, account.entries);
  cudaFree(d_account);
  return account.sum != blocks * (blocks + 1) / 2 || account.entries != blocks;
}

// BUG no_lock
// - while (atomicCAS(&account->lock, 0, 1) != 0) {
// - }
// - __threadfence();
// +
// ! which another thread stores as well
// @ account->sum = old + int(blockIdx.x) + 1;

// BUG never_unlocked
// - atomicExch(&account->lock, 0);
// +
// ! endless loop
// @ while (atomicCAS(&account->lock, 0, 1) != 0) {

// BUG lock_not_cleared
// - cudaMemset(d_account, 0, sizeof(Account));
// +
// ! which no copy and no earlier launch has initialised
// @ while (atomicCAS(&account->lock, 0, 1) != 0) {

// MISSED unlocked_too_early
// - account->entries += 1;
// - __threadfence();
// - atomicExch(&account->lock, 0);
// + __threadfence();
// + atomicExch(&account->lock, 0);
// + account->entries += 1;
// ! another
// @ account->entries += 1;
