// One warp multiplies 16 x 16 half tiles twice: with WMMA and with the PTX instructions to which WMMA compiles.
#include <cuda_runtime.h>
#include <mma.h>

#include "tests/ptx_mma/ptx_mma.h"

constexpr int PAD =
    8;  // halves per row: the eight rows that ldmatrix reads at once start in other banks

// readme: begin
// D = A * B, row-major 16 x 16 tiles, by one warp. Unlike WMMA, PTX says which lane holds what.
__global__ void ptx_tile(const half* A, const half* B, float* D) {
#if __CUDA_ARCH__ >= 800
  alignas(16) __shared__ half As[SIZE][SIZE + PAD], Bs[SIZE][SIZE + PAD];
  const int lane = threadIdx.x;
  for (int i = lane; i < SIZE * SIZE; i += 32) {
    As[i / SIZE][i % SIZE] = A[i];
    Bs[i / SIZE][i % SIZE] = B[i];
  }
  __syncwarp();

  // ldmatrix reads four 8 x 8 matrices. Lanes 0 to 7 give the addresses of the rows of the first,
  // lanes 8 to 15 those of the second, and so on: here top left, bottom left, top right and bottom
  // right. Every lane receives two neighbouring elements of each: those in row lane / 4 from column
  // lane % 4 * 2 on. A 32-bit register holds the two.
  unsigned a[4], b[4];
  const unsigned a_row = __cvta_generic_to_shared(&As[lane % 16][lane / 16 * 8]);
  const unsigned b_row = __cvta_generic_to_shared(&Bs[lane % 16][lane / 16 * 8]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(a_row)
               : "memory");
  // mma wants B by columns, two neighbours in k a register: .trans hands out transposed matrices.
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
               : "r"(b_row)
               : "memory");

  // One mma multiplies 16 x 16 by 16 x 8, 2048 multiply-adds by 32 lanes, so two of them make the
  // tile: columns 0 to 7 from b[0] and b[1], columns 8 to 15 from b[2] and b[3]. The sums are FP32.
  for (int n = 0; n < 2; ++n) {
    float d[4] = {};
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[2 * n]), "r"(b[2 * n + 1]));
    // A lane owns two neighbours in row lane / 4 and the two below them in row lane / 4 + 8.
    float* out = &D[lane / 4 * SIZE + n * 8 + lane % 4 * 2];
    out[0] = d[0];
    out[1] = d[1];
    out[8 * SIZE] = d[2];
    out[8 * SIZE + 1] = d[3];
  }
#endif
}
// readme: end

__global__ void wmma_tile(const half* A, const half* B, float* D) {
  namespace wmma = nvcuda::wmma;
  wmma::fragment<wmma::matrix_a, SIZE, SIZE, SIZE, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, SIZE, SIZE, SIZE, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, SIZE, SIZE, SIZE, float> d;
  wmma::fill_fragment(d, 0.0f);
  wmma::load_matrix_sync(a, A, SIZE);
  wmma::load_matrix_sync(b, B, SIZE);
  wmma::mma_sync(d, a, b, d);
  wmma::store_matrix_sync(D, d, SIZE, wmma::mem_row_major);
}

cudaError_t multiply(Tiles& tiles) {
  Tiles* device = nullptr;
  cudaError_t error = cudaMalloc(&device, sizeof tiles);
  if (error == cudaSuccess) {
    cudaMemcpy(device, &tiles, sizeof tiles, cudaMemcpyHostToDevice);
    ptx_tile<<<1, 32>>>(device->A, device->B, device->ptx);
    wmma_tile<<<1, 32>>>(device->A, device->B, device->wmma);
    error = cudaMemcpy(&tiles, device, sizeof tiles, cudaMemcpyDeviceToHost);
    cudaFree(device);
  }
  return error;
}
