// DPX functions and PTX forms against plain C++, after the descriptions in NVIDIA's math API and PTX manual.
#include "tests/asm/edges.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/catch.h"
#include "tests/device_array.h"

namespace {

__extension__ typedef __int128 Wide;

int64_t s(uint32_t word) {
  return int32_t(word);
}
int64_t low24(uint32_t word) {
  return int32_t(word << 8) >> 8;
}
template <typename T>
uint32_t limited(T value) {
  return uint32_t(int64_t(std::min(std::max(value, T(INT32_MIN)), T(INT32_MAX))));
}
// So many ones; 32 are the most.
uint64_t ones(unsigned count) {
  return (uint64_t(1) << std::min(count, 32u)) - 1;
}
// `length` bits of a word from bit `at` on, and what a signed number has above them.
uint32_t field(uint32_t word, unsigned at, unsigned length) {
  return uint32_t((at &= 255) > 31 ? 0 : word >> at & ones(length & 255));
}
uint32_t signed_field(uint32_t word, unsigned at, unsigned length) {
  at &= 255, length &= 255;
  const int32_t rest = int32_t(word) >> std::min(at, 31u);
  const unsigned unused = 32 - std::min(length, 32u);
  return length == 0 ? 0 : uint32_t(int32_t(uint32_t(rest) << unused) >> unused);
}
uint32_t second_bit(uint32_t word, unsigned from) {
  const uint32_t rest = word >> from << from;
  const uint32_t without = rest & (rest - 1);
  return rest == 0 || without == 0 ? ~0u : uint32_t(__builtin_ctz(without));
}
float flushed(float x) {
  return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x;
}
// A NaN loses, and -0 is less than 0.
float least(float x, float y) {
  if (x != x || y != y) return x != x ? y : x;
  return x < y || (x == y && std::signbit(x)) ? x : y;
}
template <typename T, typename Operation>
uint32_t each_half(uint32_t a, uint32_t b, uint32_t c, Operation operation) {
  return uint32_t(uint16_t(operation(T(a >> 16), T(b >> 16), T(c >> 16)))) << 16 |
         uint16_t(operation(T(a), T(b), T(c)));
}
// Byte i is number which(i) of the eight bytes; its sign from 8 on.
template <typename Which>
uint32_t bytes(uint32_t a, uint32_t b, Which which) {
  const uint64_t all = uint64_t(b) << 32 | a;
  uint8_t to[4];
  for (int i = 0; i < 4; ++i) {
    const unsigned number = unsigned(which(i));
    to[i] = uint8_t(all >> number % 8 * 8);
    if (number > 7) to[i] = to[i] > 127 ? 255 : 0;
  }
  uint32_t word;
  std::memcpy(&word, to, sizeof word);
  return word;
}
template <typename A, typename B, int COUNT>
uint32_t dot(uint32_t a, uint32_t b) {
  A first[4 / sizeof(A)];
  B second[4];
  std::memcpy(first, &a, sizeof a);
  std::memcpy(second, &b, sizeof b);
  uint32_t sum = 0;
  for (int i = 0; i < COUNT; ++i) sum += uint32_t(first[i]) * uint32_t(second[i]);
  return sum;
}
float as_float(uint32_t word) {
  float x;
  std::memcpy(&x, &word, sizeof x);
  return x;
}

// A NaN becomes the highest bit alone, as in all conversions from or to 64 bits.
uint64_t truncated(float x) {
  return x != x || x < -0x1p63f ? uint64_t(1) << 63
         : x >= 0x1p63f         ? INT64_MAX
                                : uint64_t(int64_t(x));
}
uint32_t truncated_word(uint64_t bits) {
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x != x ? 0x80000000 : limited(std::trunc(x));
}

std::vector<uint32_t> all_words() {
  const uint32_t edges[] = {0,          1,          2,          31,         32,         33,
                            0x7f,       0x80,       0x7fff,     0x8000,     0x7fffff,   0x800000,
                            0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0x7fff7fff, 0x80008000,
                            0x7f800000, 0xff800000, 0x7fc00000, 0x3f800000, 0xbf800000, 0x00400000};
  std::vector<uint32_t> words;
  for (const uint32_t a : edges) {
    for (const uint32_t b : edges) {
      for (const uint32_t c : edges) words.insert(words.end(), {a, b, c});
    }
  }
  std::mt19937 random(1);
  for (int i = 0; i < 3 * 2048; ++i) words.push_back(random() >> (i % 4 == 0 ? random() % 32 : 0));
  return words;
}

#define X_ONE(form, expected) +1
constexpr size_t kFloats = 0 FLOAT_FORMS(X_ONE);
constexpr size_t kForms =
    kFloats DPX_FUNCTIONS(X_ONE) WORD_FORMS(X_ONE) LONG_FORMS(X_ONE) HALF_FORMS(X_ONE);
const std::vector<uint32_t> kWords = all_words();
const unsigned kCount = unsigned(kWords.size() / 3);

std::vector<uint64_t> computed() {
  DeviceArray<uint32_t> words(kWords);
  DeviceArray<uint64_t> results(std::vector<uint64_t>(kForms * kCount));
  edges::compute(words.get(), results.get(), kCount);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  return results.values();
}

// The first triple for which a form differs, as text; empty if there is none.
template <typename Expected>
std::string difference(const uint64_t* results, Expected expected) {
  for (unsigned i = 0; i < kCount; ++i) {
    const uint32_t* const w = &kWords[i * 3];
    const uint64_t wanted = expected(w[0], w[1], w[2]);
    if (results[i] != wanted) {
      char text[160];
      std::snprintf(text, sizeof text, "%#x, %#x, %#x: %#llx instead of %#llx", w[0], w[1], w[2],
                    static_cast<unsigned long long>(results[i]),
                    static_cast<unsigned long long>(wanted));
      return text;
    }
  }
  return "";
}

uint64_t bits_of(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return x != x ? 0x7fffffff : bits;
}

}  // namespace

TEST_CASE("DPX functions and PTX forms have the values that NVIDIA's manuals describe") {
  std::vector<uint64_t> all = computed();
  const uint64_t* next = all.data();
#define COMPARE(name, expression)                                                              \
  {                                                                                            \
    INFO(name);                                                                                \
    CHECK(difference(next, [](uint32_t a, uint32_t b, uint32_t c) -> uint64_t {                \
            [[maybe_unused]] const float x = as_float(a), y = as_float(b);                     \
            [[maybe_unused]] const uint16_t h = uint16_t(a), i = uint16_t(b), j = uint16_t(c); \
            [[maybe_unused]] const uint64_t k = uint64_t(b) << 32 | a;                         \
            [[maybe_unused]] const uint64_t l = uint64_t(c) << 32 | b;                         \
            [[maybe_unused]] const uint64_t m = uint64_t(a) << 32 | c;                         \
            [[maybe_unused]] const int64_t sk = int64_t(k), sl = int64_t(l);                   \
            return expression;                                                                 \
          }) == "");                                                                           \
    next += kCount;                                                                            \
  }
#define X_DPX(call, expected) COMPARE(#call, uint32_t(expected))
  DPX_FUNCTIONS(X_DPX)
#define X_WORD(text, expected) COMPARE(text, uint32_t(expected))
  WORD_FORMS(X_WORD)
  const size_t floats = size_t(next - all.data());
  for (size_t i = 0; i < kFloats * kCount; ++i) {
    all[floats + i] = bits_of(as_float(uint32_t(all[floats + i])));
  }
#define X_FLOAT(text, expected) COMPARE(text, bits_of(expected))
  FLOAT_FORMS(X_FLOAT)
#define X_LONG(text, expected) COMPARE(text, expected)
  LONG_FORMS(X_LONG)
#define X_HALF(text, expected) COMPARE(text, uint16_t(expected))
  HALF_FORMS(X_HALF)
}
