// Which bytes of a type are padding, for the check of uninitialised shared memory.
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

namespace simt {

template <size_t SIZE>
struct RawBytes {
  unsigned char bytes[SIZE];
};

// A byte of an object that has a value. No constant expression where that byte is padding.
template <typename T>
constexpr unsigned byte_of(size_t i) {
  return __builtin_bit_cast(RawBytes<sizeof(T)>, T{}).bytes[i];
}

template <typename T, size_t BYTE, typename = void>
constexpr unsigned kPaddingAt = 1u << BYTE;
template <typename T, size_t BYTE>
constexpr unsigned kPaddingAt<T, BYTE, std::enable_if_t<(byte_of<T>(BYTE) < 256)>> = 0;

template <typename T, size_t... BYTES>
constexpr unsigned padding_among(std::index_sequence<BYTES...>) {
  constexpr unsigned all = (0u | ... | (1u << BYTES)), mask = (0u | ... | kPaddingAt<T, BYTES>);
  return mask == all ? 0 : mask;  // all: a constant expression cannot have such an object
}

template <typename T, typename = void>
constexpr bool kMayHavePadding = false;
template <typename T>
constexpr bool kMayHavePadding<T, decltype(void(T{}))> =
    std::is_class_v<T>&& std::is_trivially_copyable_v<T> && sizeof(T) <= 16;

// Bit i is set where byte i of a structure is padding. 0 if that is unknown. Copies of at most 16 bytes look like those
// of vectors, which have none; the checks know larger structures by the size of a copy.
template <typename T>
constexpr unsigned padding_of() {
  if constexpr (kMayHavePadding<T>) return padding_among<T>(std::make_index_sequence<sizeof(T)>());
  return 0;
}

}  // namespace simt
