// Atomic operations: on an OS thread's own shared memory and between the OS threads alike.
#include <cstring>

#include "execution/execution.h"
#include "races/races.h"
#include "simt/api/atomic_functions.h"

namespace {

// Integer and floating-point types of one size share the hardware's compare and swap.
template <typename T>
struct Bits {
  using Type = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
  static Type of(T value) {
    Type bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  static T value(Type bits) {
    T result;
    std::memcpy(&result, &bits, sizeof result);
    return result;
  }
};

template <typename T, typename Operation>
T update(T* address, Operation operation) {
  using B = Bits<T>;
  auto* word = reinterpret_cast<typename B::Type*>(address);
  typename B::Type old = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(word, &old, B::of(operation(B::value(old))), false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  if (B::of(operation(B::value(old))) != old) {
    simt::Recorder::running->log().changed();
  }
  return B::value(old);
}

template <typename T>
void record(T* address, const void* pc) {
  simt::Recorder::running->any_access(address, sizeof(T), simt::Access::Atomic, pc);
}

// The same of what locks are made of.
template <typename T>
void record_lock(T* address, const void* pc) {
  simt::Recorder::running->lock();
  record(address, pc);
}

}  // namespace

// Never inlined, so that the return address is the kernel's instruction.
#define SIMT_ATOMIC(name, T, expression)                                \
  __attribute__((noinline)) T name(T* address, T value) {               \
    record(address, __builtin_return_address(0));                       \
    return update(address, [value](T old) -> T { return expression; }); \
  }

SIMT_ATOMIC(atomicAdd, int, int(unsigned(old) + unsigned(value)))
SIMT_ATOMIC(atomicAdd, unsigned, old + value)
SIMT_ATOMIC(atomicAdd, unsigned long long, old + value)
SIMT_ATOMIC(atomicAdd, float, old + value)
SIMT_ATOMIC(atomicAdd, double, old + value)
SIMT_ATOMIC(atomicSub, int, int(unsigned(old) - unsigned(value)))
SIMT_ATOMIC(atomicSub, unsigned, old - value)
SIMT_ATOMIC(atomicMin, int, old < value ? old : value)
SIMT_ATOMIC(atomicMin, unsigned, old < value ? old : value)
SIMT_ATOMIC(atomicMax, int, old < value ? value : old)
SIMT_ATOMIC(atomicMax, unsigned, old < value ? value : old)
SIMT_ATOMIC(atomicAnd, int, old& value)
SIMT_ATOMIC(atomicAnd, unsigned, old& value)
SIMT_ATOMIC(atomicOr, int, old | value)
SIMT_ATOMIC(atomicOr, unsigned, old | value)
SIMT_ATOMIC(atomicXor, int, old ^ value)
SIMT_ATOMIC(atomicXor, unsigned, old ^ value)

#define SIMT_EXCHANGE(T)                                        \
  __attribute__((noinline)) T atomicExch(T* address, T value) { \
    record_lock(address, __builtin_return_address(0));          \
    return update(address, [value](T) -> T { return value; });  \
  }

SIMT_EXCHANGE(int)
SIMT_EXCHANGE(unsigned)
SIMT_EXCHANGE(float)

#define SIMT_COMPARE_AND_SWAP(T)                                                      \
  __attribute__((noinline)) T atomicCAS(T* address, T compare, T value) {             \
    record_lock(address, __builtin_return_address(0));                                \
    return update(address, [=](T old) -> T { return old == compare ? value : old; }); \
  }

SIMT_COMPARE_AND_SWAP(int)
SIMT_COMPARE_AND_SWAP(unsigned)
SIMT_COMPARE_AND_SWAP(unsigned long long)
