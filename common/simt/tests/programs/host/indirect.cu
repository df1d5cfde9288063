// A table of pointers to rows, each an allocation of its own, and quotients of integers.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct Rows {
  int** rows;
  int count, length;
};

__global__ void quotient_kernel(Rows table, const int* divisors, int* sums) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= table.count) return;
  int sum = 0;
  for (int i = 0; i < table.length; ++i) {
    sum += table.rows[r][i] / divisors[i];
  }
  sums[r] = sum;
}

int main() {
  const int count = 20, length = 30;
  std::vector<int*> rows(count);
  std::vector<int> row(length), divisors(length), sums(count), expected(count);
  for (int i = 0; i < length; ++i) divisors[i] = i % 6 + 1;
  for (int r = 0; r < count; ++r) {
    for (int i = 0; i < length; ++i) {
      row[i] = r * 31 + i * i;
      expected[r] += row[i] / divisors[i];
    }
    cudaMalloc(&rows[r], length * sizeof(int));
    cudaMemcpy(rows[r], row.data(), length * sizeof(int), cudaMemcpyHostToDevice);
  }
  int *d_divisors, *d_sums, **d_rows;
  cudaMalloc(&d_rows, count * sizeof(int*));
  cudaMalloc(&d_divisors, length * sizeof(int));
  cudaMalloc(&d_sums, count * sizeof(int));
  cudaMemcpy(d_rows, rows.data(), count * sizeof(int*), cudaMemcpyHostToDevice);
  cudaMemcpy(d_divisors, divisors.data(), length * sizeof(int), cudaMemcpyHostToDevice);
  const Rows table = {d_rows, count, length};
  quotient_kernel<<<1, 32>>>(table, d_divisors, d_sums);
  cudaMemcpy(sums.data(), d_sums, count * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s\n", sums == expected ? "right" : "wrong");
  for (int* each : rows) cudaFree(each);
  cudaFree(d_rows);
  cudaFree(d_divisors);
  cudaFree(d_sums);
  return sums != expected;
}

// BUG divisor_zero
// - cudaMemcpy(d_divisors, divisors.data(), length * sizeof(int), cudaMemcpyHostToDevice);
// + cudaMemset(d_divisors, 0, length * sizeof(int));
// ! divides an integer by zero
// @ sum += table.rows[r][i] / divisors[i];

// BUG table_on_the_host
// - {d_rows, count, length}
// + {rows.data(), count, length}
// ! which is not device memory (host memory)
// @ sum += table.rows[r][i] / divisors[i];

// BUG row_missing
// - cudaMemcpy(d_rows, rows.data(), count * sizeof(int*), cudaMemcpyHostToDevice);
// + int* const last = rows[count - 1];
// + rows[count - 1] = nullptr;
// + cudaMemcpy(d_rows, rows.data(), count * sizeof(int*), cudaMemcpyHostToDevice);
// + rows[count - 1] = last;
// ! which is not device memory (a null pointer)
// @ sum += table.rows[r][i] / divisors[i];

// BUG rows_in_four_bytes
// - cudaMemcpy(d_rows, rows.data(), count * sizeof(int*), cudaMemcpyHostToDevice);
// + cudaMemcpy(d_rows, rows.data(), count * sizeof(int), cudaMemcpyHostToDevice);
// ! which no copy and no earlier launch has initialised
// @ sum += table.rows[r][i] / divisors[i];

// BUG row_too_long
// - const Rows table = {d_rows, count, length};
// + const Rows table = {d_rows, count, length + 1};
// ! out of bounds
// @ sum += table.rows[r][i] / divisors[i];
