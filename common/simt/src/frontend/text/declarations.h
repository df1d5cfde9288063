// The functions that a source declares, as far as their words and names tell.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "frontend/text/source.h"

namespace simt {

// A declaration or definition of a function, in a namespace or a class. Numbers are of tokens.
struct Function {
  std::string name;  // "operator" for each of them
  std::string owner;  // the class that it is a member of; empty if none
  bool host = false, device = false, kernel = false;  // whether it says so
  bool constant = false;  // constexpr or consteval
  bool defaulted = false;  // = default or = delete
  bool specialised = false;  // template <> or an instantiation
  size_t parameters = 0;  // of its template: how many; 0 if it is none
  size_t begin = 0;  // behind template <...>
  size_t open = 0, close = 0;  // its parameters' parentheses
  size_t body = 0, end = 0;  // the braces of its body; without one, body is 0 and end its ;

  // Runs on the device alone: what nvcc keeps to its file.
  bool device_only() const { return (device || kernel) && !host; }
};

// In their order. What is declared inside of functions is left out.
std::vector<Function> functions_of(const Source& source);

}  // namespace simt
