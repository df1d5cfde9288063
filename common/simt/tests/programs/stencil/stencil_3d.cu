// A stencil of seven points in three dimensions: planes pass through registers, the running one lies in shared memory.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kSide = 18, kTile = 8;  // 16 x 16 x 16 inner points

__global__ void stencil_kernel(const float* from, float* to) {
  __shared__ float plane[kTile + 2][kTile + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * kTile + tx, y = blockIdx.y * kTile + ty;
  const auto at = [&](int z, int dy, int dx) {
    return from[(z * kSide + y + dy) * kSide + x + dx];
  };
  float below = at(0, 0, 0), here = at(1, 0, 0);
  for (int z = 1; z < kSide - 1; ++z) {
    const float above = at(z + 1, 0, 0);
    plane[ty][tx] = here;
    if (tx == 1) plane[ty][0] = at(z, 0, -1);
    if (tx == kTile) plane[ty][kTile + 1] = at(z, 0, 1);
    if (ty == 1) plane[0][tx] = at(z, -1, 0);
    if (ty == kTile) plane[kTile + 1][tx] = at(z, 1, 0);
    __syncthreads();  // the plane is there
    const float around =
        plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] + plane[ty + 1][tx];
    to[(z * kSide + y) * kSide + x] = around + below + above - 6 * here;
    __syncthreads();  // all have read the plane
    below = here;
    here = above;
  }
}

int main() {
  const int count = kSide * kSide * kSide, bytes = count * sizeof(float);
  std::vector<float> from(count), to(count);
  for (int i = 0; i < count; ++i) from[i] = float(i * 7 % 31);
  float *d_from, *d_to;
  cudaMalloc(&d_from, bytes);
  cudaMalloc(&d_to, bytes);
  cudaMemcpy(d_from, from.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemset(d_to, 0, bytes);
  stencil_kernel<<<dim3(2, 2), dim3(kTile, kTile)>>>(d_from, d_to);
  cudaMemcpy(to.data(), d_to, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    const int x = i % kSide, y = i / kSide % kSide, z = i / (kSide * kSide), last = kSide - 1;
    float sum = 0;
    if (x > 0 && y > 0 && z > 0 && x < last && y < last && z < last) {
      sum = from[i - 1] + from[i + 1] + from[i - kSide] + from[i + kSide] +
            from[i - kSide * kSide] + from[i + kSide * kSide] - 6 * from[i];
    }
    wrong += to[i] != sum;
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_from);
  cudaFree(d_to);
  return wrong != 0;
}

// BUG no_barrier_behind_the_copy
// - __syncthreads();  // the plane is there
// +
// ! plane
// ! with no __syncthreads()
// @ plane[ty + 1][tx];

// BUG no_barrier_behind_the_reads
// - __syncthreads();  // all have read the plane
// +
// ! plane
// ! with no __syncthreads()
// @ plane[ty][tx] = here;

// BUG one_plane_too_many
// - z < kSide - 1; ++z
// + z < kSide; ++z
// ! out of bounds
// @ return from[(z * kSide + y + dy) * kSide + x + dx];

// BUG lower_halo_left_out
// - if (ty == 1) plane[0][tx] = at(z, -1, 0);
// +
// ! plane
// ! which no thread of this block has written
// @ plane[ty + 1][tx];

// BUG halo_column_at_the_wrong_place
// - plane[ty][kTile + 1] = at(z, 0, 1);
// + plane[ty][kTile + 2] = at(z, 0, 1);
// ! index 10
// @ plane[ty][kTile + 2] = at(z, 0, 1);
