// float2, float4 and the like. Copying one is a single 8- or 16-byte access, as on a GPU.
#pragma once
#include "simt/api/qualifiers.h"

namespace simt {
typedef float Bytes16 __attribute__((vector_size(16), may_alias));
typedef long Bytes8 __attribute__((may_alias));
}  // namespace simt

// The empty asm makes the value opaque: without it the compiler would copy member by member.
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

#define SIMT_VECTOR2(Vector, T, size, Bytes, registers) \
  struct alignas(size) Vector {                         \
    T x, y;                                             \
    SIMT_COPY(Vector, Bytes, registers)                 \
    constexpr Vector(T x_, T y_) : x(x_), y(y_) {}      \
  };                                                    \
  inline Vector make_##Vector(T x, T y) {               \
    return Vector(x, y);                                \
  }

#define SIMT_VECTOR4(Vector, T)                                                      \
  struct alignas(16) Vector {                                                        \
    T x, y, z, w;                                                                    \
    SIMT_COPY(Vector, simt::Bytes16, SIMT_FLOAT_REGISTER)                            \
    constexpr Vector(T x_, T y_, T z_ = 0, T w_ = 0) : x(x_), y(y_), z(z_), w(w_) {} \
  };                                                                                 \
  inline Vector make_##Vector(T x, T y, T z, T w) {                                  \
    return Vector(x, y, z, w);                                                       \
  }

#define SIMT_VECTOR3(Vector, T)                \
  struct Vector {                              \
    T x, y, z;                                 \
  };                                           \
  inline Vector make_##Vector(T x, T y, T z) { \
    return Vector{x, y, z};                    \
  }

SIMT_VECTOR2(float2, float, 8, simt::Bytes8, "+r")
SIMT_VECTOR2(int2, int, 8, simt::Bytes8, "+r")
SIMT_VECTOR2(uint2, unsigned, 8, simt::Bytes8, "+r")
SIMT_VECTOR2(double2, double, 16, simt::Bytes16, SIMT_FLOAT_REGISTER)
SIMT_VECTOR2(longlong2, long long, 16, simt::Bytes16, SIMT_FLOAT_REGISTER)
SIMT_VECTOR2(ulonglong2, unsigned long long, 16, simt::Bytes16, SIMT_FLOAT_REGISTER)
SIMT_VECTOR4(float4, float)
SIMT_VECTOR4(int4, int)
SIMT_VECTOR4(uint4, unsigned)
SIMT_VECTOR3(float3, float)
SIMT_VECTOR3(int3, int)

#undef SIMT_COPY
#undef SIMT_VECTOR2
#undef SIMT_VECTOR3
#undef SIMT_VECTOR4
