// Splits the text of an asm into statements, declared registers and labels.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace simt {

struct Statement {
  std::string text;  // as written
  std::string label;  // not empty: the statement is this label
  std::string guard;  // "p" or "!p" of @p and @!p; empty if there is no guard
  std::string opcode;
  std::string shape;  // of the operands: % for each, _ for an omitted one: "_,[%],%"
  // In order, such as "%0", "12", "p", "%0+16". Registers and labels are renamed to be unique.
  std::vector<std::string> operands;
};

struct PtxText {
  std::vector<Statement> statements;
  std::map<std::string, char> registers;  // declared by .reg: their letters (instructions.h)
  std::string error;  // the text that could not be parsed; empty if all could
};

// Parses the text of an asm. White space must be single blanks, and comments removed. %% stands for one %.
PtxText read_ptx(const std::string& text);

}  // namespace simt
