// Walks of random steps, and the mean of numbers of each distribution.
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kWalks = 256, kSteps = 64, kNumbers = 8192;

__global__ void init(curandState* states, unsigned long long seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, i, 0, &states[i]);
}

__global__ void walk(curandState* states, float* distance) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state = states[i];
  float at = 0;
  for (int step = 0; step < kSteps; ++step) at += curand_uniform(&state) < 0.5f ? -1 : 1;
  distance[i] = at * at;
  states[i] = state;
}

// Sums of each kind of number. Their means are 1/2, 0, 1/2, 0, exp(1/8), exp(1/8), 3, 1/2, 0, 0, 0 and 1/2.
__global__ void means(double* sums) {
  curandStatePhilox4_32_10_t state;
  curand_init(7, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
  skipahead(3, &state);
  skipahead_sequence(kWalks, &state);
  const float4 u = curand_uniform4(&state), v = curand_normal4(&state);
  const double2 w = curand_uniform2_double(&state), z = curand_normal2_double(&state);
  const float2 n = curand_normal2(&state);
  const double numbers[] = {curand_uniform(&state),
                            curand_normal(&state),
                            curand_uniform_double(&state),
                            curand_normal_double(&state),
                            curand_log_normal(&state, 0, 0.5f),
                            curand_log_normal_double(&state, 0, 0.5),
                            double(curand_poisson(&state, 3)),
                            (u.x + u.y + u.z + u.w) / 4,
                            (v.x + v.y + v.z + v.w) / 4,
                            n.x + n.y,
                            z.x + z.y,
                            (w.x + w.y) / 2};
  for (int i = 0; i < 12; ++i) atomicAdd(&sums[i], numbers[i]);
}

// The first words of Philox4x32-10 with the key 0.
__global__ void words(unsigned* out) {
  curandStatePhilox4_32_10_t state;
  curand_init(0, 0, 0, &state);
  const uint4 first = curand4(&state);
  out[0] = first.x;
  out[1] = first.w;
  curand_init(0, 0, 3, &state);
  out[2] = curand(&state);
}

template <typename T>
double mean_of(const T* device) {
  std::vector<T> host(kNumbers);
  cudaMemcpy(host.data(), device, kNumbers * sizeof(T), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (const T number : host) sum += double(number);
  return sum / kNumbers;
}

// How many means of the host's functions are far from the expected ones.
int wrong_means() {
  curandGenerator_t generator;
  float* f;
  double* d;
  unsigned* u;
  int version = 0;
  cudaMalloc(&f, kNumbers * sizeof *f);
  cudaMalloc(&d, kNumbers * sizeof *d);
  cudaMalloc(&u, kNumbers * sizeof *u);
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandSetPseudoRandomGeneratorSeed(generator, 1234);
  curandSetGeneratorOffset(generator, 5);
  curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_BEST);
  curandSetStream(generator, nullptr);
  int wrong = curandGetVersion(&version) != CURAND_STATUS_SUCCESS || version < 10000;
  const auto check = [&wrong](curandStatus_t status, double mean, double expected) {
    wrong += status != CURAND_STATUS_SUCCESS || !(std::fabs(mean - expected) < 0.1);
  };
  curandStatus_t status = curandGenerate(generator, u, kNumbers);
  check(status, mean_of(u) / 4294967296.0, 0.5);
  status = curandGenerateUniform(generator, f, kNumbers);
  check(status, mean_of(f), 0.5);
  status = curandGenerateUniformDouble(generator, d, kNumbers);
  check(status, mean_of(d), 0.5);
  status = curandGenerateNormal(generator, f, kNumbers, 2, 1);
  check(status, mean_of(f), 2);
  status = curandGenerateNormalDouble(generator, d, kNumbers, -1, 2);
  check(status, mean_of(d), -1);
  status = curandGenerateLogNormal(generator, f, kNumbers, 0, 0.5f);
  check(status, mean_of(f), std::exp(0.125));
  status = curandGenerateLogNormalDouble(generator, d, kNumbers, 0, 0.5);
  check(status, mean_of(d), std::exp(0.125));
  if (status == CURAND_STATUS_SUCCESS) status = curandGenerateSeeds(generator);
  check(status, mean_of(d), std::exp(0.125));
  status = curandGeneratePoisson(generator, u, kNumbers, 10);
  check(status, mean_of(u), 10);
  wrong += curandGenerateNormal(generator, f, 3, 0, 1) != CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  curandDestroyGenerator(generator);
  float host[2] = {0, 0};
  curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  curandGenerateUniform(generator, host, 2);
  curandDestroyGenerator(generator);
  wrong += host[0] != 0x6627e8d5 * 0x1p-32f + 0x1p-33f || host[1] == 0;
  cudaFree(f);
  cudaFree(d);
  cudaFree(u);
  return wrong;
}

int main() {
  curandState* states;
  float *d_distance, distance[kWalks];
  double *d_sums, sums[12];
  unsigned *d_words, first[3];
  cudaMalloc(&states, kWalks * sizeof(curandState));
  cudaMalloc(&d_distance, sizeof distance);
  cudaMalloc(&d_sums, sizeof sums);
  cudaMalloc(&d_words, sizeof first);
  cudaMemset(d_sums, 0, sizeof sums);
  init<<<kWalks / 64, 64>>>(states, 42);
  walk<<<kWalks / 64, 64>>>(states, d_distance);
  means<<<kNumbers / 128, 128>>>(d_sums);
  words<<<1, 1>>>(d_words);
  cudaMemcpy(distance, d_distance, sizeof distance, cudaMemcpyDeviceToHost);
  cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
  cudaMemcpy(first, d_words, sizeof first, cudaMemcpyDeviceToHost);
  const double lognormal = std::exp(0.125);
  const double expected[] = {0.5, 0, 0.5, 0, lognormal, lognormal, 3, 0.5, 0, 0, 0, 0.5};
  double squares = 0;
  for (const float each : distance) squares += each / kWalks;
  int wrong = wrong_means() + (std::fabs(squares / kSteps - 1) > 0.3);
  for (int i = 0; i < 12; ++i) wrong += !(std::fabs(sums[i] / kNumbers - expected[i]) < 0.1);
  wrong += first[0] != 0x6627e8d5 || first[1] != 0x9b00dbd8 || first[2] != 0x9b00dbd8;
  std::printf("mean square of %d steps: %g, %d wrong\n", kSteps, squares, wrong);
  cudaFree(states);
  cudaFree(d_distance);
  cudaFree(d_sums);
  cudaFree(d_words);
  return wrong;
}

// BUG no_init
// - init<<<kWalks / 64, 64>>>(states, 42);
// + init<<<kWalks / 64 - 1, 64>>>(states, 42);
// ! which no copy and no earlier launch has initialised
// @ curandState state = states[i];

// BUG same_sequence
// - curand_init(seed, i, 0, &states[i]);
// + curand_init(seed, 0, 0, &states[i]);
// ! wrong result

// BUG one_state
// - curand_init(seed, i, 0, &states[i]);
// + curand_init(seed, i, 0, &states[blockIdx.x]);
// ! which another thread stores as well
// @ curand_init(seed, i, 0, &states[blockIdx.x]);
