// A tensor map: TMA brings tiles of a matrix, with zeros beyond its sides, and takes results back.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kRows = 40, kCols = 52, kTile = 16, kThreads = 64, kBytes = kTile * kTile * 4;

__device__ unsigned address(const void* shared) {
  return __cvta_generic_to_shared(shared);
}

__global__ void double_kernel(const __grid_constant__ CUtensorMap from,
                              const __grid_constant__ CUtensorMap to) {
  __shared__ __align__(128) float tile[kTile * kTile];
  __shared__ uint64_t full;
  const int col = blockIdx.x * kTile, row = blockIdx.y * kTile;
  const unsigned barrier = address(&full), place = address(tile);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
                 "r"(kBytes)
                 : "memory");
    asm volatile(  // loads the tile
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%2, %3}], [%4];" ::"r"(place),
        "l"(&from), "r"(col), "r"(row), "r"(barrier)
        : "memory");
  }
  __syncthreads();  // the barrier is ready
  asm volatile(  // waits for the tile
      "{ .reg .pred p;\n"
      "again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n"
      "@!p bra again; }" ::"r"(barrier)
      : "memory");
  for (int i = threadIdx.x; i < kTile * kTile; i += kThreads) {
    tile[i] *= 2;
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();  // the tile is complete
  if (threadIdx.x == 0) {
    asm volatile(  // stores the tile
        "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
            &to),
        "r"(col), "r"(row), "r"(place)
        : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

CUtensorMap map_of(float* matrix, int box) {
  CUtensorMap map;
  const cuuint64_t sizes[2] = {kCols, kRows}, strides[1] = {kCols * sizeof(float)};
  const cuuint32_t boxes[2] = {cuuint32_t(box), kTile}, steps[2] = {1, 1};
  const CUresult result = cuTensorMapEncodeTiled(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, matrix, sizes, strides, boxes, steps,
      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) std::printf("no tensor map: %d\n", int(result));
  return map;
}

int main() {
  const int count = kRows * kCols, bytes = count * sizeof(float);
  std::vector<float> from(count), to(count);
  for (int i = 0; i < count; ++i) from[i] = float(i);
  float *d_from, *d_to;
  cudaMalloc(&d_from, bytes);
  cudaMalloc(&d_to, bytes);
  cudaMemcpy(d_from, from.data(), bytes, cudaMemcpyHostToDevice);
  const dim3 grid((kCols + kTile - 1) / kTile, (kRows + kTile - 1) / kTile);
  double_kernel<<<grid, kThreads>>>(map_of(d_from, kTile), map_of(d_to, kTile));
  cudaMemcpy(to.data(), d_to, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += to[i] != 2 * from[i];
  std::printf("%d wrong\n", wrong);
  cudaFree(d_from);
  cudaFree(d_to);
  return wrong != 0;
}

// BUG no_proxy_fence
// - asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
// +
// ! fence.proxy.async
// @ asm volatile(  // stores the tile

// BUG no_barrier_before_the_store
// - __syncthreads();  // the tile is complete
// +
// ! tile
// ! with no __syncthreads()
// @ tile[i] *= 2;
// ? asm volatile(  // stores the tile

// BUG bytes_of_half_the_tile
// - "r"(kBytes)
// + "r"(kBytes / 2)
// ! copies have brought 1024 of 512 bytes
// @ asm volatile(  // waits for the tile

// BUG box_too_narrow
// - (map_of(d_from, kTile), map_of(d_to, kTile))
// + (map_of(d_from, kTile / 2), map_of(d_to, kTile))
// ! copies have brought 512 of 1024 bytes
// @ asm volatile(  // waits for the tile

// BUG tile_not_aligned
// - __shared__ __align__(128) float tile[kTile * kTile];
// + __shared__ __align__(128) float space[kTile * kTile + 4];
// + float* const tile = space + 4;
// ! which is not at a multiple of 128 bytes
// @ asm volatile(  // loads the tile

// BUG does_not_wait
// - asm volatile(  // waits for the tile
// - "{ .reg .pred p;\n"
// - "again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n"
// - "@!p bra again; }" ::"r"(barrier)
// - : "memory");
// +
// ! tile
// @ tile[i] *= 2;

// BUG waits_without_a_loop
// - "@!p bra again; }"
// + "}"
// ! tile
// @ tile[i] *= 2;

// BUG box_beyond_the_array
// - float tile[kTile * kTile];
// + float tile[kTile * kTile / 2];
// ! beyond the end of shared memory
// @ asm volatile(  // loads the tile
