// Launches that may begin before the one ahead of them has ended (programmatic stream serialization): their
// threads must not touch global memory before cudaGridDependencySynchronize().
#include <string>

#include "common/simt/memory/recorder_inline.h"

namespace simt {

void Recorder::wait_for_launch() {
  if (!waited_.empty()) {
    waited_[tid_] = now_.stamp;
    settled_[tid_] = true;
    arena_size_ = Arena::get().size();
  }
}

// For an address outside of all that the running thread may touch: true if it lies in global memory. Then the
// thread touches that for the first time, and must know that a thread of its block has waited.
bool Recorder::begins_early(uintptr_t address, Access access, uint32_t site) {
  if (address - arena_ >= Arena::get().size()) {
    return false;
  }
  arena_size_ = Arena::get().size();
  settled_[tid_] = true;  // one report is enough
  for (unsigned t = 0; t < waited_.size(); ++t) {
    if (waited_[t] != 0 && (waited_[t] < interval_begin_ || ordered(t, waited_[t]))) {
      return true;
    }
  }
  report(
      ErrorKind::EarlyAccess, place_of(site),
      std::string(verb_of(access)) +
          " global memory before its cudaGridDependencySynchronize(); this launch may begin before "
          "the one ahead of it has ended (cudaLaunchAttributeProgrammaticStreamSerialization)");
  return true;
}

}  // namespace simt
