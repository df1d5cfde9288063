// Errors as workers record them: with instruction addresses, whose source lines are looked up later.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "simt/report.h"

namespace simt {

// An instruction (by its return address), a source line, or nothing.
struct RawPlace {
  RawPlace() = default;
  explicit RawPlace(const void* return_address) : pc(return_address) {}
  // `source` must be a literal of the kernel's file. Construct it in the API function that the kernel calls: the
  // constructor is inlined there and takes that function's return address.
  __attribute__((always_inline)) RawPlace(const char* source, int number)
      : file(source), line(number), call(__builtin_return_address(0)) {}

  const void* pc = nullptr;
  const char* file = nullptr;
  int line = 0;
  unsigned column = 0;  // of an index in that line of the compiled source, if it is known
  const void* call = nullptr;  // the call at `file` and `line`, since one line can have several

  bool operator<(const RawPlace& o) const {
    return std::tie(pc, file, line) < std::tie(o.pc, o.file, o.line);
  }
};

// Returns the last folder and the name of a file, which is enough to find it.
std::string short_path(const std::string& file);

struct RawParty {
  RawPlace place;
  unsigned thread = 0;
  uint64_t block = 0;
  bool reads = false;  // in a race in shared memory
  bool waits = false;  // for other threads
};

// The memory to which an error refers.
struct RawElement {
  enum Space : uint8_t { kNone, kShared, kGlobal };
  static RawElement shared(size_t offset, unsigned bytes) { return {kShared, offset, bytes}; }
  static RawElement global(uintptr_t address, unsigned bytes) { return {kGlobal, address, bytes}; }

  Space space = kNone;
  uintptr_t address = 0;  // for shared memory: the offset in the worker's TLS segment
  unsigned bytes = 0;
};

struct RawError {
  ErrorKind kind;
  std::string what;  // what `here` does, for the message
  RawParty here;
  bool has_other = false;
  std::string other_what;  // what `other` does
  RawParty other;
  std::string between;  // the missing barrier; empty if the message suggests an atomic operation
  const void* read =
      nullptr;  // where a thread read the element before it stored it as another thread did
  bool note = false;  // a note, not an error: both threads store the same value
  bool stored_twice = false;  // two threads store one element of global memory
  // A race in shared memory of a block that synchronises by __syncthreads() only: `other` comes first in program order.
  bool in_order = false;
  std::shared_ptr<RawError>
      exchanged;  // reported instead if `here` is in an earlier line than `other`
  RawElement element;
  bool element_stored_twice = false;  // one thread reads the word, and several have stored it
  uint64_t sequence = 0;  // of the error within its block
  uint64_t barriers = 0;  // that the worker's blocks had passed
  bool no_loops = false;  // threads that do not meet have not jumped back since the last barrier
  uint64_t count = 1;
};

// The errors of one worker in one launch, one for each kind and pair of places.
class ErrorList {
 public:
  // True if no error of this kind at these places is recorded; else increments its count.
  bool is_new(ErrorKind kind, const RawPlace& here, const RawPlace& other, bool note = false);
  // True if many such errors are recorded, with the places in either order; counts one more. It spares the work of
  // describing another one.
  bool has_many(ErrorKind kind, const RawPlace& here, const RawPlace& other);
  void add(RawError error);
  void begin_block() { sequence_ = 0; }
  const std::vector<RawError>& errors() const { return errors_; }
  uint64_t count() const { return sequence_; }  // errors of the block, repetitions included
  void clear();

 private:
  using Key = std::tuple<ErrorKind, RawPlace, RawPlace, bool>;
  std::map<Key, size_t> known_;
  std::vector<RawError> errors_;
  uint64_t sequence_ = 0;
};

}  // namespace simt
