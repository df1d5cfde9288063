// Translates the operands of an asm to C++.
#pragma once
#include <string>
#include <vector>

#include "frontend/ptx/statements.h"

namespace simt {

struct Operand {
  std::string constraint, expression;
};

// Drops the early-clobber &: "=&r" becomes "=r".
std::string plain_constraint(const std::string& constraint);

struct Argument {
  std::string code;  // C++
  std::string error;  // why there is no code; empty if there is
};

// Returns the C++ for operand `name` of a statement, in a place of type `type` (instructions.h).
Argument argument_of(const std::string& name, const std::string& type,
                     const std::vector<Operand>& operands, const PtxText& ptx);

// The C++ name of a register or label of an asm.
inline std::string local_name(const std::string& name) {
  return "simt_" + name;
}
const char* type_of_register(char letter);

}  // namespace simt
