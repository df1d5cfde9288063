// cuda::atomic and cuda::atomic_ref. The checks see the builtins as atomic operations. They order threads' accesses
// unless they are relaxed. All scopes are the same here: an operation is atomic for all threads.
#pragma once
#include <atomic>
#include <type_traits>

#include "simt/api/threads.h"
#include "simt/shim/cuda/scopes.h"
#include "simt/shim/vector_types.h"

namespace cuda {

using ::std::atomic_signal_fence;
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

}  // namespace cuda

namespace simt {

// An operation on an object of 1, 2, 4 or 8 bytes, by its bits.
template <typename T>
struct AtomicBits {
  static_assert(kCopiedByBytes<T> &&
                    (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8),
                "the CPU backend has cuda::atomic of types of 1, 2, 4 or 8 bytes");
  using Type = std::conditional_t<
      sizeof(T) == 1, unsigned char,
      std::conditional_t<sizeof(T) == 2, unsigned short,
                         std::conditional_t<sizeof(T) == 4, unsigned, unsigned long>>>;
  SIMT_UNCHECKED static Type of(T value) {
    Type bits;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
  }
  SIMT_UNCHECKED static T value(Type bits) {
    T value;
    __builtin_memcpy(static_cast<void*>(&value), &bits, sizeof value);
    return value;
  }
  static Type* at(const T* address) {
    return reinterpret_cast<Type*>(const_cast<std::remove_const_t<T>*>(address));
  }
};

// The memory order of a failing comparison, which only reads.
constexpr int order_of_failure(int order) {
  return order == __ATOMIC_ACQ_REL   ? __ATOMIC_ACQUIRE
         : order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED
                                     : order;
}

}  // namespace simt

namespace cuda {

// The operations of an atomic object at address(). All have volatile, so that a volatile object has them, too.
template <typename T, typename Self>
class atomic_operations {
  using B = simt::AtomicBits<T>;
  __forceinline__ T* at() const volatile {
    return const_cast<const Self*>(static_cast<const volatile Self*>(this))->address();
  }
  template <typename F>
  __forceinline__ T update(F f, memory_order order) const volatile {
    T old = load(memory_order_relaxed);
    while (!compare_exchange_weak(old, f(old), order)) {
    }
    return old;
  }

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;
  bool is_lock_free() const volatile { return true; }

  __forceinline__ T load(memory_order order = memory_order_seq_cst) const volatile {
    return B::value(__atomic_load_n(B::at(at()), int(order)));
  }
  __forceinline__ void store(T value, memory_order order = memory_order_seq_cst) const volatile {
    __atomic_store_n(B::at(at()), B::of(value), int(order));
  }
  __forceinline__ T exchange(T value, memory_order order = memory_order_seq_cst) const volatile {
    return B::value(__atomic_exchange_n(B::at(at()), B::of(value), int(order)));
  }
  __forceinline__ bool compare_exchange_strong(T& expected, T value,
                                               memory_order order = memory_order_seq_cst) const
      volatile {
    return compare_exchange_strong(expected, value, order,
                                   memory_order(simt::order_of_failure(int(order))));
  }
  __forceinline__ bool compare_exchange_strong(T& expected, T value, memory_order order,
                                               memory_order failure) const volatile {
    typename B::Type bits = B::of(expected);
    const bool done = __atomic_compare_exchange_n(B::at(at()), &bits, B::of(value), false,
                                                  int(order), int(failure));
    if (!done) expected = B::value(bits);
    return done;
  }
  __forceinline__ bool compare_exchange_weak(T& expected, T value,
                                             memory_order order = memory_order_seq_cst) const
      volatile {
    return compare_exchange_strong(expected, value, order);
  }
  __forceinline__ bool compare_exchange_weak(T& expected, T value, memory_order order,
                                             memory_order failure) const volatile {
    return compare_exchange_strong(expected, value, order, failure);
  }

#define SIMT_FETCH(name, builtin, expression)                                        \
  __forceinline__ T fetch_##name(T value, memory_order order = memory_order_seq_cst) \
      const volatile {                                                               \
    if constexpr (::std::is_integral_v<T>) {                                         \
      return T(builtin(B::at(at()), typename B::Type(value), int(order)));           \
    } else {                                                                         \
      return update([value](T old) { return expression; }, order);                   \
    }                                                                                \
  }
  SIMT_FETCH(add, __atomic_fetch_add, old + value)
  SIMT_FETCH(sub, __atomic_fetch_sub, old - value)
#undef SIMT_FETCH
#define SIMT_FETCH(name, builtin)                                                    \
  __forceinline__ T fetch_##name(T value, memory_order order = memory_order_seq_cst) \
      const volatile {                                                               \
    static_assert(::std::is_integral_v<T>, "fetch_" #name " is for integers");       \
    return T(builtin(B::at(at()), typename B::Type(value), int(order)));             \
  }
  SIMT_FETCH(and, __atomic_fetch_and)
  SIMT_FETCH(or, __atomic_fetch_or)
  SIMT_FETCH(xor, __atomic_fetch_xor)
#undef SIMT_FETCH
  __forceinline__ T fetch_min(T value, memory_order order = memory_order_seq_cst) const volatile {
    return update([value](T old) { return value < old ? value : old; }, order);
  }
  __forceinline__ T fetch_max(T value, memory_order order = memory_order_seq_cst) const volatile {
    return update([value](T old) { return old < value ? value : old; }, order);
  }

  __forceinline__ operator T() const volatile {
    return load();
  }  // NOLINT: as std::atomic
  __forceinline__ T operator++() const volatile {
    return fetch_add(T(1)) + T(1);
  }
  __forceinline__ T operator++(int) const volatile {
    return fetch_add(T(1));
  }
  __forceinline__ T operator--() const volatile {
    return fetch_sub(T(1)) - T(1);
  }
  __forceinline__ T operator--(int) const volatile {
    return fetch_sub(T(1));
  }
  __forceinline__ T operator+=(T value) const volatile {
    return fetch_add(value) + value;
  }
  __forceinline__ T operator-=(T value) const volatile {
    return fetch_sub(value) - value;
  }
  __forceinline__ T operator&=(T value) const volatile {
    return fetch_and(value) & value;
  }
  __forceinline__ T operator|=(T value) const volatile {
    return fetch_or(value) | value;
  }
  __forceinline__ T operator^=(T value) const volatile {
    return fetch_xor(value) ^ value;
  }

  // Waits until the value differs from `old`.
  __forceinline__ void wait(T old, memory_order order = memory_order_seq_cst) const volatile {
    while (B::of(load(order)) == B::of(old)) {
    }
  }
  void notify_one() const volatile {}
  void notify_all() const volatile {}
};

// An object that threads access only by atomic operations.
template <typename T, thread_scope SCOPE = thread_scope_system>
class atomic : public atomic_operations<T, atomic<T, SCOPE>> {
 public:
  atomic() = default;
  constexpr atomic(T value) : value_(value) {}  // NOLINT: as std::atomic
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  atomic& operator=(const atomic&) volatile = delete;
  __forceinline__ T operator=(T value) {  // NOLINT: as std::atomic
    this->store(value);
    return value;
  }
  __forceinline__ T operator=(T value) volatile {  // NOLINT: as std::atomic
    this->store(value);
    return value;
  }
  T* address() const { return const_cast<T*>(&value_); }

 private:
  alignas(sizeof(T)) T value_;
};

// The same operations on an existing object.
template <typename T, thread_scope SCOPE = thread_scope_system>
class atomic_ref : public atomic_operations<T, atomic_ref<T, SCOPE>> {
 public:
  static constexpr ::std::size_t required_alignment = sizeof(T);
  explicit atomic_ref(T& object) : object_(&object) {}
  atomic_ref(const atomic_ref&) = default;
  atomic_ref& operator=(const atomic_ref&) = delete;
  __forceinline__ T operator=(T value) const {  // NOLINT: as std::atomic_ref
    this->store(value);
    return value;
  }
  T* address() const { return object_; }

 private:
  T* object_;
};

// See __threadfence().
inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
  if (order != memory_order_relaxed && scope < thread_scope_block) {
    simt::fence();
  }
}

}  // namespace cuda
