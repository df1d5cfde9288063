// What the threads of a launch's first block do with the elements of matrices, for ./ladder check. Costs
// nothing unless set.
//
// All elements of these matrices have different values, so the value that a thread finds in shared memory
// tells which element lies there, whatever way it came.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "simt/probe.h"
#include "simt/report.h"
#include "simt/trace.h"

namespace simt {

class Uses {
 public:
  // matrices: two, of which the columns of the first are the rows of the second: k. Threads' stores to
  // them are not followed.
  explicit Uses(const std::vector<NamedMatrix>& matrices);
  ~Uses() { current_ = nullptr; }

  // That of this process, else null. One OS thread runs the first block.
  static Uses* current() { return current_; }

  void begin_block(unsigned threads);
  void end_block();
  void enter(unsigned thread) { running_ = &threads_[thread]; }

  // The running thread enters the basic block whose mark returns to mark.
  void enter_code(const char* mark);
  // It has taken part in multiply-adds on tensor cores.
  void multiplied(const void* pc, uint64_t count) {
    running_->multiplied += count;
    of(pc, kNone).tensor_fma += count;
  }
  // It reads size bytes of global, or of shared memory.
  void load(const void* pc, uintptr_t from, unsigned size);
  void read(const void* pc, const void* from, unsigned size);
  // It begins an asynchronous copy of bytes (0: zeros only) to that offset of shared memory.
  void copy(const void* pc, uintptr_t from, unsigned bytes, uint64_t to);
  // It has waited at pc for its oldest copies, so many of them.
  void arrive(const void* pc, size_t copies);

  // A warp has started its part of a product of warpgroups (wgmma); one has waited for so many of its own.
  void start_product() { ++started_products_; }
  void end_products(uint64_t count) { ended_products_ += count; }
  uint64_t ended_products() const { return ended_products_; }
  // TMA is asked at pc for these bytes; they come, so many products had ended when they were asked for.
  void ask(const void* pc, uintptr_t from, size_t bytes);
  void land(const void* pc, uintptr_t from, size_t bytes, uint64_t ended);

  // By the return address and the number of the matrix: none for multiply-adds.
  using Key = std::pair<const void*, unsigned>;
  const std::map<Key, ElementUse>& found() const { return found_; }
  const std::vector<NamedMatrix>& matrices() const { return matrices_; }

 private:
  static constexpr unsigned kNone = 2;
  struct Element {
    unsigned matrix;
    uint32_t number;  // among all elements of both
    uint32_t k, other;
  };
  struct Code {  // a basic block
    std::vector<const void*> multiply_adds;  // the addresses behind them
    uint64_t count = 0;  // how often it ran in this block of threads
  };
  struct Flight {  // a copy on its way
    unsigned matrix, elements;
    uint64_t begun;  // multiply-adds of the thread before it
  };
  struct Arrival {
    const void* pc;
    unsigned matrix, elements;
    uint64_t multiplied;  // while it was on its way
  };
  struct Thread {
    uint64_t multiplied = 0;  // before the basic block that runs
    const Code* code = nullptr;
    unsigned turns = 0;  // waits that ended copies
    std::deque<Flight> flights;
    std::vector<Arrival> arrivals;
    std::vector<bool> seen;  // elements that it has read
    const void* last_end = nullptr;  // behind what it read last,
    unsigned in_row = 0;  // and how many words without a gap, from a multiple of 16 bytes on
  };

  ElementUse& of(const void* pc, unsigned matrix) { return found_[{pc, matrix}]; }
  void name_values();
  Element element(unsigned matrix, uint64_t row, uint64_t col) const;
  bool find_address(uintptr_t address, Element& found) const;
  bool find_value(const char* value, Element& found) const;
  void count_across(const void* pc, const char* values);
  ElementUse* count_load(const void* pc, uintptr_t from, unsigned bytes);
  Code& code_at(const char* mark);
  uint64_t multiplied_by(const Thread& thread, const void* pc) const;

  static Uses* current_;

  std::vector<NamedMatrix> matrices_;
  unsigned bytes_;  // of an element
  std::unordered_map<uint64_t, Element> elements_;  // by their values
  std::map<Key, ElementUse> found_;
  std::unordered_map<const char*, Code> codes_;  // by their marks
  std::unordered_set<const char*> functions_;  // whose code is known
  std::vector<Thread> threads_;
  Thread* running_ = nullptr;
  uint64_t started_products_ = 0, ended_products_ = 0;
  std::vector<bool> loaded_, read_, steps_;  // elements; values of k that were loaded
  std::unordered_set<uint64_t> filled_;  // words of shared memory that copies reached
};

}  // namespace simt
