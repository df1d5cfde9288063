// TMA brings rows to shared memory, two ahead of the threads that add them up. Mbarriers tell that a row is
// there and that all have read it.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kThreads = 64, kLength = 256, kStages = 2, kRows = 9, kBytes = kLength * 4;

__device__ unsigned address(const void* shared) {
  return __cvta_generic_to_shared(shared);
}

__device__ void init(uint64_t* barrier, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(barrier)), "r"(count)
               : "memory");
}

__device__ void wait(uint64_t* barrier, int parity) {
  asm volatile(
      "{ .reg .pred p;\n"
      "again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
      "@!p bra again; }" ::"r"(address(barrier)),
      "r"(parity)
      : "memory");
}

__device__ void arrive(uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(barrier)) : "memory");
}

__device__ void load(float* to, const float* from, int bytes, uint64_t* barrier) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(barrier)),
               "r"(bytes)
               : "memory");
  asm volatile(  // the copy
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(address(to)),
      "l"(from), "r"(kBytes), "r"(address(barrier))
      : "memory");
}

__global__ void sum_kernel(const float* rows, float* sums) {
  __shared__ __align__(128) float tiles[kStages][kLength];
  __shared__ uint64_t full[kStages], empty[kStages];
  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) init(&full[s], 1), init(&empty[s], kThreads);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();  // the barriers are ready
  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) load(tiles[s], rows + s * kLength, kBytes, &full[s]);
  }
  float sum = 0;
  for (int row = 0; row < kRows; ++row) {
    const int s = row % kStages, parity = row / kStages % 2;
    wait(&full[s], parity);
    for (int i = threadIdx.x; i < kLength; i += kThreads) {
      sum += tiles[s][(i + 1) % kLength] * row;
    }
    arrive(&empty[s]);
    if (threadIdx.x == 0 && row + kStages < kRows) {
      wait(&empty[s], parity);
      load(tiles[s], rows + (row + kStages) * kLength, kBytes, &full[s]);
    }
  }
  sums[threadIdx.x] = sum;
}

int main() {
  std::vector<float> rows(kRows * kLength), sums(kThreads), expected(kThreads);
  for (int i = 0; i < kRows * kLength; ++i) rows[i] = float(i * 7 % 15);
  for (int i = 0; i < kRows * kLength; ++i) {
    expected[(i % kLength + kLength - 1) % kLength % kThreads] += rows[i] * (i / kLength);
  }
  float *d_rows, *d_sums;
  cudaMalloc(&d_rows, rows.size() * sizeof(float));
  cudaMalloc(&d_sums, kThreads * sizeof(float));
  cudaMemcpy(d_rows, rows.data(), rows.size() * sizeof(float), cudaMemcpyHostToDevice);
  sum_kernel<<<1, kThreads>>>(d_rows, d_sums);
  cudaMemcpy(sums.data(), d_sums, kThreads * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%s\n", sums == expected ? "right" : "wrong");
  cudaFree(d_rows);
  cudaFree(d_sums);
  return sums != expected;
}

// BUG too_few_bytes_expected
// - load(tiles[s], rows + (row + kStages) * kLength, kBytes, &full[s]);
// + load(tiles[s], rows + (row + kStages) * kLength, kBytes / 2, &full[s]);
// ! copies have brought 1024 of 512 bytes
// ^ wait(&full[s], parity);

// BUG too_many_bytes_expected
// - load(tiles[s], rows + (row + kStages) * kLength, kBytes, &full[s]);
// + load(tiles[s], rows + (row + kStages) * kLength, kBytes + 16, &full[s]);
// ! copies have brought 1024 of 1040 bytes

// BUG does_not_wait_for_the_row
// - wait(&full[s], parity);
// +
// ! tiles
// ! waited for
// @ sum += tiles[s][(i + 1) % kLength] * row;

// BUG filled_before_all_have_read
// - wait(&empty[s], parity);
// +
// ! reads tiles
// ! before its asynchronous copy has been waited for
// @ sum += tiles[s][(i + 1) % kLength] * row;
// ^ load(tiles[s], rows + (row + kStages) * kLength, kBytes, &full[s]);
// ? asm volatile(  // the copy

// BUG barriers_not_made_known
// - asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
// +
// ! with no fence.proxy.async since it was initialised
// @ asm volatile(  // the copy
// ^ for (int s = 0; s < kStages; ++s) load(tiles[s], rows + s * kLength, kBytes, &full[s]);

// BUG one_thread_does_not_arrive
// - arrive(&empty[s]);
// + if (threadIdx.x != 5) arrive(&empty[s]);
// ! cannot complete: 63 of 64 have arrived
// ^ wait(&empty[s], parity);

// BUG parity_of_the_first_round
// - wait(&full[s], parity);
// + wait(&full[s], 0);
// ! tiles
// @ sum += tiles[s][(i + 1) % kLength] * row;

// BUG initialised_without_a_barrier
// - __syncthreads();  // the barriers are ready
// +
// ! __syncthreads()

// BUG row_not_aligned
// - for (int s = 0; s < kStages; ++s) load(tiles[s], rows + s * kLength, kBytes, &full[s]);
// + for (int s = 0; s < kStages; ++s) load(tiles[s], rows + s * kLength + 1, kBytes, &full[s]);
// ! 4 bytes past a multiple of 16; size and address must be multiples of 16
// @ asm volatile(  // the copy
