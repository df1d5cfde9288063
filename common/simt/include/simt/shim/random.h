// cuRAND for kernels. All types of states are Philox4x32-10: numbers of curandStatePhilox4_32_10_t are those of a GPU,
// the others have the same distribution.
#pragma once
#include "simt/api/philox.h"
#include "simt/api/random.h"
#include "simt/shim/vector_types.h"

namespace simt {

template <int TYPE>
struct RandomState {
  Random random;
  float second;  // the second of two normal numbers
  double second_double;
  bool has_second, has_second_double;
};

// The next normal number, by pairs.
template <typename T>
__forceinline__ T normal(Random& random, T& second, bool& has_second) {
  T number = second;
  if (!has_second) random.normals(number, second);
  has_second = !has_second;
  return number;
}

}  // namespace simt

typedef simt::RandomState<0> curandStateXORWOW_t;
typedef simt::RandomState<1> curandStatePhilox4_32_10_t;
typedef simt::RandomState<2> curandStateMRG32k3a_t;
typedef curandStateXORWOW_t curandStateXORWOW;
typedef curandStatePhilox4_32_10_t curandStatePhilox4_32_10;
typedef curandStateMRG32k3a_t curandStateMRG32k3a;
typedef curandStateXORWOW_t curandState_t;
typedef curandState_t curandState;

template <int TYPE>
__forceinline__ void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, simt::RandomState<TYPE>* state) {
  *state = {{seed, subsequence, offset}, 0, 0, false, false};
}
template <int TYPE>
__forceinline__ void skipahead(unsigned long long count, simt::RandomState<TYPE>* state) {
  state->random.position += count;
}
template <int TYPE>
__forceinline__ void skipahead_sequence(unsigned long long count, simt::RandomState<TYPE>* state) {
  state->random.subsequence += count;
}

// NAME(state): `expression` of the Random r, which is loaded before and stored after it.
#define SIMT_RANDOM(T, name, expression)                   \
  template <int TYPE>                                      \
  __forceinline__ T name(simt::RandomState<TYPE>* state) { \
    simt::Random r = state->random;                        \
    const T number = expression;                           \
    state->random = r;                                     \
    return number;                                         \
  }
SIMT_RANDOM(unsigned, curand, r.word())
SIMT_RANDOM(float, curand_uniform, r.uniform())
SIMT_RANDOM(double, curand_uniform_double, r.uniform_double())
SIMT_RANDOM(float, curand_normal, (simt::normal(r, state->second, state->has_second)))
SIMT_RANDOM(double, curand_normal_double,
            (simt::normal(r, state->second_double, state->has_second_double)))
#undef SIMT_RANDOM

template <int TYPE>
__forceinline__ float curand_log_normal(simt::RandomState<TYPE>* state, float mean,
                                        float deviation) {
  return std::exp(mean + deviation * curand_normal(state));
}
template <int TYPE>
__forceinline__ double curand_log_normal_double(simt::RandomState<TYPE>* state, double mean,
                                                double deviation) {
  return std::exp(mean + deviation * curand_normal_double(state));
}
template <int TYPE>
__forceinline__ unsigned curand_poisson(simt::RandomState<TYPE>* state, double lambda) {
  simt::Random r = state->random;
  const unsigned count = r.poisson(lambda);
  state->random = r;
  return count;
}

// The names of vectors of such numbers, and of the number.
#define SIMT_RANDOM_PAIR(V, pair, number)                  \
  template <int TYPE>                                      \
  __forceinline__ V pair(simt::RandomState<TYPE>* state) { \
    const auto x = number(state), y = number(state);       \
    return {x, y};                                         \
  }
#define SIMT_RANDOM_QUAD(V, quad, number)                                  \
  template <int TYPE>                                                      \
  __forceinline__ V quad(simt::RandomState<TYPE>* s) {                     \
    const auto x = number(s), y = number(s), z = number(s), w = number(s); \
    return {x, y, z, w};                                                   \
  }
SIMT_RANDOM_PAIR(float2, curand_normal2, curand_normal)
SIMT_RANDOM_PAIR(double2, curand_normal2_double, curand_normal_double)
SIMT_RANDOM_PAIR(double2, curand_uniform2_double, curand_uniform_double)
SIMT_RANDOM_QUAD(uint4, curand4, curand)
SIMT_RANDOM_QUAD(float4, curand_normal4, curand_normal)
SIMT_RANDOM_QUAD(float4, curand_uniform4, curand_uniform)
#undef SIMT_RANDOM_PAIR
#undef SIMT_RANDOM_QUAD
