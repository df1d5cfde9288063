// The errors of the threads that a worker runs, in one launch. Those of a thread that uses what belongs to another
// block of its cluster are its own.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "counting/counting.h"
#include "execution/execution.h"

namespace simt {

// "reads", "writes" or "updates".
const char* verb_of(Access access);

RawPlace place_of(uint32_t site);

// Said of a thread that stores what another one stores.
std::string stores_too(const std::string& element);

// Stores that are wrong unless they store what is there already: the compiler tells of a store before it is made, so
// what it has changed is seen when its thread has stopped.
class StoreChecks {
 public:
  // The running thread is about to store size bytes (at most 16); `then` learns whether that changed them.
  template <typename Then>
  void expect(unsigned thread, const void* address, unsigned size, Then then) {
    if (all_.size() == kMost) {
      settle(all_.back().thread, true);
    }
    all_.push_back({address, size, thread, {}, then});
    __builtin_memcpy(all_.back().before, address, size);
  }
  bool empty() const { return all_.empty(); }
  // The thread has stopped. in_store: before its last store was made.
  void settle(unsigned thread, bool in_store);
  // All stores have been made.
  void settle_all();

 private:
  static constexpr size_t kMost = 4096;
  struct StoreCheck {
    const void* address;
    unsigned size, thread;
    unsigned char before[16];
    std::function<void(bool changed)> then;
  };
  std::vector<StoreCheck> all_;
};

class Findings {
 public:
  explicit Findings(Worker& worker) : worker_(worker) {}

  // An error of the running thread. element: the memory that it accesses there.
  void report(ErrorKind kind, const RawPlace& here, const std::string& what,
              const RawElement& element = {});
  [[noreturn]] void report_and_abandon(ErrorKind kind, const RawPlace& here,
                                       const std::string& what, const RawElement& element = {});
  // The same, with what another thread of this block, or of any, did.
  void report_pair(ErrorKind kind, const RawPlace& here, const std::string& what,
                   const RawPlace& other, unsigned other_thread, const std::string& other_what,
                   const RawElement& element = {});
  void report_pair(ErrorKind kind, const RawPlace& here, const std::string& what,
                   const RawParty& other, const std::string& other_what,
                   const RawElement& element = {});
  // The same, not yet added.
  RawError pair(ErrorKind kind, const RawPlace& here, const std::string& what,
                const RawPlace& other, unsigned other_thread, const std::string& other_what,
                const RawElement& element) const;
  void add(RawError error);
  // An error if a store that the running thread is about to make changes the bytes there, else a note.
  void add_store(RawError error, const void* address, unsigned size);
  StoreChecks& store_checks() { return store_checks_; }

  // Addresses that are wrong whatever lies there. size and address % size are bytes.
  [[noreturn]] void misaligned(uintptr_t address, unsigned size, uint32_t site);
  // Neither device nor shared memory nor a stack. Returns if it is a constant that is read.
  void elsewhere(uintptr_t address, unsigned size, Access access, uint32_t site);
  // last: where the thread was seen last, or nothing.
  void fault(const Fault& fault, const RawPlace& last);

  // Of the block whose turn it is: it may use what belongs to this one.
  ErrorList& list();
  ErrorList& own_list() { return list_; }
  // " of block (1,0,0)" while another block of the cluster uses what belongs to this one.
  std::string whose() const;

 private:
  Worker& worker_;
  ErrorList list_;
  StoreChecks store_checks_;
};

}  // namespace simt
