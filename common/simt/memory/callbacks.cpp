// What the compiler calls for each access, basic block and failed bounds check of a kernel's file.
// The host code in that file calls it too: outside of a kernel there is no running recorder.
#include <cstdio>
#include <cstdlib>

#include "common/simt/memory/recorder_inline.h"

using simt::Access;
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

// Aggregates of other sizes are copied word by word, as on a GPU, or else byte by byte.
void on_range(char* address, unsigned long size, Access access, const char* pc) {
  Recorder* const recorder = Recorder::running;
  const unsigned step = (reinterpret_cast<uintptr_t>(address) | size) % 4 == 0 ? 4 : 1;
  for (unsigned long i = 0; recorder != nullptr && i < size; i += step) {
    recorder->any_access(address + i, step, access, pc, step == 4 ? 0 : 1);
  }
}

}  // namespace

extern "C" {

#define SIMT_CALLBACKS(n)                            \
  void __tsan_read##n(void* address) {               \
    on_access<Access::Load, n>(address, SIMT_HERE);  \
  }                                                  \
  void __tsan_write##n(void* address) {              \
    on_access<Access::Store, n>(address, SIMT_HERE); \
  }                                                  \
  void __tsan_unaligned_read##n(void* address) {     \
    on_access<Access::Load, n>(address, SIMT_HERE);  \
  }                                                  \
  void __tsan_unaligned_write##n(void* address) {    \
    on_access<Access::Store, n>(address, SIMT_HERE); \
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
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

void __sanitizer_cov_trace_pc() {
  Recorder* const recorder = Recorder::running;
  if (recorder != nullptr) {
    recorder->on_block(SIMT_HERE);
  }
}

// What the compiler tells about an array: its place in the source, then its type.
struct BoundsData {
  const char* file;
  unsigned line, column;
  const struct {
    unsigned short kind, info;
    char name[1];
  } * array_type;
};

// What the compiler tells about an access outside of an object that it knows: a local array.
struct ObjectData {
  const char* file;
  unsigned line, column;
  const void* type;
};

void __ubsan_handle_type_mismatch_v1(ObjectData*, void*) {
  Recorder* const recorder = Recorder::running;
  if (recorder != nullptr) {
    recorder->on_bad_object(SIMT_HERE);
  }
}

void __ubsan_handle_out_of_bounds(BoundsData* data, unsigned long index) {
  Recorder* const recorder = Recorder::running;
  if (recorder != nullptr) {
    recorder->on_bad_index(SIMT_HERE, long(index), data->array_type->name);
  }
}

// What assert() calls, in kernels and elsewhere; the C library's would end the process.
[[noreturn]] void __assert_fail(const char* condition, const char* file, unsigned line,
                                const char* function) noexcept {
  Recorder* const recorder = Recorder::running;
  if (recorder != nullptr) {
    recorder->on_failed_assert(SIMT_HERE, condition);
  }
  std::fprintf(stderr, "%s:%u: %s: assert(%s) fails\n", file, line, function, condition);
  std::abort();
}
}

namespace simt {

namespace {

template <Access access>
void dispatch(Recorder& recorder, const void* address, unsigned size, const char* pc) {
  switch (size) {
    case 1:
      return recorder.on_access<access, 1>(address, pc);
    case 2:
      return recorder.on_access<access, 2>(address, pc);
    case 4:
      return recorder.on_access<access, 4>(address, pc);
    case 8:
      return recorder.on_access<access, 8>(address, pc);
    default:
      return recorder.on_access<access, 16>(address, pc);
  }
}

}  // namespace

void Recorder::any_access(const void* address, unsigned size, Access access, const void* pc,
                          unsigned variant) {
  const char* at = static_cast<const char*>(pc);
  Sites::get().number(at, variant, access, size);
  at += variant;
  switch (access) {
    case Access::Load:
      return dispatch<Access::Load>(*this, address, size, at);
    case Access::Store:
      return dispatch<Access::Store>(*this, address, size, at);
    case Access::MatrixLoad:
      return dispatch<Access::MatrixLoad>(*this, address, size, at);
    default:
      return dispatch<Access::Atomic>(*this, address, size, at);
  }
}

}  // namespace simt
