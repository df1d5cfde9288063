// Warps fetch pieces of work of different size from a queue; lanes of a warp share what they read by __syncwarp.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kWarps = 2, kPieces = 41;

__global__ void work_kernel(const int* lengths, int* next, int* sums) {
  __shared__ int parts[kWarps][32], piece_of[kWarps];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  while (true) {
    if (lane == 0) piece_of[warp] = atomicAdd(next, 1);
    __syncwarp();  // all lanes know their piece
    const int piece = piece_of[warp];
    if (piece >= kPieces) break;
    int sum = 0;
    for (int i = lane; i < lengths[piece]; i += 32) sum += i;
    parts[warp][lane] = sum;
    __syncwarp();  // the parts are there
    if (lane == 0) {
      int total = 0;
      for (int part : parts[warp]) total += part;
      sums[piece] = total;
    }  // before the others write parts anew, they wait for lane 0 above
  }
}

int main() {
  std::vector<int> lengths(kPieces), sums(kPieces), expected(kPieces);
  for (int i = 0; i < kPieces; ++i) {
    lengths[i] = i * 11 % 90;
    expected[i] = lengths[i] * (lengths[i] - 1) / 2;
  }
  int *d_lengths, *d_next, *d_sums;
  cudaMalloc(&d_lengths, kPieces * sizeof(int));
  cudaMalloc(&d_next, sizeof(int));
  cudaMalloc(&d_sums, kPieces * sizeof(int));
  cudaMemcpy(d_lengths, lengths.data(), kPieces * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_next, 0, sizeof(int));
  work_kernel<<<3, 32 * kWarps>>>(d_lengths, d_next, d_sums);
  cudaMemcpy(sums.data(), d_sums, kPieces * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s\n", sums == expected ? "right" : "wrong");
  cudaFree(d_lengths);
  cudaFree(d_next);
  cudaFree(d_sums);
  return sums != expected;
}

// BUG no_syncwarp_behind_the_queue
// - __syncwarp();  // all lanes know their piece
// +
// ! with no __syncthreads() or __syncwarp() since another thread wrote it
// @ const int piece = piece_of[warp];

// BUG no_syncwarp_behind_the_parts
// - __syncwarp();  // the parts are there
// +
// ! do not arrive
// ? for (int part : parts[warp]) total += part;

// BUG block_barrier_in_the_loop
// - __syncwarp();  // the parts are there
// + __syncthreads();  // the parts are there
// ! __syncthreads()
// @ // the parts are there

// BUG half_of_the_mask
// - __syncwarp();  // the parts are there
// + __syncwarp(0x0000ffffu);  // the parts are there
// ! calls __syncwarp() with the mask 0x0000ffff, which lacks its own lane
// @ // the parts are there

// BUG one_queue_for_both_warps
// - piece_of[warp] = atomicAdd(next, 1);
// + piece_of[0] = atomicAdd(next, 1);
// - piece_of[warp];
// + piece_of[0];
// ! reads piece_of
// ! with no __syncthreads() since another thread wrote it
// @ const int piece = piece_of[0];
