// saxpy [STRIDE [N]] [--touched]: runs the kernel of saxpy.cu, checks y, and on the CPU backend prints
// what the GPU's memory would have had to do. --touched prints as JSON which elements were written
// instead, for the drawing. Exit status: 0 right, 1 wrong, 2 usage.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#ifdef GEMM_LADDER_CPU
#include "simt/report.h"
#endif

void saxpy(int n, int stride, float a, const float* x, float* y);

namespace {

int usage() {
  std::fprintf(stderr, "usage: saxpy [STRIDE 1..64 [N 1..1048576]] [--touched]\n");
  return 2;
}

// The number in text, or 0 if it is none or not in 1..most.
int number(const char* text, int most) {
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  return *text != '\0' && *end == '\0' && value >= 1 && value <= most ? int(value) : 0;
}

#ifdef GEMM_LADDER_CPU
void print_traffic(const char* name, const simt::GlobalTraffic& t) {
  std::printf("%-6s %7llu requests  %8llu sectors  %4.1f per request  %3.0f %% of the bytes used\n",
              name, (unsigned long long)t.requests, (unsigned long long)t.sectors,
              double(t.sectors) / double(t.requests),
              100.0 * double(t.bytes) / (32.0 * double(t.sectors)));
}

void print_counts() {
  const simt::LaunchReport& report = simt::last_report();
  print_traffic("loads", report.total.global_load);
  print_traffic("stores", report.total.global_store);
  std::printf("FMAs   %7llu\n", (unsigned long long)report.total.fma);
}

void print_touched(int stride, const std::vector<float>& y) {
  const simt::GlobalTraffic& t = simt::last_report().total.global_store;
  std::printf("{\"stride\": %d, \"requests\": %llu, \"sectors\": %llu, \"touched\": [", stride,
              (unsigned long long)t.requests, (unsigned long long)t.sectors);
  const char* separator = "";
  for (size_t i = 0; i < y.size(); ++i) {
    if (y[i] == 0) continue;
    std::printf("%s%zu", separator, i);
    separator = ", ";
  }
  std::printf("]}\n");
}
#endif

}  // namespace

int main(int argc, char** argv) {
  [[maybe_unused]] bool touched = false;
  int numbers[2] = {1, 1 << 20}, given = 0;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--touched") == 0) {
      touched = true;
    } else {
      const int value = given < 2 ? number(argv[i], given == 0 ? 64 : 1 << 20) : 0;
      if (value == 0) return usage();
      numbers[given++] = value;
    }
  }
  const int stride = numbers[0], n = numbers[1];
  const size_t size = size_t(n - 1) * size_t(stride) + 1, bytes = size * sizeof(float);
  std::vector<float> x(size, 3), y(size, 0);
  float *device_x, *device_y;
  if (cudaMalloc(&device_x, bytes) != cudaSuccess || cudaMalloc(&device_y, bytes) != cudaSuccess) {
    std::fprintf(stderr, "saxpy: no device memory\n");
    return 1;
  }
  cudaMemcpy(device_x, x.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_y, y.data(), bytes, cudaMemcpyHostToDevice);
  saxpy(n, stride, 2, device_x, device_y);
  cudaMemcpy(y.data(), device_y, bytes, cudaMemcpyDeviceToHost);  // waits for the kernel
  bool right = cudaGetLastError() == cudaSuccess;
  for (size_t i = 0; i < size; ++i) right = right && y[i] == (i % size_t(stride) == 0 ? 6 : 0);
  cudaFree(device_x);
  cudaFree(device_y);
#ifdef GEMM_LADDER_CPU
  if (touched) {
    print_touched(stride, y);
    return right ? 0 : 1;
  }
#endif
  std::printf("stride %d: %s, %d threads in %d blocks\n", stride, right ? "right" : "WRONG", n,
              (n + 255) / 256);
#ifdef GEMM_LADDER_CPU
  print_counts();
#endif
  return right ? 0 : 1;
}
