// __mbarrier_t: arrive now, wait later.
#include "common/simt/api/threads.h"
#include "common/simt/recorder/recorder.h"

namespace simt {

__attribute__((noinline)) void split_init(uint64_t* barrier, uint32_t count, const char* file,
                                          int line) {
  Recorder::running->barriers().init(barrier, count, {file, line}, __builtin_return_address(0));
}

__attribute__((noinline)) void split_inval(uint64_t* barrier, const char* file, int line) {
  Recorder::running->barriers().inval(barrier, {file, line});
}

__attribute__((noinline)) uint64_t split_arrive(uint64_t* barrier, const char* file, int line) {
  return Recorder::running->barriers().arrive(barrier, {file, line});
}

__attribute__((noinline)) bool split_test(uint64_t* barrier, uint64_t token, const char* file,
                                          int line) {
  return Recorder::running->barriers().test(barrier, token, {file, line});
}

__attribute__((noinline)) bool split_test_parity(uint32_t address, uint32_t parity,
                                                 const char* file, int line) {
  return Recorder::running->barriers().test_parity(address, parity, {file, line});
}

}  // namespace simt
