// The host gives values to managed and pinned memory in many ways: by stores of bytes, memcpy(), a library, structures
// with padding.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <numeric>

struct Body {
  double mass;
  int id;  // four bytes of padding follow
};

__global__ void sum_kernel(Body* bodies, const char* text, const short* numbers, const int* indices,
                           int count, double* sum) {
  Body mine = bodies[threadIdx.x];
  mine.mass *= 2;
  bodies[threadIdx.x] = mine;
  if (threadIdx.x > 0) return;
  double all = 0;
  for (int i = 0; i < count; ++i) {
    all += text[i] + numbers[i] + indices[i];
  }
  *sum = all;
}

int main() {
  const int count = 13;
  Body* bodies;
  char* text;
  short *staged, *numbers;
  int* indices;
  double* sum;
  cudaMallocManaged(&bodies, 32 * sizeof(Body));
  cudaMallocManaged(&text, count);
  cudaMallocManaged(&indices, count * sizeof(int));
  cudaMallocManaged(&sum, sizeof(double));
  cudaMallocHost(&staged, count * sizeof(short));
  cudaMalloc(&numbers, count * sizeof(short));
  for (int i = 0; i < 32; ++i) {
    bodies[i].mass = i;
    bodies[i].id = i;
  }
  std::memcpy(text, "twelve bytes", count);
  std::iota(indices, indices + count, 0);
  for (int i = 0; i < count; ++i) staged[i] = 1;
  cudaMemcpy(numbers, staged, count * sizeof(short), cudaMemcpyHostToDevice);
  sum_kernel<<<1, 32>>>(bodies, text, numbers, indices, count, sum);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int expected = 13 + 78;
  for (int i = 0; i < count; ++i) expected += text[i];
  std::printf("%g\n", *sum);
  const bool right = *sum == expected && bodies[5].mass == 10;
  cudaFree(bodies);
  cudaFree(text);
  cudaFree(indices);
  cudaFree(sum);
  cudaFree(numbers);
  cudaFreeHost(staged);
  return !right;
}

// BUG mass_without_a_value
// - bodies[i].mass = i;
// + if (i != 7) bodies[i].mass = i;
// ! reads 8 bytes at offset 112 of an allocation of 512 bytes, which no copy, no host code and no earlier launch has
// @ Body mine = bodies[threadIdx.x];

// BUG end_of_the_text_left_out
// - std::memcpy(text, "twelve bytes", count);
// + std::memcpy(text, "twelve bytes", 8);
// ! reads 1 byte at offset 8 of an allocation of 13 bytes, which no copy, no host code and no earlier launch has
// @ all += text[i] + numbers[i] + indices[i];

// BUG staged_in_part
// - for (int i = 0; i < count; ++i) staged[i] = 1;
// + for (int i = 0; i < count / 2; ++i) staged[i] = 1;
// ! reads 2 bytes at offset 12 of an allocation of 26 bytes, which no copy and no earlier launch has initialised
// @ all += text[i] + numbers[i] + indices[i];

// BUG sum_not_cleared
// - *sum = all;
// + *sum += all;
// ! which no copy, no host code and no earlier launch has initialised
// @ *sum += all;
