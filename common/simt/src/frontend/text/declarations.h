// Finds the functions that a source declares, by tokens alone.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "frontend/text/source.h"

namespace simt {

// A declaration or definition of a function, in a namespace or a class. Positions are token indices.
struct Function {
  std::string name;  // "operator" for all operators
  std::string owner;  // the class it is a member of; empty if none
  bool host = false, device = false, kernel = false;  // has __host__, __device__, __global__
  bool constant = false;  // constexpr or consteval
  bool defaulted = false;  // = default or = delete
  bool specialised = false;  // starts with template <> or is an explicit instantiation
  size_t parameters = 0;  // number of template parameters; 0 without one
  size_t begin = 0;  // after template <...>
  size_t open = 0, close = 0;  // parentheses of the parameters
  size_t body = 0, end = 0;  // braces of the body; without a body, body is 0 and end the ;

  bool device_only() const { return (device || kernel) && !host; }
};

// Returns the functions in order of appearance, without those declared inside functions.
std::vector<Function> functions_of(const Source& source);

}  // namespace simt
