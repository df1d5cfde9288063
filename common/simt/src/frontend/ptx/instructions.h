// The PTX instructions that inline assembly may use, and the calls that stand for them.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace simt {

// What may stand in the place of an operand is told by letters, as in the constraints of asm (r: 32 bits, l: 64,
// h: 16, f: float, d: double), p for a predicate, n for an immediate number, s for a special register. Several letters:
// any of these. An a is an address in shared memory, of 32 or 64 bits; a c, 8 bits, is only declared in braces. Behind an = or + it is written to; behind a - it has to be there, and the call does not get it.
struct Instruction {
  std::string family;  // the beginning of its opcode, for messages
  std::string opcode;  // a regular expression
  std::string shape;  // of its operands, with % for each: "{%,%},[%]"
  std::vector<std::string> types;
  // The function, of include/simt/shim; $1 is what the first parentheses of the opcode match, $?1 whether they do.
  std::string call;
};

// The rows of the table, which several files make.
class Table {
 public:
  std::vector<Instruction> rows;

  // A dot in family and rest is a dot. A | in front of the rest lets anything stand in front of it.
  void add(const std::string& family, const std::string& rest, const std::string& operands,
           const std::string& call);
};
void add_accesses(Table& table);
void add_arithmetic(Table& table);
void add_conversions(Table& table);
void add_async_copies(Table& table);
void add_matrices(Table& table);
void add_registers(Table& table);

// The instruction with this opcode and operands of this shape, of several the first that the operands fit; if they fit
// none, the first; or null.
const Instruction* find_instruction(const std::string& opcode, const std::string& shape,
                                    const std::function<bool(const Instruction&)>& fits);
// The call's function for an opcode that matches.
std::string function_of(const Instruction& instruction, const std::string& opcode);
// Adds operands as the table has them: "{=r*4}, [r]" is "{%,%,%,%},[%]" with the types =r, =r, =r, =r, r.
void read_operands(const std::string& operands, Instruction& to);
// wgmma.mma_async (products.cpp): null if there is none.
const Instruction* find_product(const std::string& opcode, const std::string& shape);
// What messages say is known, where a statement is not.
std::string known_families(const std::string& statement);

}  // namespace simt
