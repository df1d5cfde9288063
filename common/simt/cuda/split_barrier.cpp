// __mbarrier_t: arrive now, wait later.
#include <string>

#include "common/simt/api/engine.h"
#include "common/simt/api/threads.h"
#include "common/simt/recorder/recorder.h"

namespace simt {
namespace {

// For a trace: what the running thread does with a barrier, before it does it.
void note(Access what, const void* barrier, const void* pc) {
  Recorder& recorder = *Recorder::running;
  if (recorder.shared().contains(barrier)) {
    recorder.log().note(what, pc, recorder.shared().offset(barrier));
  }
}

}  // namespace

__attribute__((noinline)) void split_init(uint64_t* barrier, uint32_t count, const char* file,
                                          int line) {
  Recorder::running->barriers().init(barrier, count, {file, line}, __builtin_return_address(0));
}

__attribute__((noinline)) void split_inval(uint64_t* barrier, const char* file, int line) {
  Recorder::running->barriers().inval(barrier, {file, line});
}

__attribute__((noinline)) uint64_t split_arrive(uint64_t* barrier, const char* file, int line) {
  note(Access::Arrive, barrier, __builtin_return_address(0));
  return Recorder::running->barriers().arrive(barrier, {file, line});
}

__attribute__((noinline)) bool split_test(uint64_t* barrier, uint64_t token, const char* file,
                                          int line) {
  note(Access::Test, barrier, __builtin_return_address(0));
  return Recorder::running->barriers().test(barrier, token, {file, line});
}

__attribute__((noinline)) bool split_test_parity(uint32_t address, uint32_t parity,
                                                 const char* file, int line) {
  note(Access::Test, Recorder::running->shared().pointer(address), __builtin_return_address(0));
  return Recorder::running->barriers().test_parity(address, parity, {file, line});
}

namespace {

// The barrier at an address of PTX.
const void* barrier_at(uint32_t address, const RawPlace& place) {
  Recorder& recorder = *Recorder::running;
  const void* const barrier = recorder.shared().pointer(address);
  if (barrier == nullptr) {
    recorder.findings().report_and_abandon(
        ErrorKind::InvalidAddress, place,
        "passes " + std::to_string(address) + " for a split barrier, where no shared memory is");
  }
  return barrier;
}

}  // namespace

__attribute__((noinline)) void ptx_init(uint32_t barrier, uint32_t count, const char* file,
                                        int line) {
  Recorder::running->barriers().init(barrier_at(barrier, {file, line}), count, {file, line},
                                     __builtin_return_address(0));
}

void ptx_inval(uint32_t barrier, const char* file, int line) {
  Recorder::running->barriers().inval(barrier_at(barrier, {file, line}), {file, line});
}

__attribute__((noinline)) uint64_t ptx_arrive(uint32_t barrier, uint32_t count, uint32_t bytes,
                                              const char* file, int line) {
  const void* const at = barrier_at(barrier, {file, line});
  note(Access::Arrive, at, __builtin_return_address(0));
  return Recorder::running->barriers().arrive(at, {file, line}, count, bytes);
}

void ptx_expect(uint32_t barrier, uint32_t bytes, const char* file, int line) {
  Recorder::running->barriers().expect(barrier_at(barrier, {file, line}), bytes, {file, line});
}

__attribute__((noinline)) bool ptx_test(uint32_t barrier, uint64_t token, const char* file,
                                        int line) {
  const void* const at = barrier_at(barrier, {file, line});
  note(Access::Test, at, __builtin_return_address(0));
  return Recorder::running->barriers().test(at, token, {file, line});
}

void fence_proxy() {
  Recorder::running->order().fence_proxy();
}

}  // namespace simt
