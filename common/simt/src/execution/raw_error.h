// Errors as the workers record them: with addresses of instructions, before their lines are known.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "simt/report.h"

namespace simt {

// An instruction (its return address), or a place in the source, or nothing.
struct RawPlace {
  RawPlace() = default;
  explicit RawPlace(const void* return_address) : pc(return_address) {}
  // The string is a literal of the kernel's file. Construct it in the function that the kernel calls: it is inlined
  // there, and takes the return address of that function.
  __attribute__((always_inline)) RawPlace(const char* source, int number)
      : file(source), line(number), call(__builtin_return_address(0)) {}

  const void* pc = nullptr;
  const char* file = nullptr;
  int line = 0;
  const void* call = nullptr;  // the instruction at `file` and `line`; one line can have several

  bool operator<(const RawPlace& o) const {
    return std::tie(pc, file, line) < std::tie(o.pc, o.file, o.line);
  }
};

// The folder and name of a file: enough to find it, short enough to read.
std::string short_path(const std::string& file);

struct RawParty {
  RawPlace place;
  unsigned thread = 0;
  uint64_t block = 0;
};

// The memory that an error is about.
struct RawElement {
  enum Space : uint8_t { kNone, kShared, kGlobal };
  static RawElement shared(size_t offset, unsigned bytes) { return {kShared, offset, bytes}; }
  static RawElement global(uintptr_t address, unsigned bytes) { return {kGlobal, address, bytes}; }

  Space space = kNone;
  uintptr_t address = 0;  // of shared memory: its offset in the worker's TLS segment
  unsigned bytes = 0;
};

struct RawError {
  ErrorKind kind;
  std::string what;  // what `here` does
  RawParty here;
  bool has_other = false;
  std::string other_what;  // what `other` does
  RawParty other;
  std::string
      between;  // the barrier that is missing; left out if the message asks for an atomic operation
  const void* read =
      nullptr;  // where a thread that stores what another one stores has read it before
  bool note = false;  // no error: both threads store the same value
  bool stored_twice = false;  // two threads store one element of global memory
  // A race in shared memory of a block that meets at __syncthreads() alone: in the program, `other` comes first.
  bool in_order = false;
  std::shared_ptr<RawError>
      exchanged;  // the error to report if the line of `here` comes before that of `other`
  RawElement element;
  bool element_stored_twice = false;  // one reads that word, and several have stored it
  uint64_t sequence = 0;  // of the error inside its block
  uint64_t count = 1;
};

// The errors of one worker in one launch, the first of each kind and pair of places.
class ErrorList {
 public:
  // Returns true if an error of this kind at these places is new; else counts it.
  bool is_new(ErrorKind kind, const RawPlace& here, const RawPlace& other, bool note = false);
  void add(RawError error);
  void begin_block() { sequence_ = 0; }
  const std::vector<RawError>& errors() const { return errors_; }
  uint64_t count() const {
    return sequence_;
  }  // of the block's errors, also those that are not new
  void clear();

 private:
  using Key = std::tuple<ErrorKind, RawPlace, RawPlace, bool>;
  std::map<Key, size_t> known_;
  std::vector<RawError> errors_;
  uint64_t sequence_ = 0;
};

}  // namespace simt
