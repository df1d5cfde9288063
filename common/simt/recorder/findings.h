// The errors of the threads that a worker runs, in one launch.
#pragma once
#include <cstdint>
#include <string>

#include "common/simt/counting/counting.h"
#include "common/simt/execution/execution.h"
#include "common/simt/recorder/doubts.h"

namespace simt {

// "reads", "writes" or "updates".
const char* verb_of(Access access);

RawPlace place_of(uint32_t site);

class Findings {
 public:
  explicit Findings(Worker& worker) : worker_(worker) {}

  // An error of the running thread.
  void report(ErrorKind kind, const RawPlace& here, const std::string& what);
  [[noreturn]] void report_and_abandon(ErrorKind kind, const RawPlace& here,
                                       const std::string& what);
  // The same, with what another thread of its block did.
  void report_pair(ErrorKind kind, const RawPlace& here, const std::string& what,
                   const RawPlace& other, unsigned other_thread, const std::string& other_what);
  // The same of a store that the thread is about to make: only a note if that changes nothing.
  void report_store(ErrorKind kind, const RawPlace& here, const std::string& what,
                    const RawPlace& other, unsigned other_thread, const std::string& other_what,
                    const void* address, unsigned size);
  void add(RawError error);
  Doubts& doubts() { return doubts_; }

  // Addresses that are wrong whatever lies there. size and address % size are bytes.
  [[noreturn]] void misaligned(uintptr_t address, unsigned size, uint32_t site);
  // Neither device nor shared memory nor a stack. Returns if it is a constant that is read.
  void elsewhere(uintptr_t address, unsigned size, Access access, uint32_t site);
  // last: where the thread was seen last, or nothing.
  void fault(const Fault& fault, const RawPlace& last);

  ErrorList& list() { return list_; }

 private:
  RawError pair(ErrorKind kind, const RawPlace& here, const std::string& what,
                const RawPlace& other, unsigned other_thread, const std::string& other_what) const;

  Worker& worker_;
  ErrorList list_;
  Doubts doubts_;
};

}  // namespace simt
