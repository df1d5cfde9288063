// The supported PTX instructions, and the C++ calls that replace them.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace simt {

// One row of the table. A type is a string of letters; an operand must match one of them. The letters are those of asm
// constraints (r: 32 bits, l: 64, h: 16, f: float, d: double) and p: predicate, n: immediate, s: special register, a:
// address in shared memory (32 or 64 bits), g: generic address of shared memory, c: 8-bit register, which only .reg can
// declare. A prefix = or + marks an operand that is written. A prefix - marks one that must be present and is not
// passed to the call.
struct Instruction {
  std::string family;  // start of the opcode, for messages
  std::string opcode;  // regular expression
  std::string shape;  // of the operands, with % for each: "{%,%},[%]"
  std::vector<std::string> types;
  // A function in include/simt/shim. $1 becomes the opcode's first capture group, $?1 true or false: whether the group
  // matched.
  std::string call;
};

class Table {
 public:
  std::vector<Instruction> rows;

  // Adds a row. Dots in `family` and `rest` match literally. `operands` is as in read_operands().
  void add(const std::string& family, const std::string& rest, const std::string& operands,
           const std::string& call);
};
void add_accesses(Table& table);
void add_arithmetic(Table& table);
void add_conversions(Table& table);
void add_async_copies(Table& table);
void add_matrices(Table& table);
void add_registers(Table& table);

// Returns the first instruction with this opcode and operand shape for which `fits` is true; if there is none, the
// first one with this opcode and shape; else null.
const Instruction* find_instruction(const std::string& opcode, const std::string& shape,
                                    const std::function<bool(const Instruction&)>& fits);
// Returns `instruction.call` with the captures of `opcode` filled in.
std::string function_of(const Instruction& instruction, const std::string& opcode);
// Sets shape and types from text such as "{=r*4}, [r]": shape "{%,%,%,%},[%]", types =r, =r, =r, =r, r.
void read_operands(const std::string& operands, Instruction& to);
// Returns the row of a wgmma.mma_async (products.cpp); null if the opcode or the shape is invalid.
const Instruction* find_product(const std::string& opcode, const std::string& shape);
// Describes the supported instructions similar to `statement`, for an error message.
std::string known_families(const std::string& statement);

}  // namespace simt
