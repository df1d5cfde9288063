// The Mandelbrot set: threads of a warp leave their loops after different numbers of rounds.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kWidth = 48, kHeight = 32, kMost = 40;

__host__ __device__ int rounds(int x, int y) {
  const double cr = -2.0 + x * (3.0 / kWidth), ci = -1.0 + y * (2.0 / kHeight);
  double r = 0, i = 0;
  int n = 0;
  while (n < kMost && r * r + i * i < 4) {
    const double next = r * r - i * i + cr;
    i = 2 * r * i + ci;
    r = next;
    ++n;
  }
  return n;
}

__global__ void mandelbrot_kernel(unsigned char* picture, size_t pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  picture[y * pitch + x] = static_cast<unsigned char>(rounds(x, y));
}

int main() {
  unsigned char* d_picture;
  size_t pitch;
  cudaMallocPitch(&d_picture, &pitch, kWidth, kHeight);
  mandelbrot_kernel<<<dim3(kWidth / 16, kHeight / 8), dim3(16, 8)>>>(d_picture, pitch);
  std::vector<unsigned char> picture(kWidth * kHeight);
  cudaMemcpy2D(picture.data(), kWidth, d_picture, pitch, kWidth, kHeight, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < kWidth * kHeight; ++i) wrong += picture[i] != rounds(i % kWidth, i / kWidth);
  std::printf("%d wrong\n", wrong);
  cudaFree(d_picture);
  return wrong > kWidth * kHeight / 200;  // rounding may differ at the border of the set
}

// BUG rows_and_columns_exchanged
// - picture[y * pitch + x]
// + picture[x * pitch + y]
// ! out of bounds
// @ picture[x * pitch + y]

// BUG pitch_of_the_host
// - picture[y * pitch + x]
// + picture[y * kWidth + x]
// ! wrong result

// BUG grid_in_elements
// - dim3(kWidth / 16, kHeight / 8), dim3(16, 8)
// + dim3(kWidth, kHeight), dim3(16, 8)
// ! out of bounds
// @ picture[y * pitch + x]
