// What the compiler calls for each access, basic block and failed bounds check of a kernel's file.
#include "common/simt/recorder.h"

extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
#define SIMT_CALLBACKS(n)                 \
  void __tsan_read##n(void*) {}           \
  void __tsan_write##n(void*) {}          \
  void __tsan_unaligned_read##n(void*) {} \
  void __tsan_unaligned_write##n(void*) {}
SIMT_CALLBACKS(1)
SIMT_CALLBACKS(2)
SIMT_CALLBACKS(4)
SIMT_CALLBACKS(8)
SIMT_CALLBACKS(16)
void __tsan_read_range(void*, unsigned long) {}
void __tsan_write_range(void*, unsigned long) {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __sanitizer_cov_trace_pc() {}
void __ubsan_handle_out_of_bounds(void*, unsigned long) {}
}
