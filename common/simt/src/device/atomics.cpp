// CUDA's atomic functions. They are atomic for lanes in shared memory and for OS threads in global memory alike.
#include <cstring>

#include "execution/execution.h"
#include "races/races.h"
#include "simt/api/atomic_functions.h"
#include "simt/api/bfloat16.h"
#include "simt/api/half.h"

namespace {

// The unsigned integer type of T's size, for the processor's compare-and-swap.
template <typename T>
struct Bits {
  using Wide = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
  using Type = std::conditional_t<sizeof(T) == 2, unsigned short, Wide>;
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
  simt::Recorder::running->use_atomic(address, sizeof(T), pc, true);
}

// The same for operations that implement locks.
template <typename T>
void record_lock(T* address, const void* pc) {
  simt::Recorder::running->lock();
  record(address, pc);
}

}  // namespace

// Never inlined, so that the return address is in the kernel.
#define SIMT_ONE(name, T, expression, note)                             \
  __attribute__((noinline)) T name(T* address, T value) {               \
    note(address, __builtin_return_address(0));                         \
    return update(address, [value](T old) -> T { return expression; }); \
  }
#define SIMT_ATOMIC(name, T, expression)        \
  SIMT_ONE(name, T, expression, record)         \
  SIMT_ONE(name##_block, T, expression, record) \
  SIMT_ONE(name##_system, T, expression, record)
#define SIMT_FOR_INTEGERS(name, expression) \
  SIMT_ATOMIC(name, int, expression)        \
  SIMT_ATOMIC(name, unsigned, expression)   \
  SIMT_ATOMIC(name, unsigned long long, expression)

SIMT_ATOMIC(atomicAdd, int, int(unsigned(old) + unsigned(value)))
SIMT_ATOMIC(atomicAdd, unsigned, old + value)
SIMT_ATOMIC(atomicAdd, unsigned long long, old + value)
SIMT_ATOMIC(atomicAdd, float, old + value)
SIMT_ATOMIC(atomicAdd, double, old + value)
SIMT_ATOMIC(atomicSub, int, int(unsigned(old) - unsigned(value)))
SIMT_ATOMIC(atomicSub, unsigned, old - value)
SIMT_FOR_INTEGERS(atomicMin, old < value ? old : value)
SIMT_ATOMIC(atomicMin, long long, old < value ? old : value)
SIMT_FOR_INTEGERS(atomicMax, old < value ? value : old)
SIMT_ATOMIC(atomicMax, long long, old < value ? value : old)
SIMT_FOR_INTEGERS(atomicAnd, old& value)
SIMT_FOR_INTEGERS(atomicOr, old | value)
SIMT_FOR_INTEGERS(atomicXor, old ^ value)
SIMT_ATOMIC(atomicInc, unsigned, old >= value ? 0 : old + 1)
SIMT_ATOMIC(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)

#define SIMT_EXCHANGE(T)                                         \
  SIMT_ONE(atomicExch, T, (void(old), value), record_lock)       \
  SIMT_ONE(atomicExch_block, T, (void(old), value), record_lock) \
  SIMT_ONE(atomicExch_system, T, (void(old), value), record_lock)

SIMT_EXCHANGE(int)
SIMT_EXCHANGE(unsigned)
SIMT_EXCHANGE(unsigned long long)
SIMT_EXCHANGE(float)

#define SIMT_COMPARE(name, T)                                                         \
  __attribute__((noinline)) T name(T* address, T compare, T value) {                  \
    record_lock(address, __builtin_return_address(0));                                \
    return update(address, [=](T old) -> T { return old == compare ? value : old; }); \
  }
#define SIMT_COMPARE_AND_SWAP(T)   \
  SIMT_COMPARE(atomicCAS, T)       \
  SIMT_COMPARE(atomicCAS_block, T) \
  SIMT_COMPARE(atomicCAS_system, T)

SIMT_COMPARE_AND_SWAP(int)
SIMT_COMPARE_AND_SWAP(unsigned)
SIMT_COMPARE_AND_SWAP(unsigned long long)
SIMT_COMPARE_AND_SWAP(unsigned short)

namespace simt {
namespace {

uint16_t sum_of(uint16_t a, uint16_t b, bool is_half) {
  return is_half ? half_bits(half_value(a) + half_value(b))
                 : bfloat16_bits(bfloat16_value(a) + bfloat16_value(b));
}

}  // namespace

__attribute__((noinline)) uint16_t atomic_add_16(void* address, uint16_t bits, bool is_half) {
  uint16_t* const word = static_cast<uint16_t*>(address);
  record(word, __builtin_return_address(0));
  return update(word, [=](uint16_t old) { return sum_of(old, bits, is_half); });
}

__attribute__((noinline)) uint32_t atomic_add_pair(void* address, uint32_t bits, bool is_half) {
  uint32_t* const word = static_cast<uint32_t*>(address);
  record(word, __builtin_return_address(0));
  return update(word, [=](uint32_t old) {
    const uint16_t lower = sum_of(uint16_t(old), uint16_t(bits), is_half);
    return uint32_t(sum_of(uint16_t(old >> 16), uint16_t(bits >> 16), is_half)) << 16 | lower;
  });
}

__attribute__((noinline)) void atomic_add_floats(float* address, const float* values, float* old,
                                                 unsigned count) {
  if (Recorder::running->shared().contains(address)) {
    Recorder::running->findings().report_and_abandon(
        ErrorKind::BadArgument, RawPlace(__builtin_return_address(0)),
        "calls atomicAdd() of a vector in shared memory; hardware supports that in global memory "
        "only");
  }
  Recorder::running->any_access(address, count * 4, Access::Atomic, __builtin_return_address(0));
  for (unsigned i = 0; i < count; ++i) {
    const float value = values[i];
    old[i] = update(&address[i], [value](float before) { return before + value; });
  }
}

}  // namespace simt
