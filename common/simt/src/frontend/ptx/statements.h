// The text of an asm as PTX has it: statements, the registers that they declare, labels.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace simt {

struct Statement {
  std::string text;  // as it stands there
  std::string label;  // it is one, and nothing else
  std::string guard;  // "p" or "!p" of @p and @!p; empty if it is always executed
  std::string opcode;
  std::string shape;  // of its operands, each of which is a %, but a _: "_,[%],%"
  // In this order, as in "%0", "12", "p", "%0+16". Registers and labels have names that no other scope uses.
  std::vector<std::string> operands;
};

struct PtxText {
  std::vector<Statement> statements;
  std::map<std::string, char> registers;  // declared in braces: their types, as in instructions.h
  std::string error;  // what is not understood; empty if all is
};

// White space of any kind is a blank; there are no comments. %% is a single %.
PtxText read_ptx(const std::string& text);

}  // namespace simt
