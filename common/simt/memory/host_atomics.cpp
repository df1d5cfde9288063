// What the compiler calls for std::atomic and for the guards of static variables in a kernel's file.
// Host code may have both. In a kernel they are checked as atomic operations.
#include "common/simt/memory/recorder.h"

using simt::Access;
using simt::Recorder;

namespace {

void record(volatile void* address, unsigned size, const void* pc) {
  if (Recorder::running != nullptr) {
    Recorder::running->any_access(const_cast<void*>(address), size, Access::Atomic, pc);
  }
}

}  // namespace

// All are sequentially consistent, whatever order the source asks for.
#define SIMT_RECORD(T) record(address, sizeof(T), __builtin_return_address(0))
#define SIMT_UPDATE(n, T, name, builtin)                                     \
  T __tsan_atomic##n##_##name(volatile T* address, T value, int /*order*/) { \
    SIMT_RECORD(T);                                                          \
    return builtin(address, value, __ATOMIC_SEQ_CST);                        \
  }
#define SIMT_COMPARE(n, T, name, weak)                                                        \
  int __tsan_atomic##n##_compare_exchange_##name(volatile T* address, T* expected, T desired, \
                                                 int /*order*/, int /*failure*/) {            \
    SIMT_RECORD(T);                                                                           \
    return __atomic_compare_exchange_n(address, expected, desired, weak, __ATOMIC_SEQ_CST,    \
                                       __ATOMIC_SEQ_CST);                                     \
  }
#define SIMT_ATOMICS(n, T)                                                                   \
  T __tsan_atomic##n##_load(const volatile T* source, int) {                                 \
    volatile T* const address = const_cast<volatile T*>(source);                             \
    SIMT_RECORD(T);                                                                          \
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                       \
  }                                                                                          \
  void __tsan_atomic##n##_store(volatile T* address, T value, int) {                         \
    SIMT_RECORD(T);                                                                          \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                      \
  }                                                                                          \
  SIMT_UPDATE(n, T, exchange, __atomic_exchange_n)                                           \
  SIMT_UPDATE(n, T, fetch_add, __atomic_fetch_add)                                           \
  SIMT_UPDATE(n, T, fetch_sub, __atomic_fetch_sub)                                           \
  SIMT_UPDATE(n, T, fetch_and, __atomic_fetch_and)                                           \
  SIMT_UPDATE(n, T, fetch_or, __atomic_fetch_or)                                             \
  SIMT_UPDATE(n, T, fetch_xor, __atomic_fetch_xor)                                           \
  SIMT_UPDATE(n, T, fetch_nand, __atomic_fetch_nand)                                         \
  SIMT_COMPARE(n, T, strong, false)                                                          \
  SIMT_COMPARE(n, T, weak, true)                                                             \
  T __tsan_atomic##n##_compare_exchange_val(volatile T* address, T expected, T desired, int, \
                                            int) {                                           \
    SIMT_RECORD(T);                                                                          \
    __atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_SEQ_CST,        \
                                __ATOMIC_SEQ_CST);                                           \
    return expected;                                                                         \
  }

extern "C" {
SIMT_ATOMICS(8, unsigned char)
SIMT_ATOMICS(16, unsigned short)
SIMT_ATOMICS(32, unsigned)
SIMT_ATOMICS(64, unsigned long)

void __tsan_atomic_thread_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
}
