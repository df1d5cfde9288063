// C = A B by mma.sync in inline PTX: one warp a tile of 16 x 8, fragments of A by ldmatrix.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

__device__ unsigned two(half lower, half upper) {
  return __half_as_ushort(lower) | unsigned(__half_as_ushort(upper)) << 16;
}

// B is given by columns: bt[col][k].
__global__ void multiply_kernel(const half* a, const half* bt, float* c, int n, int k) {
  __shared__ __align__(16) half as[16][16];
  const int lane = threadIdx.x, row0 = blockIdx.y * 16, col0 = blockIdx.x * 8;
  const int group = lane / 4, pair = lane % 4 * 2;
  float sum[4] = {};
  for (int k0 = 0; k0 < k; k0 += 16) {
    for (int i = lane; i < 256; i += 32) as[i / 16][i % 16] = a[(row0 + i / 16) * k + k0 + i % 16];
    __syncwarp();  // the tile is there
    unsigned x[4];
    const unsigned address = __cvta_generic_to_shared(&as[lane % 16][lane / 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(address));
    const half* column = bt + (col0 + group) * k + k0 + pair;
    const unsigned y0 = two(column[0], column[1]), y1 = two(column[8], column[9]);
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y0), "r"(y1));
    __syncwarp();  // all have read
  }
  for (int i = 0; i < 4; ++i) c[(row0 + group + i / 2 * 8) * n + col0 + pair + i % 2] = sum[i];
}

int main() {
  const int m = 32, n = 24, k = 48;
  std::vector<half> a(m * k), bt(n * k);
  std::vector<float> c(m * n);
  for (int i = 0; i < m * k; ++i) a[i] = __float2half(float(i % 9) - 4);
  for (int i = 0; i < n * k; ++i) bt[i] = __float2half(float(i % 11) - 5);
  half *d_a, *d_bt;
  float* d_c;
  cudaMalloc(&d_a, a.size() * sizeof(half));
  cudaMalloc(&d_bt, bt.size() * sizeof(half));
  cudaMalloc(&d_c, c.size() * sizeof(float));
  cudaMemcpy(d_a, a.data(), a.size() * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemcpy(d_bt, bt.data(), bt.size() * sizeof(half), cudaMemcpyHostToDevice);
  multiply_kernel<<<dim3(n / 8, m / 16), 32>>>(d_a, d_bt, d_c, n, k);
  cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < m * n; ++i) {
    float sum = 0;
    for (int j = 0; j < k; ++j) sum += float((i / n * k + j) % 9 - 4) * ((i % n * k + j) % 11 - 5);
    wrong += c[i] != sum;
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_a);
  cudaFree(d_bt);
  cudaFree(d_c);
  return wrong != 0;
}

// BUG no_syncwarp_behind_the_copy
// - __syncwarp();  // the tile is there
// +
// ! as
// ! with no __syncthreads() or __syncwarp()
// @ asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"

// BUG rows_not_aligned
// - as[16][16];
// + as[16][18];
// ! past a multiple of 16
// @ asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"

// BUG sixteen_threads
// - dim3(n / 8, m / 16), 32>>>
// + dim3(n / 8, m / 16), 16>>>
// ! calls ldmatrix in a warp of 16 threads, which needs 32
// @ asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"

// BUG fragment_beyond_the_row
// - lane / 16 * 8]);
// + lane / 8 * 8]);
// ! uses index 24 of the array type

// BUG product_of_wrong_registers
// - "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y0), "r"(y1));
// + "r"(x[0]), "r"(x[2]), "r"(x[1]), "r"(x[3]), "r"(y0), "r"(y1));
// ! wrong result
