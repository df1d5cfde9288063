// Structures of 4, 8 and 16 bytes with padding, in shared memory. A copy of one looks like the copy of a vector.
#include <cuda_runtime.h>

#include <cstdio>

struct Ranked {
  float value;
  short rank;  // two bytes of padding follow
};

struct Counted {
  int count;
  char kind;  // three bytes of padding follow
};

struct Mark {
  short place;
  char kind;  // one byte of padding follows
};

struct Sum {
  double total;
  int parts;  // four bytes of padding follow
};

__global__ void reverse_kernel(Ranked* ranked, Counted* counted, Mark* marks, Sum* sums) {
  __shared__ Ranked some_ranked[2][16];
  __shared__ Counted some_counted[32];
  __shared__ Mark some_marks[32];
  __shared__ Sum some_sums[32];
  const int t = threadIdx.x;
  some_ranked[t / 16][t % 16].value = float(t);
  some_ranked[t / 16][t % 16].rank = short(t);
  some_counted[t].count = t;
  some_counted[t].kind = 'c';
  some_marks[t].place = short(t);
  some_marks[t].kind = 'm';
  some_sums[t].total = t;
  some_sums[t].parts = t;
  __syncthreads();
  ranked[t] = some_ranked[1 - t / 16][15 - t % 16];
  counted[t] = some_counted[31 - t];
  marks[t] = some_marks[31 - t];
  sums[t] = some_sums[31 - t];
}

int main() {
  Ranked ranked[32], *d_ranked;
  Counted counted[32], *d_counted;
  Mark marks[32], *d_marks;
  Sum sums[32], *d_sums;
  cudaMalloc(&d_ranked, sizeof ranked);
  cudaMalloc(&d_counted, sizeof counted);
  cudaMalloc(&d_marks, sizeof marks);
  cudaMalloc(&d_sums, sizeof sums);
  reverse_kernel<<<1, 32>>>(d_ranked, d_counted, d_marks, d_sums);
  cudaMemcpy(ranked, d_ranked, sizeof ranked, cudaMemcpyDeviceToHost);
  cudaMemcpy(counted, d_counted, sizeof counted, cudaMemcpyDeviceToHost);
  cudaMemcpy(marks, d_marks, sizeof marks, cudaMemcpyDeviceToHost);
  if (cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  bool right = true;
  for (int i = 0; i < 32; ++i) {
    right = right && ranked[i].value == float(31 - i) && ranked[i].rank == 31 - i &&
            counted[i].count == 31 - i && counted[i].kind == 'c' && marks[i].place == 31 - i &&
            marks[i].kind == 'm' && sums[i].total == 31 - i && sums[i].parts == 31 - i;
  }
  std::printf("%s\n", right ? "right" : "wrong");
  cudaFree(d_ranked), cudaFree(d_counted), cudaFree(d_marks), cudaFree(d_sums);
  return !right;
}

// BUG rank_not_set
// - some_ranked[t / 16][t % 16].rank = short(t);
// +
// ! which no thread of this block has written
// @ ranked[t] = some_ranked[1 - t / 16][15 - t % 16];

// BUG kind_not_set
// - some_counted[t].kind = 'c';
// +
// ! which no thread of this block has written
// @ counted[t] = some_counted[31 - t];

// BUG mark_not_set
// - some_marks[t].kind = 'm';
// +
// ! which no thread of this block has written
// @ marks[t] = some_marks[31 - t];

// BUG parts_not_set
// - some_sums[t].parts = t;
// +
// ! which no thread of this block has written
// @ sums[t] = some_sums[31 - t];
