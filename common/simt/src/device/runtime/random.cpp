// cuRAND for hosts. Number i of a generator does not depend on how many calls made it.
#include "simt/api/random.h"

#include <cstring>
#include <vector>

#include "device/device.h"
#include "host/host.h"
#include "reports/reports.h"
#include "simt/api/philox.h"
#include "simt/api/streams.h"

struct curandGenerator_st {
  simt::Random random;
  bool host;
};

namespace {

// Stores `count` numbers that `make` draws, at the host or on the device.
template <typename T, typename Make>
curandStatus_t generate(const char* function, curandGenerator_t generator, T* to, size_t count,
                        Make make) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (simt::fails(function)) return CURAND_STATUS_PREEXISTING_FAILURE;
  std::vector<T> numbers(count);
  make(generator->random, numbers);
  if (count == 0) return CURAND_STATUS_SUCCESS;
  simt::Arena& arena = simt::Arena::get();
  const uintptr_t begin = reinterpret_cast<uintptr_t>(to);
  const size_t bytes = count * sizeof(T);
  if (!generator->host && !arena.inside_one(to, bytes)) {
    simt::tell_host_error(std::string(function) +
                          "() fails: its destination does not lie in device memory with all of "
                          "its elements");
    return CURAND_STATUS_LAUNCH_FAILURE;
  }
  const simt::OpenMemory open;
  std::memcpy(to, numbers.data(), bytes);
  if (!generator->host) arena.set_state(begin, bytes, simt::kInitialized);
  return CURAND_STATUS_SUCCESS;
}

// Fills with one number at a time.
template <typename Draw>
auto each(Draw draw) {
  return [draw](simt::Random& random, auto& numbers) {
    for (auto& number : numbers) number = draw(random);
  };
}

template <typename T, bool LOGARITHMIC>
curandStatus_t generate_normal(const char* function, curandGenerator_t generator, T* to,
                               size_t count, T mean, T deviation) {
  if (count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  const auto scaled = [mean, deviation](T x) {
    const T y = mean + deviation * x;
    return LOGARITHMIC ? std::exp(y) : y;
  };
  return generate(function, generator, to, count, [&](simt::Random& random, auto& numbers) {
    for (size_t i = 0; i < numbers.size(); i += 2) {
      random.normals(numbers[i], numbers[i + 1]);
      numbers[i] = scaled(numbers[i]);
      numbers[i + 1] = scaled(numbers[i + 1]);
    }
  });
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool host) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (type < CURAND_RNG_PSEUDO_DEFAULT || type > CURAND_RNG_PSEUDO_PHILOX4_32_10) {
    return CURAND_STATUS_TYPE_ERROR;
  }
  *generator = new curandGenerator_st{{}, host};
  return CURAND_STATUS_SUCCESS;
}

}  // namespace

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  delete generator;
  return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->random = {seed, 0, 0};
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->random.position = offset;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t) {
  return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  return simt::check_stream(stream) == cudaSuccess ? CURAND_STATUS_SUCCESS
                                                   : CURAND_STATUS_LAUNCH_FAILURE;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int* version) {
  if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  *version = 10400;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* to, size_t count) {
  return generate("curandGenerate", generator, to, count,
                  each([](simt::Random& random) { return random.word(); }));
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* to, size_t count) {
  return generate("curandGenerateUniform", generator, to, count,
                  each([](simt::Random& random) { return random.uniform(); }));
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* to, size_t count) {
  return generate("curandGenerateUniformDouble", generator, to, count,
                  each([](simt::Random& random) { return random.uniform_double(); }));
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* to, size_t count,
                                    float mean, float deviation) {
  return generate_normal<float, false>("curandGenerateNormal", generator, to, count, mean,
                                       deviation);
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* to, size_t count,
                                          double mean, double deviation) {
  return generate_normal<double, false>("curandGenerateNormalDouble", generator, to, count, mean,
                                        deviation);
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* to, size_t count,
                                       float mean, float deviation) {
  return generate_normal<float, true>("curandGenerateLogNormal", generator, to, count, mean,
                                      deviation);
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* to, size_t count,
                                             double mean, double deviation) {
  return generate_normal<double, true>("curandGenerateLogNormalDouble", generator, to, count, mean,
                                       deviation);
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned* to, size_t count,
                                     double lambda) {
  if (!(lambda > 0)) return CURAND_STATUS_OUT_OF_RANGE;
  return generate("curandGeneratePoisson", generator, to, count,
                  each([lambda](simt::Random& random) { return random.poisson(lambda); }));
}
