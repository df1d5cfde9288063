// Gravity between all pairs of bodies: a block goes through the bodies tile by tile in shared memory.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kThreads = 64, kBodies = 192;

__host__ __device__ float3 pull(float4 a, float4 b, float3 sum) {
  const float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
  const float square = x * x + y * y + z * z + 0.01f;
  const float factor = b.w / (square * sqrtf(square));
  return make_float3(sum.x + x * factor, sum.y + y * factor, sum.z + z * factor);
}

__global__ void force_kernel(const float4* bodies, float3* forces) {
  __shared__ float4 tile[kThreads];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const float4 mine = bodies[i];
  float3 sum = make_float3(0, 0, 0);
  for (int first = 0; first < kBodies; first += kThreads) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();  // the tile is there
    for (int j = 0; j < kThreads; ++j) {
      sum = pull(mine, tile[j], sum);
    }
    __syncthreads();  // all have used the tile
  }
  forces[i] = sum;
}

int main() {
  std::vector<float4> bodies(kBodies);
  std::vector<float3> forces(kBodies);
  for (int i = 0; i < kBodies; ++i) {
    bodies[i] = make_float4(float(i % 8), float(i / 8 % 8), float(i * 5 % 11), 1.0f + i % 3);
  }
  float4* d_bodies;
  float3* d_forces;
  cudaMalloc(&d_bodies, kBodies * sizeof(float4));
  cudaMalloc(&d_forces, kBodies * sizeof(float3));
  cudaMemcpy(d_bodies, bodies.data(), kBodies * sizeof(float4), cudaMemcpyHostToDevice);
  force_kernel<<<kBodies / kThreads, kThreads>>>(d_bodies, d_forces);
  cudaMemcpy(forces.data(), d_forces, kBodies * sizeof(float3), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < kBodies; ++i) {
    float3 sum = make_float3(0, 0, 0);
    for (const float4& other : bodies) sum = pull(bodies[i], other, sum);
    wrong += !(std::fabs(sum.x - forces[i].x) + std::fabs(sum.y - forces[i].y) < 1e-3f);
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_bodies);
  cudaFree(d_forces);
  return wrong != 0;
}

// BUG no_barrier_behind_the_copy
// - __syncthreads();  // the tile is there
// +
// ! tile
// ! with no __syncthreads()
// @ sum = pull(mine, tile[j], sum);

// BUG no_barrier_behind_the_use
// - __syncthreads();  // all have used the tile
// +
// ! tile
// ! with no __syncthreads()
// @ tile[threadIdx.x] = bodies[first + threadIdx.x];

// BUG last_body_too_far
// - j < kThreads; ++j
// + j <= kThreads; ++j
// ! outside of all shared arrays, at tile + 1024 bytes
// @ sum = pull(mine, tile[j], sum);

// BUG forces_too_small
// - cudaMalloc(&d_forces, kBodies * sizeof(float3));
// + cudaMalloc(&d_forces, kBodies * 2 * sizeof(float));
// ! out of bounds
// @ forces[i] = sum;
