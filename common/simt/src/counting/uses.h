// Follows the elements of matrices through the first block of a launch, for ./ladder check. Costs nothing unless set.
//
// All elements of these matrices have different values. So a value in shared memory identifies its element.
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
  // matrices: the two factors; the columns of the first and the rows of the second are k. Threads' stores to them are
  // not followed.
  explicit Uses(const std::vector<NamedMatrix>& matrices);
  ~Uses() { current_ = nullptr; }

  // The one of this process, or null. One OS thread runs the first block.
  static Uses* current() { return current_; }

  void begin_block(unsigned threads);
  void end_block();
  void enter(unsigned thread) { running_ = &threads_[thread]; }

  // The running thread enters the basic block whose mark returns to mark.
  void enter_code(const char* mark);
  // The running thread has taken part in `count` multiply-adds on tensor cores.
  void multiplied(const void* pc, uint64_t count) {
    running_->multiplied += count;
    of(pc, kNone).tensor_fma += count;
  }
  // The running thread reads size bytes of global or shared memory.
  void load(const void* pc, uintptr_t from, unsigned size);
  void read(const void* pc, const void* from, unsigned size);
  // The running thread starts an asynchronous copy of `bytes` bytes (0: zeros only) to that offset in shared memory.
  void copy(const void* pc, uintptr_t from, unsigned bytes, uint64_t to);
  // The running thread has waited at pc for its oldest `copies` copies.
  void arrive(const void* pc, size_t copies);

  // A warp has started its part of a wgmma product; a warp has waited for `count` of its products.
  void start_product() { ++started_products_; }
  void end_products(uint64_t count) { ended_products_ += count; }
  uint64_t ended_products() const { return ended_products_; }
  // A thread asks TMA at pc for these bytes. They arrive; `ended` products had ended at the request.
  void ask(const void* pc, uintptr_t from, size_t bytes);
  void land(const void* pc, uintptr_t from, size_t bytes, uint64_t ended);

  // The return address and the number of the matrix, which multiply-adds do not have.
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
  struct Flight {  // a copy in flight
    unsigned matrix, elements;
    uint64_t begun;  // multiply-adds of the thread before it
  };
  struct Arrival {
    const void* pc;
    unsigned matrix, elements;
    uint64_t multiplied;  // while it was in flight
  };
  struct Thread {
    uint64_t multiplied = 0;  // before the basic block that runs
    const Code* code = nullptr;
    unsigned turns = 0;  // waits that ended copies
    std::deque<Flight> flights;
    std::vector<Arrival> arrivals;
    std::vector<bool> seen;  // elements that it has read
    const void* last_end = nullptr;  // the end of its last read
    unsigned in_row = 0;  // words without a gap up to there, from a multiple of 16 bytes on
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
  std::unordered_set<const char*> functions_;  // functions with known code
  std::vector<Thread> threads_;
  Thread* running_ = nullptr;
  uint64_t started_products_ = 0, ended_products_ = 0;
  std::vector<bool> loaded_, read_, steps_;  // elements; values of k that were loaded
  std::unordered_set<uint64_t> filled_;  // words of shared memory that copies reached
};

}  // namespace simt
