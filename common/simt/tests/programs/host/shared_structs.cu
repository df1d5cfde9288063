// Structures with padding in shared memory. Threads fill them member by member and copy them as a whole.
#include <cuda_runtime.h>

#include <cstdio>

struct Sample {
  char kind;  // seven bytes of padding follow
  double value;
  short rank;  // six bytes of padding follow
};

__global__ void reverse_kernel(const double* values, Sample* samples) {
  __shared__ Sample staged[64];
  const int t = threadIdx.x;
  staged[t].kind = 's';
  staged[t].value = values[t];
  staged[t].rank = short(t);
  __syncthreads();
  Sample mine = staged[63 - t];
  mine.value *= 2;
  samples[t] = mine;
  samples[64 + t] = staged[t];
}

int main() {
  double values[64];
  for (int i = 0; i < 64; ++i) values[i] = i;
  double* d_values;
  Sample* d_samples;
  cudaMalloc(&d_values, sizeof values);
  cudaMalloc(&d_samples, 128 * sizeof(Sample));
  cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice);
  reverse_kernel<<<1, 64>>>(d_values, d_samples);
  Sample samples[128];
  if (cudaMemcpy(samples, d_samples, sizeof samples, cudaMemcpyDeviceToHost) != cudaSuccess) {
    return 1;
  }
  bool right = true;
  for (int i = 0; i < 64; ++i) {
    right = right && samples[i].kind == 's' && samples[i].value == 2 * (63 - i) &&
            samples[i].rank == 63 - i && samples[64 + i].rank == i;
  }
  std::printf("%s\n", right ? "right" : "wrong");
  cudaFree(d_values);
  cudaFree(d_samples);
  return !right;
}

// BUG value_not_set
// - staged[t].value = values[t];
// +
// ! which no thread of this block has written
// @ Sample mine = staged[63 - t];

// BUG rank_not_set
// - staged[t].rank = short(t);
// +
// ! which no thread of this block has written
// @ Sample mine = staged[63 - t];

// BUG barrier_missing
// - __syncthreads();
// +
// ! with no __syncthreads() since another thread
