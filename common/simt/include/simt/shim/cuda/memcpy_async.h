// Asynchronous copies from global to shared memory by one thread or by a group.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "simt/api/library_copies.h"
#include "simt/api/threads.h"
#include "simt/shim/cuda/barrier.h"

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace simt {

// A group of one thread.
struct Alone {
  unsigned thread_rank() const { return 0; }
  unsigned size() const { return 1; }
};

// A synchronous copy by the threads.
template <typename Unit, typename Group>
__forceinline__ void copy_now(const Group& group, void* to, const void* from, size_t bytes) {
  for (size_t i = group.thread_rank(); i < bytes / sizeof(Unit); i += group.size()) {
    static_cast<Unit*>(to)[i] = static_cast<const Unit*>(from)[i];
  }
}

// ALIGNMENT: the alignment that the types promise. Calls start(to, from, size) for each unit of this thread, of 4, 8 or
// 16 bytes. Copies synchronously if no unit fits.
template <size_t ALIGNMENT, typename Group, typename Start>
__forceinline__ void copy_units(const Group& group, void* to, const void* from, size_t bytes,
                                Start start) {
  const size_t most = ALIGNMENT == 4 || ALIGNMENT == 8 ? ALIGNMENT : 16;
  const size_t fits = async_unit(to, from, bytes), unit = fits < most ? fits : most;
  const size_t all = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from) | bytes;
  if (unit != 0) {
    for (size_t i = group.thread_rank(); i < bytes / unit; i += group.size()) {
      start(static_cast<char*>(to) + i * unit, static_cast<const char*>(from) + i * unit, unit);
    }
  } else if (all % 4 == 0) {
    copy_now<unsigned>(group, to, from, bytes);
  } else {
    copy_now<char>(group, to, from, bytes);
  }
}

// One thread starts a TMA copy if the caller declares the data aligned to 16 bytes. Otherwise each thread copies a
// part.
template <size_t ALIGNMENT, typename Group>
__forceinline__ void copy_for_barrier(const Group& group, void* to, const void* from, size_t bytes,
                                      uint64_t* barrier, const char* file, int line) {
  if (ALIGNMENT >= 16 && bytes > 0 && async_unit(to, from, 4) != 0) {
    if (group.thread_rank() == 0) {
      bulk_copy_to_barrier(to, from, bytes, barrier, file, line);
    }
    return;
  }
  copy_units<ALIGNMENT>(group, to, from, bytes, [=](void* shared, const void* global, size_t size) {
    copy_to_barrier(shared, global, size, barrier, file, line);
  });
}

template <typename Group>
using IsGroup = decltype(std::declval<const Group&>().thread_rank());

template <typename T, typename Size>
constexpr size_t alignment_of_copy() {
  return Promised<Size>::value > Alignment<T>::value ? Promised<Size>::value : Alignment<T>::value;
}

}  // namespace simt

namespace cuda {

// Whether the caller must wait for a copy. It does not say which path the copy takes.
enum class async_contract_fulfillment { none, async };

// The barrier's running phase also waits for the bytes.
template <typename Group, typename To, typename From, typename Size, thread_scope SCOPE,
          typename Completion, typename = simt::IsGroup<Group>>
__forceinline__ async_contract_fulfillment memcpy_async(const Group& group, To* to,
                                                        const From* from, Size bytes,
                                                        barrier<SCOPE, Completion>& b, SIMT_PLACE) {
  simt::copy_for_barrier<simt::alignment_of_copy<To, Size>()>(group, to, from, bytes, b.native(),
                                                              file, line);
  return async_contract_fulfillment::async;
}
template <typename To, typename From, typename Size, thread_scope SCOPE, typename Completion>
__forceinline__ async_contract_fulfillment memcpy_async(To* to, const From* from, Size bytes,
                                                        barrier<SCOPE, Completion>& b, SIMT_PLACE) {
  return memcpy_async(simt::Alone(), to, from, bytes, b, file, line);
}

}  // namespace cuda
#undef SIMT_PLACE
