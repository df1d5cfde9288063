// Registers of inline PTX: types by their PTX names, and the values of registers. simtcc turns instructions into calls.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "simt/api/ptx.h"
#include "simt/api/qualifiers.h"
#include "simt/api/threads.h"

namespace simt {
namespace ptx {

using type_b8 = uint8_t;
using type_u8 = uint8_t;
using type_s8 = int8_t;
using type_b16 = uint16_t;
using type_u16 = uint16_t;
using type_s16 = int16_t;
using type_b32 = uint32_t;
using type_u32 = uint32_t;
using type_s32 = int32_t;
using type_b64 = uint64_t;
using type_u64 = uint64_t;
using type_s64 = int64_t;
using type_f32 = float;
using type_f64 = double;

// The value of a register as a T. A literal may have another size; of a wider register, the lowest bits count.
template <typename T, typename A>
__forceinline__ T get(A a) {
  if constexpr (std::is_pointer_v<A>) {
    return T(reinterpret_cast<uintptr_t>(a));
  } else if constexpr (sizeof(A) == sizeof(T)) {
    T value;
    __builtin_memcpy(&value, &a, sizeof value);
    return value;
  } else if constexpr (std::is_floating_point_v<A> && std::is_floating_point_v<T>) {
    return T(a);
  } else {
    static_assert(std::is_integral_v<A> && std::is_integral_v<T>,
                  "PTX: a register of another size than its instruction's type");
    return T(a);
  }
}
// Fills the rest of a wider register with the sign of a signed type, else with zeros.
template <typename T, typename R>
__forceinline__ void put(R& to, T value) {
  if constexpr (sizeof(R) == sizeof(T)) {
    __builtin_memcpy(&to, &value, sizeof to);
  } else {
    static_assert(std::is_integral_v<R> && std::is_integral_v<T> && sizeof(R) > sizeof(T),
                  "PTX: a register of another size than its instruction's type");
    to = R(value);
  }
}

// A register of the same size as another type: an integer's bits as a float, and vice versa.
template <typename T, typename A>
__forceinline__ T bits_as(A a) {
  return get<T>(a);
}
template <typename T, typename R>
__forceinline__ T& register_as(R& r) {
  static_assert(sizeof(T) == sizeof(R), "PTX: a register of another size");
  return reinterpret_cast<T&>(r);
}

// The address `bytes` bytes after another.
template <typename A>
__forceinline__ auto behind(A base, long bytes) {
  if constexpr (std::is_pointer_v<A>) {
    return uint64_t(reinterpret_cast<uintptr_t>(base)) + uint64_t(bytes);
  } else {
    return A(base + A(bytes));
  }
}

template <typename T, typename R, typename A>
__forceinline__ void mov_as(R& to, A from) {
  put<T>(to, get<T>(from));
}

// The unsigned integer of a register's size.
template <typename R>
using Bits = std::conditional_t<sizeof(R) == 1, uint8_t,
                                std::conditional_t<sizeof(R) == 2, uint16_t, uint32_t>>;
// Packs several registers into one, the lowest part first.
template <typename Whole, typename R, typename... P>
__forceinline__ void pack(R& to, P... parts) {
  Whole whole = 0;
  unsigned at = 0;
  ((whole |= Whole(Whole(get<Bits<P>>(parts)) << at), at += sizeof(Whole) * 8 / sizeof...(P)), ...);
  put<Whole>(to, whole);
}
template <typename Whole, typename A, typename P>
__forceinline__ void unpack_part(A from, P& to, unsigned number) {
  put<Bits<P>>(to, Bits<P>(get<Whole>(from) >> number * sizeof(P) * 8));
}
template <typename Whole, unsigned NUMBER, typename P, typename A>
__forceinline__ void unpack_one(P& to, A from) {
  unpack_part<Whole>(from, to, NUMBER);
}
template <typename Whole, typename P, typename A>
__forceinline__ void unpack(P& p0, P& p1, A from) {
  const Whole whole = get<Whole>(from);
  unpack_part<Whole>(whole, p0, 0), unpack_part<Whole>(whole, p1, 1);
}
template <typename Whole, typename P, typename A>
__forceinline__ void unpack(P& p0, P& p1, P& p2, P& p3, A from) {
  const Whole whole = get<Whole>(from);
  unpack<Whole>(p0, p1, whole);
  unpack_part<Whole>(whole, p2, 2), unpack_part<Whole>(whole, p3, 3);
}

// Affects only speed.
template <typename... A>
__forceinline__ void hint(const A&...) {}
// A cache policy. Nothing uses its value.
template <typename R>
__forceinline__ void policy(R& to) {
  to = R(0);
}

}  // namespace ptx
}  // namespace simt
