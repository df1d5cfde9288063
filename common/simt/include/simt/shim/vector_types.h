// float2, float4 and the like. A copy of 2, 4, 8 or 16 bytes is a single access, as on a GPU; one of 32 bytes is two.
// Vectors of three elements are copied element by element.
#pragma once
#include <type_traits>

#include "simt/api/dim3.h"
#include "simt/api/qualifiers.h"

namespace simt {
typedef float Bytes16 __attribute__((vector_size(16), may_alias));
typedef long Bytes8 __attribute__((may_alias));
typedef int Bytes4 __attribute__((may_alias));
typedef short Bytes2 __attribute__((may_alias));

// Where CUDA asks for a trivially copyable type. Vectors are not, because they make a copy one access. Nor are
// structures that have one.
template <typename T>
constexpr bool kCopiedByBytes = std::is_trivially_destructible_v<T>;

// Takes the first element of float4{0}; the others are zeros. float4 v = 0 stays an error.
template <typename T>
struct First {
  T value;
  constexpr First(T v) : value(v) {}
};
}  // namespace simt

// The empty asm makes the value opaque: without it the compiler would copy member by member.
#define SIMT_MOVE(Bytes, registers, i)                         \
  {                                                            \
    Bytes value = (&reinterpret_cast<const Bytes&>(other))[i]; \
    __asm__("" : registers(value));                            \
    (&reinterpret_cast<Bytes&>(*this))[i] = value;             \
  }

#define SIMT_COPY(Vector, Bytes, registers)                               \
  Vector() = default;                                                     \
  __attribute__((always_inline)) Vector(const Vector& other) {            \
    Bytes value = reinterpret_cast<const Bytes&>(other);                  \
    __asm__("" : registers(value));                                       \
    reinterpret_cast<Bytes&>(*this) = value;                              \
  }                                                                       \
  __attribute__((always_inline)) Vector& operator=(const Vector& other) { \
    Bytes value = reinterpret_cast<const Bytes&>(other);                  \
    __asm__("" : registers(value));                                       \
    reinterpret_cast<Bytes&>(*this) = value;                              \
    return *this;                                                         \
  }

#define SIMT_COPY32(Vector)                                               \
  Vector() = default;                                                     \
  __attribute__((always_inline)) Vector(const Vector& other) {            \
    SIMT_MOVE(simt::Bytes16, SIMT_FLOAT_REGISTER, 0)                      \
    SIMT_MOVE(simt::Bytes16, SIMT_FLOAT_REGISTER, 1)                      \
  }                                                                       \
  __attribute__((always_inline)) Vector& operator=(const Vector& other) { \
    SIMT_MOVE(simt::Bytes16, SIMT_FLOAT_REGISTER, 0)                      \
    SIMT_MOVE(simt::Bytes16, SIMT_FLOAT_REGISTER, 1)                      \
    return *this;                                                         \
  }

#define SIMT_VECTOR1(Vector, T)      \
  struct Vector {                    \
    T x;                             \
  };                                 \
  inline Vector make_##Vector(T x) { \
    return Vector{x};                \
  }

#define SIMT_VECTOR2(Vector, T, size, Bytes, registers)              \
  struct alignas(size) Vector {                                      \
    T x, y;                                                          \
    SIMT_COPY(Vector, Bytes, registers)                              \
    constexpr Vector(T x_, T y_) : x(x_), y(y_) {}                   \
    constexpr Vector(simt::First<T> first) : x(first.value), y(0) {} \
  };                                                                 \
  inline Vector make_##Vector(T x, T y) {                            \
    return Vector(x, y);                                             \
  }

#define SIMT_VECTOR3(Vector, T)                \
  struct Vector {                              \
    T x, y, z;                                 \
  };                                           \
  inline Vector make_##Vector(T x, T y, T z) { \
    return Vector{x, y, z};                    \
  }

#define SIMT_VECTOR4(Vector, T, size, copies)                                        \
  struct alignas(size) Vector {                                                      \
    T x, y, z, w;                                                                    \
    copies;                                                                          \
    constexpr Vector(T x_, T y_, T z_ = 0, T w_ = 0) : x(x_), y(y_), z(z_), w(w_) {} \
    constexpr Vector(simt::First<T> first) : x(first.value), y(0), z(0), w(0) {}     \
  };                                                                                 \
  inline Vector make_##Vector(T x, T y, T z, T w) {                                  \
    return Vector(x, y, z, w);                                                       \
  }

// The vectors of a type whose pairs and fours are copied by one access.
#define SIMT_VECTORS(name, T, Pair, pair_registers, Four, four_registers) \
  SIMT_VECTOR1(name##1, T)                                                \
  SIMT_VECTOR2(name##2, T, sizeof(Pair), Pair, pair_registers)            \
  SIMT_VECTOR3(name##3, T)                                                \
  SIMT_VECTOR4(name##4, T, sizeof(Four), SIMT_COPY(name##4, Four, four_registers))

// The vectors of a type of 8 bytes. CUDA 13 has fours with two alignments.
#define SIMT_LONG_VECTORS(name, T)                                 \
  SIMT_VECTOR1(name##1, T)                                         \
  SIMT_VECTOR2(name##2, T, 16, simt::Bytes16, SIMT_FLOAT_REGISTER) \
  SIMT_VECTOR3(name##3, T)                                         \
  SIMT_VECTOR4(name##4, T, 16, SIMT_COPY32(name##4))               \
  SIMT_VECTOR4(name##4_16a, T, 16, SIMT_COPY32(name##4_16a))       \
  SIMT_VECTOR4(name##4_32a, T, 32, SIMT_COPY32(name##4_32a))

SIMT_VECTORS(char, signed char, simt::Bytes2, "+r", simt::Bytes4, "+r")
SIMT_VECTORS(uchar, unsigned char, simt::Bytes2, "+r", simt::Bytes4, "+r")
SIMT_VECTORS(short, short, simt::Bytes4, "+r", simt::Bytes8, "+r")
SIMT_VECTORS(ushort, unsigned short, simt::Bytes4, "+r", simt::Bytes8, "+r")
SIMT_VECTORS(int, int, simt::Bytes8, "+r", simt::Bytes16, SIMT_FLOAT_REGISTER)
SIMT_VECTORS(float, float, simt::Bytes8, "+r", simt::Bytes16, SIMT_FLOAT_REGISTER)
SIMT_VECTOR1(uint1, unsigned)
SIMT_VECTOR2(uint2, unsigned, 8, simt::Bytes8, "+r")
SIMT_VECTOR4(uint4, unsigned, 16, SIMT_COPY(uint4, simt::Bytes16, SIMT_FLOAT_REGISTER))
SIMT_LONG_VECTORS(long, long)
SIMT_LONG_VECTORS(ulong, unsigned long)
SIMT_LONG_VECTORS(longlong, long long)
SIMT_LONG_VECTORS(ulonglong, unsigned long long)
SIMT_LONG_VECTORS(double, double)

// uint3 is the type of threadIdx (common/simt/include/simt/api/dim3.h).
inline uint3 make_uint3(unsigned x, unsigned y, unsigned z) {
  return uint3{x, y, z};
}

#undef SIMT_MOVE
#undef SIMT_COPY32
#undef SIMT_VECTOR1
#undef SIMT_VECTOR2
#undef SIMT_VECTOR3
#undef SIMT_VECTOR4
#undef SIMT_VECTORS
#undef SIMT_LONG_VECTORS
