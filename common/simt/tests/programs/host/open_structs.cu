// Structures that end in an array of any size: as C++ before C99 wrote it, [1], and as compilers allow it, [].
#include <cuda_runtime.h>

#include <cstdio>

struct Old {
  int count;
  int values[1];
};

struct Open {
  int count;
  int values[];
};

constexpr int kCount = 100;

template <typename List>
__global__ void sum_kernel(const List* list, int* sum) {
  extern __shared__ char raw[];
  List& staged = *reinterpret_cast<List*>(raw);
  if (threadIdx.x == 0) staged.count = list->count;
  for (int i = threadIdx.x; i < kCount; i += 32) staged.values[i] = list->values[i];
  __syncthreads();
  if (threadIdx.x != 0) return;
  int all = 0;
  for (int i = 0; i < staged.count; ++i) all += staged.values[i];
  *sum = all;
}

template <typename List>
int sum_of() {
  const size_t bytes = sizeof(int) * (kCount + 1);
  int numbers[kCount + 1] = {kCount};
  for (int i = 1; i <= kCount; ++i) numbers[i] = i;
  List* list;
  int *d_sum, sum = 0;
  cudaMalloc(&list, bytes);
  cudaMalloc(&d_sum, sizeof sum);
  cudaMemcpy(list, numbers, bytes, cudaMemcpyHostToDevice);
  sum_kernel<<<1, 32, bytes>>>(list, d_sum);
  cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
  cudaFree(list);
  cudaFree(d_sum);
  return sum;
}

int main() {
  const bool right = sum_of<Old>() == 5050 && sum_of<Open>() == 5050;
  std::printf("%s\n", right ? "right" : "wrong");
  return !right;
}

// BUG barrier_missing
// - __syncthreads();
// +
// ! with no __syncthreads()
