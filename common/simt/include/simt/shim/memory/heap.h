// Memory that kernels allocate. simtcc turns malloc(), free(), new and delete of device functions into these. On the
// host, where functions for both run, they are the host's.
#pragma once
#include <cstdlib>
#include <new>
#include <type_traits>

#include "simt/api/threads.h"

namespace simt {

struct DeviceHeap {};

inline void* heap_malloc(size_t bytes) {
  return runs_kernel() ? heap_allocate(bytes) : std::malloc(bytes);
}
inline void heap_release(void* block, const char* file = __builtin_FILE(),
                         int line = __builtin_LINE()) {
  return runs_kernel() ? heap_free(block, file, line) : std::free(block);
}

template <typename T>
void heap_delete(T* object, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (object == nullptr || !runs_kernel()) {
    delete object;
    return;
  }
  void* block = (void*)object;
  if constexpr (std::is_polymorphic_v<T>) block = (void*)dynamic_cast<const void*>(object);
  object->~T();
  heap_free(block, file, line);
}

// In front of elements with destructors, new[] stores how many there are.
template <typename T>
void heap_delete_array(T* array, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (array == nullptr || !runs_kernel()) {
    delete[] array;
    return;
  }
  char* block = (char*)array;
  if constexpr (!std::is_trivially_destructible_v<T>) {
    for (size_t i = reinterpret_cast<size_t*>(array)[-1]; i > 0; --i) array[i - 1].~T();
    block -= alignof(T) > sizeof(size_t) ? alignof(T) : sizeof(size_t);
  }
  heap_free(block, file, line);
}

}  // namespace simt

inline void* operator new(size_t bytes, simt::DeviceHeap) noexcept {
  return simt::heap_malloc(bytes);
}
inline void* operator new[](size_t bytes, simt::DeviceHeap) noexcept {
  return simt::heap_malloc(bytes);
}
