// The PTX instructions that inline assembly may use, and the calls that stand for them.
#pragma once
#include <regex>
#include <string>
#include <vector>

namespace simt {

// What stands in the place of an operand. A type is a letter, as in the constraints of asm (r: 32 bits, l: 64,
// h: 16, f: float), p for a predicate, n for an immediate number, s for r or a special register.
// Behind an = or + it is written to.
struct Instruction {
  std::string family;  // the begin of its opcode, for messages
  std::regex opcode;
  std::string shape;  // of its operands, with % for each: "{%,%},[%]"
  std::vector<std::string> types;
  // The function, of include/simt/ptx*.h; $1 is what the first parentheses of the opcode match, $?1 whether they do.
  std::string call;
};

// The instruction with this opcode and operands of this shape, or null.
const Instruction* find_instruction(const std::string& opcode, const std::string& shape);
// The call's function for an opcode that matches.
std::string function_of(const Instruction& instruction, const std::string& opcode);
// Adds operands as the table has them: "{=r*4}, [r]" is "{%,%,%,%},[%]" with the types =r, =r, =r, =r, r.
void read_operands(const std::string& operands, Instruction& to);
// wgmma.mma_async (products.cpp), as find_instruction().
const Instruction* find_product(const std::string& opcode, const std::string& shape);
// "ldmatrix, mma.sync, ...": what messages say is known.
std::string known_families();

}  // namespace simt
