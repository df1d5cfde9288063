// The callbacks that the compiler inserts for each access, basic block and failed bounds check of a kernel's file.
// The host code in that file calls them too; outside of a kernel there is no running recorder.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "memory/memory.h"
#include "races/races.h"
#include "simt/api/threads.h"

using simt::Access;
using simt::ErrorKind;
using simt::RawPlace;
using simt::Recorder;

#define SIMT_HERE static_cast<const char*>(__builtin_return_address(0))

namespace {

template <Access access, unsigned size>
inline void on_access(void* address, const char* pc) {
  Recorder* const recorder = Recorder::running;
  if (recorder != nullptr) {
    recorder->on_access<access, size>(address, pc);
  }
}

template <Access access, unsigned size>
void on_volatile(void* address, const char* pc) {
  if (Recorder::running != nullptr) {
    if (simt::Sites::get().find(pc) == 0) {
      simt::Sites::get().number(pc, 0, access, size, true);
    }
    Recorder::running->use_volatile(address, access, size, pc);
    on_access<access, size>(address, pc);
  } else if (access == Access::Load) {
    simt::Publications::acquire_by_host(address);
  }
}

// A vector has no padding, and tiles in shared memory are read as vectors.
bool may_be_vector(unsigned long size) {
  return size == 4 || size == 8 || size == 16;
}

// True if these four bytes of an aggregate have no value, and lie where padding in front of a member of 8 bytes does.
bool is_padding(const Recorder& recorder, const char* begin, unsigned long offset,
                unsigned long size) {
  if (offset % 8 != 4 || size % 8 != 0) {
    return false;
  }
  const simt::Arena& arena = simt::Arena::get();
  const uintptr_t address = reinterpret_cast<uintptr_t>(begin) + offset;
  if (!arena.contains(address)) {
    return !may_be_vector(size) && recorder.lacks_shared_value(begin + offset, 4);
  }
  return std::all_of(arena.state(address), arena.state(address) + 4,
                     [](uint8_t state) { return state == simt::kUninitialized; });
}

// True if this word of an aggregate may be the end of a small member and the padding behind it.
bool ends_in_padding(const Recorder& recorder, const char* word, unsigned long size) {
  return !may_be_vector(size) && recorder.lacks_shared_value(word + 3, 1) &&
         !recorder.lacks_shared_value(word, 1);
}

// Aggregates of other sizes count as copies of words, as on a GPU, or else of bytes.
void on_range(char* address, unsigned long size, Access access, const char* pc) {
  Recorder* const recorder = Recorder::running;
  const unsigned step = (reinterpret_cast<uintptr_t>(address) | size) % 4 == 0 ? 4 : 1;
  for (unsigned long i = 0; recorder != nullptr && i < size; i += step) {
    const bool may_pad = access == Access::Load && step == 4;
    if (may_pad && is_padding(*recorder, address, i, size)) continue;
    if (may_pad && ends_in_padding(*recorder, address + i, size)) {
      for (char* byte = address + i; !recorder->lacks_shared_value(byte, 1); ++byte) {
        recorder->any_access(byte, 1, access, pc, 1);
      }
      continue;
    }
    recorder->any_access(address + i, step, access, pc, step == 4 ? 0 : 1);
  }
}

}  // namespace

extern "C" {

#define SIMT_CALLBACKS(n)                              \
  void __tsan_volatile_read##n(void* address) {        \
    on_volatile<Access::Load, n>(address, SIMT_HERE);  \
  }                                                    \
  void __tsan_volatile_write##n(void* address) {       \
    on_volatile<Access::Store, n>(address, SIMT_HERE); \
  }                                                    \
  void __tsan_read##n(void* address) {                 \
    on_access<Access::Load, n>(address, SIMT_HERE);    \
  }                                                    \
  void __tsan_write##n(void* address) {                \
    on_access<Access::Store, n>(address, SIMT_HERE);   \
  }                                                    \
  void __tsan_unaligned_read##n(void* address) {       \
    on_access<Access::Load, n>(address, SIMT_HERE);    \
  }                                                    \
  void __tsan_unaligned_write##n(void* address) {      \
    on_access<Access::Store, n>(address, SIMT_HERE);   \
  }
SIMT_CALLBACKS(1)
SIMT_CALLBACKS(2)
SIMT_CALLBACKS(4)
SIMT_CALLBACKS(8)
SIMT_CALLBACKS(16)

void __tsan_read_range(void* address, unsigned long size) {
  on_range(static_cast<char*>(address), size, Access::Load, SIMT_HERE);
}
void __tsan_write_range(void* address, unsigned long size) {
  on_range(static_cast<char*>(address), size, Access::Store, SIMT_HERE);
}

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void** address, void*) {
  on_access<Access::Store, 8>(address, SIMT_HERE);
}
void __tsan_vptr_read(void** address) {
  on_access<Access::Load, 8>(address, SIMT_HERE);
}

void __sanitizer_cov_trace_pc() {
  Recorder* const recorder = Recorder::running;
  if (recorder != nullptr) {
    recorder->log().on_block(SIMT_HERE);
  }
}

// The compiler's record of an array: its place in the source, then its type.
struct BoundsData {
  const char* file;
  unsigned line, column;
  const struct {
    unsigned short kind, info;
    char name[1];
  } * array_type;
};

// The compiler's record of an access outside of an object that it knows: a local or a shared array.
struct ObjectData {
  const char* file;
  unsigned line, column;
  const struct {
    unsigned short kind, info;
    char name[1];
  } * type;
  unsigned char alignment, use;  // 0 loads, 1 stores
};

static RawPlace in_column(RawPlace place, unsigned column) {
  place.column = column;
  return place;
}

void __ubsan_handle_type_mismatch_v1(ObjectData* data, void* address) {
  Recorder* const recorder = Recorder::running;
  if (recorder != nullptr) {
    const char* const does = data->use == 0 ? "reads" : data->use == 1 ? "writes" : "uses";
    const bool shared = recorder->shared().contains(address);
    const bool variable =
        simt::variable_section_at(reinterpret_cast<uintptr_t>(address)) != nullptr;
    recorder->findings().report_and_abandon(
        shared ? ErrorKind::SharedOutOfBounds : ErrorKind::IndexOutOfBounds,
        in_column(RawPlace(SIMT_HERE), data->column),
        std::string(does) + " an element of type " + data->type->name +
            " that lies outside of the " +
            (shared     ? "shared array"
             : variable ? "variable"
                        : "local array") +
            " that it was taken from");
  }
}

// Whether an array of this type, at the end of a structure, stands for one of any size: T x[1], as before C99.
static bool has_any_size(const char* array_type) {
  const char* const bound = std::strchr(array_type, '[');
  return bound != nullptr && (bound[1] == '0' || bound[1] == '1') && bound[2] == ']';
}

void __ubsan_handle_out_of_bounds(BoundsData* data, unsigned long index) {
  Recorder* const recorder = Recorder::running;
  if (recorder != nullptr && !has_any_size(data->array_type->name)) {
    recorder->findings().report_and_abandon(ErrorKind::IndexOutOfBounds,
                                            in_column(RawPlace(SIMT_HERE), data->column),
                                            "uses index " + std::to_string(long(index)) +
                                                " of the array type " + data->array_type->name);
  }
}

// Control reaches the end of a function that returns a value.
[[noreturn]] void __ubsan_handle_missing_return(const BoundsData* data) {
  Recorder* const recorder = Recorder::running;
  const char* const text = "comes to the end of a function that returns a value, without a return";
  if (recorder != nullptr) {
    recorder->findings().report_and_abandon(ErrorKind::Fault, RawPlace(data->file, int(data->line)),
                                            text);
  }
  std::fprintf(stderr, "%s:%u: %s\n", data->file, data->line, text);
  std::abort();
}

// assert() calls this function, in kernels and elsewhere. The C library's would end the process.
[[noreturn]] void __assert_fail(const char* condition, const char* file, unsigned line,
                                const char* function) noexcept {
  Recorder* const recorder = Recorder::running;
  if (recorder != nullptr) {
    recorder->findings().report_and_abandon(
        ErrorKind::FailedAssert, RawPlace(SIMT_HERE),
        "fails assert(" + std::string(condition).substr(0, 160) + ")");
  }
  std::fprintf(stderr, "%s:%u: %s: assert(%s) fails\n", file, line, function, condition);
  std::abort();
}
}

// std::atomic and the guards of static variables. Host code may use both. In a kernel they count as atomic operations.
namespace {

// A relaxed operation orders nothing.
void record(volatile void* address, unsigned size, int order, bool writes, const void* pc) {
  if (Recorder::running != nullptr) {
    if (order != __ATOMIC_RELAXED) {
      Recorder::running->lock();
      Recorder::running->fence();
    }
    Recorder::running->use_atomic(const_cast<void*>(address), size, pc, writes);
  } else if (order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE) {
    simt::Publications::acquire_by_host(address);
  }
}

void initialize(volatile void* address, unsigned size) {
  if (Recorder::running != nullptr) {
    Recorder::running->initialize(address, size);
  }
}

// changed: the operation has written another value, so the thread is not polling.
void note_change(bool changed) {
  if (changed && Recorder::running != nullptr) {
    Recorder::running->log().changed();
  }
}

}  // namespace

// All are sequentially consistent, whatever order the source names.
#define SIMT_RECORD(T, writes) \
  record(address, sizeof(T), order, writes, __builtin_return_address(0))
#define SIMT_UPDATE(n, T, name, builtin)                                 \
  T __tsan_atomic##n##_##name(volatile T* address, T value, int order) { \
    SIMT_RECORD(T, true);                                                \
    const T old = builtin(address, value, __ATOMIC_SEQ_CST);             \
    note_change(__atomic_load_n(address, __ATOMIC_SEQ_CST) != old);      \
    return old;                                                          \
  }
#define SIMT_COMPARE(n, T, name, weak)                                                        \
  int __tsan_atomic##n##_compare_exchange_##name(volatile T* address, T* expected, T desired, \
                                                 int order, int /*failure*/) {                \
    SIMT_RECORD(T, true);                                                                     \
    const bool done = __atomic_compare_exchange_n(address, expected, desired, weak,           \
                                                  __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);        \
    note_change((*expected != desired) && done);                                              \
    return done;                                                                              \
  }
#define SIMT_ATOMICS(n, T)                                                                         \
  T __tsan_atomic##n##_load(const volatile T* source, int order) {                                 \
    volatile T* const address = const_cast<volatile T*>(source);                                   \
    SIMT_RECORD(T, false);                                                                         \
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                             \
  }                                                                                                \
  void __tsan_atomic##n##_store(volatile T* address, T value, int order) {                         \
    initialize(address, sizeof(T));                                                                \
    SIMT_RECORD(T, true);                                                                          \
    note_change(__atomic_exchange_n(address, value, __ATOMIC_SEQ_CST) != value);                   \
  }                                                                                                \
  SIMT_UPDATE(n, T, exchange, __atomic_exchange_n)                                                 \
  SIMT_UPDATE(n, T, fetch_add, __atomic_fetch_add)                                                 \
  SIMT_UPDATE(n, T, fetch_sub, __atomic_fetch_sub)                                                 \
  SIMT_UPDATE(n, T, fetch_and, __atomic_fetch_and)                                                 \
  SIMT_UPDATE(n, T, fetch_or, __atomic_fetch_or)                                                   \
  SIMT_UPDATE(n, T, fetch_xor, __atomic_fetch_xor)                                                 \
  SIMT_UPDATE(n, T, fetch_nand, __atomic_fetch_nand)                                               \
  SIMT_COMPARE(n, T, strong, false)                                                                \
  SIMT_COMPARE(n, T, weak, true)                                                                   \
  T __tsan_atomic##n##_compare_exchange_val(volatile T* address, T expected, T desired, int order, \
                                            int) {                                                 \
    SIMT_RECORD(T, true);                                                                          \
    __atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_SEQ_CST,              \
                                __ATOMIC_SEQ_CST);                                                 \
    return expected;                                                                               \
  }

extern "C" {
SIMT_ATOMICS(8, unsigned char)
SIMT_ATOMICS(16, unsigned short)
SIMT_ATOMICS(32, unsigned)
SIMT_ATOMICS(64, unsigned long)

void __tsan_atomic_thread_fence(int order) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (Recorder::running != nullptr && order != __ATOMIC_RELAXED) Recorder::running->fence();
}
void __tsan_atomic_signal_fence(int) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
}

void simt::only_on_host(const char* file, int line) {
  if (Recorder::running != nullptr) {
    Recorder::running->findings().report_and_abandon(
        ErrorKind::BadArgument, RawPlace(file, line),
        "calls a function for the host: nvcc refuses that, as its declaration has no __device__");
  }
}
