// Asynchronous copies of CUDA's C++ libraries, which complete on an mbarrier.
#include "simt/api/library_copies.h"

#include "memory/memory.h"
#include "races/races.h"

namespace simt {

size_t async_unit(const void* to, const void* from, size_t bytes) {
  const SharedShadow& shared = Recorder::running->shared();
  const uintptr_t source = reinterpret_cast<uintptr_t>(from);
  if (!shared.contains(to) || !Arena::get().contains(source)) {
    return 0;
  }
  const size_t all = source | bytes | shared.alignment(shared.offset(to));
  return all % 16 == 0 ? 16 : all % 8 == 0 ? 8 : all % 4 == 0 ? 4 : 0;
}

__attribute__((noinline)) void copy_to_barrier(void* shared, const void* global, size_t size,
                                               uint64_t* barrier, const char* file, int line) {
  Recorder& recorder = *Recorder::running;
  const RawPlace place(file, line);
  const uint32_t site = recorder.copies().start(recorder.now(), static_cast<char*>(shared),
                                                static_cast<const char*>(global), size, place,
                                                __builtin_return_address(0));
  BulkSource source;
  source.address = reinterpret_cast<uintptr_t>(global);
  source.bytes = size;
  recorder.barriers().expect(barrier, uint32_t(size), place);
  recorder.tma().bring(source, recorder.shared().offset(shared), barrier, place, site);
}

__attribute__((noinline)) void bulk_copy_to_barrier(void* shared, const void* global, size_t size,
                                                    uint64_t* barrier, const char* file, int line) {
  Recorder& recorder = *Recorder::running;
  const RawPlace place(file, line);
  const size_t to = recorder.shared().offset(shared);
  BulkSource source;
  source.address = reinterpret_cast<uintptr_t>(global);
  source.bytes = size;
  const uint32_t site = recorder.tma().ask(source, to, 1, place, __builtin_return_address(0));
  recorder.barriers().expect(barrier, uint32_t(size), place);
  recorder.tma().load(source, to, barrier, place, site, false);
}

__attribute__((noinline)) uint64_t mbarrier_drop(uint64_t* barrier, const char* file, int line) {
  Recorder& recorder = *Recorder::running;
  recorder.log().note(Access::Arrive, __builtin_return_address(0),
                      recorder.shared().offset(barrier));
  return recorder.barriers().arrive(barrier, {file, line}, 1, 0, false, true);
}

void mbarrier_discard(uint64_t* barrier) {
  Recorder::running->barriers().discard(barrier);
}

}  // namespace simt
