// Two arrays of different types in one dynamic shared array of more than 48 KB, and rows with a pitch.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kThreads = 64, kLength = 5000;

// For each row, the elements at odd places, doubled, then those at even places.
__global__ void sort_kernel(const char* rows, size_t pitch, double* sums) {
  extern __shared__ __align__(16) char memory[];
  double* const doubled = reinterpret_cast<double*>(memory);
  float* const plain = reinterpret_cast<float*>(memory + kLength * sizeof(double));
  const float* const row = reinterpret_cast<const float*>(rows + blockIdx.x * pitch);
  for (int i = threadIdx.x; i < kLength; i += kThreads) {
    doubled[i] = 2.0 * row[2 * i + 1];
    plain[i] = row[2 * i];
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    double sum = 0;
    for (int i = 0; i < kLength; i += 50) {
      sum += doubled[i] - plain[i];
    }
    sums[blockIdx.x] = sum;
  }
}

int main() {
  const int rows = 2, cols = 2 * kLength, shared = kLength * (sizeof(double) + sizeof(float));
  std::vector<float> values(rows * cols);
  std::vector<double> sums(rows), expected(rows);
  for (int i = 0; i < rows * cols; ++i) {
    values[i] = float(i % 37);
    const int col = i % cols;
    if (col / 2 % 50 == 0) expected[i / cols] += col % 2 == 1 ? 2 * values[i] : -values[i];
  }
  char* d_rows;
  double* d_sums;
  size_t pitch;
  cudaMallocPitch(&d_rows, &pitch, cols * sizeof(float), rows);
  cudaMalloc(&d_sums, rows * sizeof(double));
  cudaMemcpy2D(d_rows, pitch, values.data(), cols * sizeof(float), cols * sizeof(float), rows,
               cudaMemcpyHostToDevice);
  cudaFuncSetAttribute(sort_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  sort_kernel<<<rows, kThreads, shared>>>(d_rows, pitch, d_sums);
  cudaMemcpy(sums.data(), d_sums, rows * sizeof(double), cudaMemcpyDeviceToHost);
  std::printf("%s\n", sums == expected ? "right" : "wrong");
  cudaFree(d_rows);
  cudaFree(d_sums);
  return sums != expected;
}

// BUG arrays_overlap
// - memory + kLength * sizeof(double)
// + memory + kLength * sizeof(float)
// ! dynamic shared memory
// ! with no __syncthreads()

// BUG second_array_not_aligned
// - memory + kLength * sizeof(double)
// + memory + kLength * sizeof(double) - 2
// ! past a multiple of 4
// @ plain[i] = row[2 * i];

// BUG attribute_forgotten
// - cudaFuncSetAttribute(sort_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
// +
// ! is refused
// @ sort_kernel<<<

// BUG more_than_a_multiprocessor_has
// - kLength * (sizeof(double) + sizeof(float));
// + kLength * 10 * (sizeof(double) + sizeof(float));
// ! 600000 bytes of dynamic and 0 of static shared memory, but a block has at most 232448
// @ cudaFuncSetAttribute(sort_kernel,

// BUG room_for_one_array
// - kLength * (sizeof(double) + sizeof(float));
// + kLength * (sizeof(float) + sizeof(float));
// ! outside of all shared arrays
// @ plain[i] = row[2 * i];

// BUG pitch_of_the_host
// - (d_rows, pitch, d_sums)
// + (d_rows, cols * sizeof(float), d_sums)
// ! which no copy and no earlier launch has initialised

// BUG columns_for_bytes
// - cols * sizeof(float), cols * sizeof(float), rows,
// + cols * sizeof(float), cols, rows,
// ! which no copy and no earlier launch has initialised
