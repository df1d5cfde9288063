// The errors of a worker's threads in one launch. A thread that accesses shared memory of another block of its cluster
// reports to its own block's list.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "counting/counting.h"
#include "execution/execution.h"
#include "races/store_checks.h"

namespace simt {

struct Tile;

// "reads", "writes" or "updates".
const char* verb_of(Access access);

RawPlace place_of(uint32_t site);

// The message's words for a store to an element that another thread stores as well.
std::string stores_too(const std::string& element);

class Findings {
 public:
  explicit Findings(Worker& worker) : worker_(worker) {}

  // Reports an error of the running thread. element: the memory that it accesses.
  void report(ErrorKind kind, const RawPlace& here, const std::string& what,
              const RawElement& element = {});
  // The same as a note.
  void note(ErrorKind kind, const RawPlace& here, const std::string& what,
            const RawElement& element = {});
  [[noreturn]] void report_and_abandon(ErrorKind kind, const RawPlace& here,
                                       const std::string& what, const RawElement& element = {});
  // The same with a second party: another thread of this block, or of any.
  void report_pair(ErrorKind kind, const RawPlace& here, const std::string& what,
                   const RawPlace& other, unsigned other_thread, const std::string& other_what,
                   const RawElement& element = {});
  void report_pair(ErrorKind kind, const RawPlace& here, const std::string& what,
                   const RawParty& other, const std::string& other_what,
                   const RawElement& element = {});
  // Returns the same error without adding it.
  RawError pair(ErrorKind kind, const RawPlace& here, const std::string& what,
                const RawPlace& other, unsigned other_thread, const std::string& other_what,
                const RawElement& element) const;
  void add(RawError error);
  // An error of one thread ends with the distance of this tile's rows, until the thread stops or another call.
  void about(const Tile* tile) { tile_ = tile; }
  // Waits for the running thread's next store. Reports an error if it changes the bytes at that address, else a note.
  void add_store(RawError error, const void* address, unsigned size);
  StoreChecks& store_checks() { return store_checks_; }

  [[noreturn]] void misaligned(uintptr_t address, unsigned size, uint32_t site);
  // An access to neither device nor shared memory nor a stack. Returns if it reads a constant.
  void elsewhere(uintptr_t address, unsigned size, Access access, uint32_t site);
  // last: the last known place of the thread, or nothing.
  void fault(const Fault& fault, const RawPlace& last);

  // The list of the running thread's block, which may be another block that accesses this one's shared memory.
  ErrorList& list();
  ErrorList& own_list() { return list_; }
  // " of block (1,0,0)" while another block of the cluster accesses this block's shared memory, else "".
  std::string whose() const;

 private:
  std::string of_tile() const;

  Worker& worker_;
  const Tile* tile_ = nullptr;
  ErrorList list_;
  StoreChecks store_checks_;
};

}  // namespace simt
