// asm("instruction" : outputs : inputs : clobbers): the PTX instructions that the CPU backend knows.
#include <cstdint>
#include <regex>
#include <string>
#include <vector>

#include "frontend/parts.h"
#include "frontend/ptx/instructions.h"
#include "frontend/ptx/statements.h"

namespace simt {
namespace {

struct Operand {
  std::string constraint, expression;
};

struct Assembly {
  size_t end = 0;  // token behind the )
  std::string text;
  std::vector<Operand> operands;  // outputs, then inputs
};

// The contents of the neighbouring literals from token i on, which moves behind them. White space of
// any kind becomes a blank.
std::string literals(const Source& source, size_t& i) {
  std::string text;
  for (; i < source.size() && source.at(i).kind == Token::Literal; ++i) {
    const std::string word = source.word(i);
    if (word.front() != '"') {
      source.fail(i, "asm: the CPU backend reads its text in plain string literals");
    }
    text += word.substr(1, word.size() - 2);
  }
  return std::regex_replace(text, std::regex(R"((\\[nt]|\s)+)"), " ");
}

// Tokens without the line breaks and comments between them: all of the asm's line breaks are kept behind it.
std::string on_a_line(const Source& source, size_t begin, size_t end) {
  std::string text;
  for (size_t i = begin; i < end; ++i) {
    const bool gap = i > begin && source.at(i - 1).end != source.at(i).begin;
    text += (gap ? " " : "") + source.word(i);
  }
  return text;
}

// From token i on, behind the ( of the asm at token begin.
Assembly parse(const Source& source, size_t begin, size_t i) {
  Assembly assembly;
  assembly.text = literals(source, i);
  for (int part = 0; source.is(i, ":"); ++part) {
    while (!source.is(++i, ":") && !source.is(i, ")")) {
      const std::string constraint = literals(source, i);
      if (part < 2) {
        const size_t open = i, length = source.is(i, "(") ? source.closing(i - 1) - 1 : 0;
        if (constraint.empty() || length < 3) {
          source.fail(begin, "asm: the CPU backend reads operands of the form \"r\"(expression)");
        }
        i += length;
        assembly.operands.push_back({constraint, on_a_line(source, open, i)});
      }
      if (!source.is(i, ",")) {
        break;
      }
    }
  }
  if (!source.is(i, ")")) {
    source.fail(begin, "asm: this is not understood");
  }
  assembly.end = i + 1;
  return assembly;
}

// The C++ of one asm.
class Rewriter {
 public:
  Rewriter(const Source& source, size_t at, const Assembly& assembly)
      : source_(source), at_(at), assembly_(assembly), ptx_(read_ptx(assembly.text)) {}

  std::string run() {
    if (!ptx_.error.empty()) {
      refuse(ptx_.error);
    }
    std::string labels, registers, code;
    for (const Statement& statement : ptx_.statements) {
      labels += statement.label.empty() ? "" : " __label__ " + local(statement.label) + ";";
    }
    for (const auto& [name, type] : ptx_.registers) {
      registers += std::string(" ") + type_of(type) + " " + local(name) + "{};";
    }
    for (const Statement& statement : ptx_.statements) {
      code += (code.empty() ? "" : "; ") + code_of(statement);
    }
    const bool plain = labels.empty() && registers.empty() && ptx_.statements.size() <= 1;
    return plain ? (code.empty() ? evaluated() : code)
                 : "({" + labels + registers + " " + code + "; })";
  }

 private:
  static std::string local(const std::string& name) { return "simt_" + name; }

  // What an asm without instructions is: its operands are used, and nothing happens to them.
  std::string evaluated() const {
    std::string all;
    for (const Operand& operand : assembly_.operands) {
      all += (all.empty() ? "" : ", ") + ("static_cast<void>" + operand.expression);
    }
    return all.empty() ? "static_cast<void>(0)" : all;
  }

  static const char* type_of(char letter) {
    return letter == 'p'   ? "bool"
           : letter == 'r' ? "uint32_t"
           : letter == 'l' ? "uint64_t"
           : letter == 'h' ? "uint16_t"
                           : "float";
  }

  [[noreturn]] void refuse(const std::string& statement) const {
    source_.fail(at_, "asm: the CPU backend supports inline assembly of " + known_families() +
                          " in some forms, not: " + statement.substr(0, 200));
  }

  std::string code_of(const Statement& statement) const {
    if (!statement.label.empty()) {
      return local(statement.label) + ":";
    }
    std::string guard;
    if (!statement.guard.empty()) {
      const bool negated = statement.guard[0] == '!';
      guard = std::string("if (") + (negated ? "!" : "") +
              local(statement.guard.substr(negated ? 1 : 0)) + ") ";
    }
    if (statement.opcode == "bra" && statement.shape == "%") {
      return guard + "goto " + local(statement.operands[0]);
    }
    const Instruction* const found = find_instruction(statement.opcode, statement.shape);
    if (found == nullptr) {
      refuse(statement.text);
    }
    std::string arguments;
    for (size_t i = 0; i < found->types.size(); ++i) {
      arguments +=
          (i == 0 ? "" : ", ") + argument(statement, statement.operands[i], found->types[i]);
    }
    return guard + "::simt::ptx::" + function_of(*found, statement.opcode) + "(" + arguments + ")";
  }

  // The C++ of one operand.
  std::string argument(const Statement& statement, const std::string& name,
                       const std::string& type) const {
    const bool output = type.size() > 1;
    if (type == "l" && (name == "%%globaltimer" || name == "%%clock64")) {
      return "::simt::now_in_nanoseconds()";
    }
    if (type == "s" && name.compare(0, 2, "%%") == 0) {
      static const std::regex known(
          R"((tid|n?tid|n?ctaid|cluster_n?ctaid|n?clusterid)\.[xyz]|cluster_n?ctarank|laneid|n?warpid|clock)");
      if (!std::regex_match(name.substr(2), known)) {
        refuse(statement.text);
      }
      return "::simt::ptx::special_" + special(name.substr(2));
    }
    const char letter = type == "s" ? 'r' : type.back();
    if (name[0] == '%') {
      return operand(name, letter, output);
    }
    const auto found = ptx_.registers.find(name);
    if (found != ptx_.registers.end() && found->second == letter) {
      return local(name);
    }
    static const std::regex number(R"(-?(\d+|0[xX][0-9a-fA-F]+)U?)");
    if (output || letter == 'f' || letter == 'p' || !std::regex_match(name, number)) {
      source_.fail(at_, "asm: " + name + " must be " +
                            (letter == 'p' ? "a predicate" : "an operand or a register") +
                            " of the right type in: " + statement.text);
    }
    return name;
  }

  std::string operand(const std::string& name, char letter, bool output) const {
    static const std::regex form(R"(%\d{1,3})");
    const size_t index = std::regex_match(name, form) ? std::stoul(name.substr(1)) : SIZE_MAX;
    const std::string type(1, letter);
    if (index < assembly_.operands.size()) {
      const std::string& constraint = assembly_.operands[index].constraint;
      const bool immediate = constraint == "n" && (letter == 'r' || letter == 'l' || letter == 'h');
      if (constraint == "+" + type || constraint == (output ? "=" + type : type) ||
          (immediate && !output)) {
        return assembly_.operands[index].expression;
      }
    }
    source_.fail(at_, "asm: " + name + " must be an operand with the constraint " +
                          (output ? "=" : "") + type + (letter == 'n' ? "" : " or +" + type));
  }

  static std::string special(std::string name) {
    for (char& c : name) c = c == '.' ? '_' : c;
    return name + "()";
  }

  const Source& source_;
  const size_t at_;
  const Assembly& assembly_;
  const PtxText ptx_;
};

}  // namespace

void rewrite_assembly(Source& source) {
  for (size_t i = 0; i < source.size(); ++i) {
    if (!source.is(i, "asm") && !source.is(i, "__asm__") && !source.is(i, "__asm")) {
      continue;
    }
    size_t open = i + 1;
    while (source.is(open, "volatile") || source.is(open, "__volatile__")) {
      ++open;
    }
    if (!source.is(open, "(")) {
      source.fail(i, "asm: this is not understood");
    }
    const Assembly assembly = parse(source, i, open + 1);
    source.replace(source.at(i).begin, source.at(assembly.end - 1).end,
                   Rewriter(source, i, assembly).run());
    i = assembly.end - 1;
  }
}

}  // namespace simt
