// Names of matrices in device memory: a message then says C[3][5] instead of an offset in bytes.
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

// What lies at an address: an array or variable, "" if it has no name, and where in it.
struct NamedPlace {
  std::string array;
  uint64_t offset = 0;  // bytes
  std::vector<uint64_t> index;
};

// Changed between launches only.
class Names {
 public:
  static Names& get();

  void add(const NamedMatrix& matrix);
  // A variable of the program, where the arena has it.
  void add_variable(uintptr_t begin, const std::string& name) { variables_[begin] = name; }
  // The variable or the matrix that begins there; empty if it has no name.
  std::string beginning_at(uintptr_t address) const;
  // What lies there: "C[3][5]", "4 elements from C[3][5] on", or, of what has no name, "4 bytes at offset 20 of an
  // allocation of 64 bytes".
  std::string of(uintptr_t address, size_t size) const;
  NamedPlace place_of(uintptr_t address) const;
  // What an address that is out of bounds would be: "C[97][0], out of bounds: C has 97 rows of 131 elements".
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
