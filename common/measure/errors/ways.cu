#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "common/harness/device/buffer.h"
#include "common/harness/device/cuda_error.h"
#include "common/harness/program/json.h"
#include "common/harness/program/timer.h"
#include "common/lesson.h"
#include "common/measure/errors/ways.h"

namespace {

constexpr int kRows = 256;  // M and N

__global__ void multiply_exactly(const float* A, const float* B, int K, double* sums,
                                 double* magnitudes) {
  const int row = blockIdx.x, col = threadIdx.x;
  double sum = 0, magnitude = 0;
  for (int k = 0; k < K; ++k) {
    const double product = double(A[row * int64_t(K) + k]) * B[k * kRows + col];
    sum += product;
    magnitude += fabs(product);
  }
  sums[row * kRows + col] = sum;
  magnitudes[row * kRows + col] = magnitude;
}

template <typename T>
class Array {
 public:
  explicit Array(size_t count) : buffer_(count * sizeof(T)) {}
  explicit Array(const std::vector<float>& values) : Array(values.size()) {
    const std::vector<T> rounded(values.begin(), values.end());
    CUDA_CHECK(cudaMemcpy(data(), rounded.data(), buffer_.bytes(), cudaMemcpyDefault));
  }
  T* data() const { return static_cast<T*>(buffer_.data()); }
  std::vector<T> read() const {
    std::vector<T> values(buffer_.bytes() / sizeof(T));
    CUDA_CHECK(cudaMemcpy(values.data(), data(), buffer_.bytes(), cudaMemcpyDefault));
    return values;
  }

 private:
  DeviceBuffer buffer_;
};

// A kind of inputs. "spread" has exponents distributed uniformly from -spread to spread, and both signs.
struct Kind {
  const char* name;
  double least;  // uniform inputs lie between this value and 1
  int spread;
  bool normal;
  std::vector<int> depths;
};
const Kind kKinds[] = {{"uniform", -1, 0, false, {64, 256, 1024, 4096, 16384, 65536}},
                       {"positive", 0, 0, false, {64, 256, 1024, 4096, 16384, 65536}},
                       {"normal", 0, 0, true, {1024, 4096}},
                       {"spread4", 0, 4, false, {1024, 4096}},
                       {"spread10", 0, 10, false, {1024, 4096}},
                       {"spread20", 0, 20, false, {1024, 4096}}};

std::vector<float> make(const Kind& kind, size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(float(kind.least), 1), factor(1, 2);
  std::uniform_int_distribution<int> power(-kind.spread, kind.spread);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) {
    value = kind.normal ? normal(random) : uniform(random);
    if (kind.spread > 0)
      value = std::ldexp(factor(random) * (random() % 2 ? 1 : -1), power(random));
  }
  return values;
}

int largest_depth = 0;  // 0: all depths, and the speed

template <typename T>
bool measure(const Kind& kind, int K, const std::function<void(const Gemm<T, float>&)>& gemm,
             double most, json::Object& row) {
  const std::vector<float> a = make(kind, size_t(kRows) * K, 1),
                           b = make(kind, size_t(kRows) * K, 2);
  const Array<float> exact_a(a), exact_b(b), C(std::vector<float>(kRows * kRows, NAN));
  const Array<double> sums(kRows * kRows), magnitudes(kRows * kRows);
  const Array<T> A(a), B(b);
  multiply_exactly<<<kRows, kRows>>>(exact_a.data(), exact_b.data(), K, sums.data(),
                                     magnitudes.data());
  CUDA_CHECK(cudaGetLastError());
  gemm({kRows, kRows, K, 1.0f, A.data(), K, B.data(), kRows, 0.0f, C.data(), kRows});
  CUDA_CHECK(cudaDeviceSynchronize());
  const std::vector<float> found = C.read();
  const std::vector<double> sum = sums.read(), magnitude = magnitudes.read();
  double largest = 0, squares = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    const double error = std::fabs(found[i] - sum[i]) / magnitude[i];
    if (!(error <= largest)) largest = error;  // a NaN stays
    squares += error * error;
  }
  row.text("inputs", kind.name).number("K", K).number("max", largest);
  row.number("rms", std::sqrt(squares / double(found.size())));
  return std::string(kind.name) != "uniform" || largest < most;
}

// TFLOP/s for the sizes of ways.h.
template <typename T>
std::string measure_speed(const std::function<void(const Gemm<T, float>&)>& gemm) {
  constexpr int kUsual = 4096, kLargest = 8192;
  const Array<T> A(make(kKinds[0], size_t(kLargest) * kLargest, 3));
  const Array<T> B(make(kKinds[0], size_t(kLargest) * kLargest, 4));
  const Array<float> C(size_t(kLargest) * kLargest);
  json::Object speed;
  const auto time = [&](const std::string& what, int n) {
    const Gemm<T, float> p{n, n, n, 1.0f, A.data(), n, B.data(), n, 0.0f, C.data(), n};
    const Stats ms = time_interleaved({[&] { gemm(p); }}, TimingPlan())[0];
    speed.number(what, 2e-9 * n * n * n / ms.median);
  };
  for (const int n : {kUsual, kLargest}) time(std::to_string(n), n);
  const auto write_nans = [&](int rows) {  // one per row; all bits set is a NaN
    CUDA_CHECK(cudaMemset2D(A.data(), kUsual * sizeof(T), 0xff, sizeof(T), rows));
  };
  write_nans(1);
  time("one_nan", kUsual);
  write_nans(kUsual);
  time("row_nans", kUsual);
  return speed.str();
}

}  // namespace

template <typename T>
bool measure_way(const char* name, const std::function<void(const Gemm<T, float>&)>& gemm,
                 double most) {
  bool right = true;
  std::vector<std::string> rows;
  for (const Kind& kind : kKinds) {
    for (const int K : kind.depths) {
      if (largest_depth != 0 && K > largest_depth) continue;
      json::Object row;
      right = measure(kind, K, gemm, most, row) && right;
      rows.push_back(row.str());
    }
  }
  json::Object way;
  way.text("way", name).value("rows", json::list(rows));
  if (largest_depth == 0) way.value("tflops", measure_speed(gemm));
  std::printf("%s\n", way.str().c_str());
  return right;
}

template bool measure_way(const char*, const std::function<void(const Gemm<float, float>&)>&,
                          double);
template bool measure_way(const char*, const std::function<void(const Gemm<half, float>&)>&,
                          double);

// Returns 77, "skipped", if there is no GPU.
int main(int argc, char** argv) try {
  largest_depth = argc > 1 ? std::atoi(argv[1]) : 0;
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "errors: no GPU\n");
    return 77;
  }
  return measure_ways() ? kRight : kWrong;
} catch (const DeviceError& error) {
  std::fprintf(stderr, "errors: %s\n", error.what());
  return kDevice;
}
