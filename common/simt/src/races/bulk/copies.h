// Asynchronous copies from global to shared memory (cp.async).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "races/access_log.h"
#include "races/global/global_shadow.h"
#include "races/shared_shadow.h"

namespace simt {

class Copies {
 public:
  Copies(Findings& findings, GlobalShadow& global, SharedShadow& shared, AccessLog& log)
      : findings_(findings), global_(global), shared_(shared), log_(log) {}

  void begin_launch(unsigned threads) { pipelines_.assign(threads, Pipeline()); }
  void end_block();

  // The running thread copies `size` bytes at the return address pc; the last zfill of them are zeros.
  void copy(const ThreadView& now, char* to, const char* from, size_t size, size_t zfill,
            const RawPlace& place, const void* pc);
  // The start of a copy that completes at a phase of an mbarrier. Returns the site of its store.
  uint32_t start(const ThreadView& now, char* to, const char* from, size_t size,
                 const RawPlace& place, const void* pc);
  // Closes the running thread's group.
  void commit(const ThreadView& now, const void* pc);
  // Completes all copies of the running thread now, at that epoch of that channel (see Space).
  void hand_over(const ThreadView& now, uint32_t epoch, uint32_t channel);
  // Waits for all groups of the running thread but the last `prior`.
  void wait(const ThreadView& now, size_t prior, const void* pc);
  // Whether `thread` has waited for its group that has the number of the copier's newest copy to that offset.
  bool has_waited(unsigned thread, unsigned copier, size_t offset) const;
  // Whether a commit has followed that copy. True without such a copy.
  bool is_committed(unsigned copier, size_t offset) const;
  // Why no wait has completed that committed copy: ": no wait has followed", ...; "" without such a copy.
  std::string lacks(unsigned copier, size_t offset) const;

 private:
  struct Copy {
    char* to;
    const char* from;
    uint8_t size, zfill;
    uint32_t group;
  };
  struct Pipeline {  // one thread's copies
    std::vector<Copy> copies;  // oldest first
    size_t done = 0;  // copies before this one have arrived
    uint32_t group = 0;  // number of the open group
    // The last wait: it left out the `prior` newest groups of those before `committed`.
    uint32_t waited = 0, committed = 0, prior = 0;  // groups before `waited` have been waited for
  };
  const Copy* pending(unsigned copier, size_t offset) const;
  uint32_t check(const ThreadView& now, const Copy& copy, const char* pc);
  static void move(const Copy& copy);

  std::vector<Pipeline> pipelines_;
  Findings& findings_;
  GlobalShadow& global_;
  SharedShadow& shared_;
  AccessLog& log_;
};

}  // namespace simt
