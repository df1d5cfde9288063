// Names of matrices in device memory, so that messages can say C[3][5] instead of a byte offset.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "memory/arena.h"
#include "simt/probe.h"
#include "simt/report.h"

namespace simt {

// The array or variable at an address (empty if it has no name), and the position in it.
struct NamedPlace {
  std::string array;
  uint64_t offset = 0;  // bytes
  std::vector<uint64_t> index;
};

// Names for messages. They change only between launches.
class Names {
 public:
  static Names& get();

  // Names a matrix. Drops names of matrices whose allocation no longer exists.
  void add(const NamedMatrix& matrix);
  // Names a variable of the program by its address in the arena.
  void add_variable(uintptr_t begin, const std::string& name) { variables_[begin] = name; }
  // Returns the variable or matrix that begins at `address`; empty if it has no name.
  std::string beginning_at(uintptr_t address) const;
  // Describes `size` bytes: "C[3][5]", "4 elements from C[3][5] on", or without a name "4 bytes at offset 20 of an
  // allocation of 64 bytes". If the size is 0, it is unknown: "memory at offset 20 of an allocation of 64 bytes".
  std::string of(uintptr_t address, size_t size) const;
  // Returns the name at an address, and the position in it.
  NamedPlace place_of(uintptr_t address) const;
  // Describes an address out of bounds: "C[97][0], out of bounds: C has 97 rows of 131 elements".
  std::string of_outside(uintptr_t address, size_t size) const;

 private:
  struct Known {
    NamedMatrix matrix;
    uintptr_t begin;
    Allocation allocation;
  };
  const Known* in(const Allocation& allocation, uintptr_t address) const;
  std::string text_of(const Allocation& allocation) const;
  static std::string element(const Known& known, uintptr_t address, size_t size);

  std::vector<Known> all_;
  std::map<uintptr_t, std::string> variables_;
};

}  // namespace simt
