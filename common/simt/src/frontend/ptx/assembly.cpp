// Replaces asm("instruction" : outputs : inputs : clobbers) by calls.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/parts.h"
#include "frontend/ptx/instructions.h"
#include "frontend/ptx/operands.h"
#include "frontend/ptx/statements.h"
#include "frontend/text/declarations.h"
#include "frontend/text/pattern.h"

namespace simt {
namespace {

struct Assembly {
  size_t end = 0;  // token after the )
  std::string text;
  std::vector<Operand> operands;  // outputs, then inputs
};

// Returns the contents of a string literal. Escaped line breaks become line breaks, other escaped white space blanks.
std::string contents(const Source& source, size_t i) {
  const std::string word = source.word(i);
  if (word.compare(0, 2, "R\"") == 0) {
    const size_t open = word.find('('), close = word.rfind(')');
    return word.substr(open + 1, close - open - 1);
  }
  if (word.front() != '"') {
    source.fail(i, "asm: the CPU backend reads its text in plain string literals");
  }
  std::string text;
  for (size_t at = 1; at + 1 < word.size(); ++at) {
    if (word[at] != '\\') {
      text += word[at];
      continue;
    }
    const char c = word[++at];
    text += c == 'n' || c == '\n' ? '\n' : c == 't' || c == 'r' || c == 'v' ? ' ' : c;
  }
  return text;
}

// Returns the concatenated literals from token i on, and moves i past them. Comments and runs of white space become
// single blanks.
std::string literals(const Source& source, size_t& i) {
  std::string text, plain;
  for (; i < source.size() && source.at(i).kind == Token::Literal; ++i) {
    text += contents(source, i);
  }
  for (size_t at = 0; at < text.size(); ++at) {
    const bool line = text.compare(at, 2, "//") == 0;
    if (line || text.compare(at, 2, "/*") == 0) {
      const size_t end = text.find(line ? "\n" : "*/", at + 2);
      at = end == std::string::npos ? text.size() : end + (line ? 0 : 1);
      plain += ' ';
    } else if (text.compare(at, 2, "%=") == 0) {
      plain += "u";  // makes the labels of each asm unique
      ++at;
    } else if (!std::isspace(static_cast<unsigned char>(text[at]))) {
      plain += text[at];
    } else if (plain.empty() || plain.back() != ' ') {
      plain += ' ';
    }
  }
  return plain;
}

// Returns tokens on one line, without comments. Source::replace() adds the line breaks after the asm.
std::string on_a_line(const Source& source, size_t begin, size_t end) {
  std::string text;
  for (size_t i = begin; i < end; ++i) {
    const bool gap = i > begin && source.at(i - 1).end != source.at(i).begin;
    text += (gap ? " " : "") + source.word(i);
  }
  return text;
}

// Parses the asm at token `begin`, from token i after its ( on.
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
    source.fail(begin, "asm: expected asm(\"text\" : outputs : inputs : clobbers)");
  }
  assembly.end = i + 1;
  return assembly;
}

// True if the statement sets the carry flag.
bool sets_carry(const Statement& statement) {
  return statement.opcode.find(".cc.") != std::string::npos;
}
bool takes_carry(const Statement& statement) {
  static const Pattern form(R"((addc|subc|madc)\..*)");
  return form.matches(statement.opcode);
}

// Whether an asm sets the carry flag, and whether it reads a carry that it has not set itself.
struct Carries {
  bool sets = false, takes = false;
};
Carries carries_of(const PtxText& text) {
  Carries all;
  for (const Statement& statement : text.statements) {
    all.takes = all.takes || (takes_carry(statement) && !all.sets);
    all.sets = all.sets || sets_carry(statement);
  }
  return all;
}

// Translates one asm to C++.
class Rewriter {
 public:
  Rewriter(const Source& source, size_t at, Assembly assembly)
      : source_(source), at_(at), assembly_(std::move(assembly)) {}

  // The offsets of the asm in the source.
  size_t begin() const { return source_.at(at_).begin; }
  size_t end() const { return source_.at(assembly_.end - 1).end; }
  const Carries& carries() const { return carries_; }
  [[noreturn]] void fail(const std::string& message) const { source_.fail(at_, message); }

  // kept: the carry outlives the asm, since another one reads it. (ptxas keeps it as long as nothing but asms uses it.)
  std::string run(bool kept) const {
    if (!ptx_.error.empty()) {
      refuse(ptx_.error);
    }
    std::string labels, registers, code;
    for (const Statement& statement : ptx_.statements) {
      labels += statement.label.empty() ? "" : " __label__ " + local_name(statement.label) + ";";
    }
    for (const auto& [name, type] : ptx_.registers) {
      registers += std::string(" ") + type_of_register(type) + " " + local_name(name) + "{};";
    }
    if (carries_.sets || carries_.takes) {
      registers +=
          std::string(" bool simt_carry") + (carries_.takes ? " = ::simt::kept_carry();" : "{};");
    }
    for (const Statement& statement : ptx_.statements) {
      code += (code.empty() ? "" : "; ") + code_of(statement);
    }
    if (carries_.sets && kept) code += "; ::simt::keep_carry(simt_carry)";
    const bool plain = labels.empty() && registers.empty() && ptx_.statements.size() <= 1;
    return plain ? (code.empty() ? evaluated() : code)
                 : "({" + labels + registers + " " + code + "; })";
  }

 private:
  // Returns the C++ of an asm without instructions: it evaluates the operands.
  std::string evaluated() const {
    std::string all;
    for (const Operand& operand : assembly_.operands) {
      all += (all.empty() ? "" : ", ") + ("static_cast<void>" + operand.expression);
    }
    return all.empty() ? "static_cast<void>(0)" : all;
  }

  [[noreturn]] void refuse(const std::string& statement) const {
    source_.fail(at_, "asm: the CPU backend supports inline assembly of " +
                          known_families(statement) + ", not: " + statement.substr(0, 200));
  }

  std::string code_of(const Statement& statement) const {
    if (!statement.label.empty()) {
      return local_name(statement.label) + ":";
    }
    std::string guard;
    if (!statement.guard.empty()) {
      const bool negated = statement.guard[0] == '!';
      guard = std::string("if (") + (negated ? "!" : "") +
              predicate(statement, statement.guard.substr(negated ? 1 : 0)) + ") ";
    }
    if (statement.opcode == "bra" && statement.shape == "%") {
      return guard + "goto " + local_name(statement.operands[0]);
    }
    return guard + call_of(statement);
  }

  std::string predicate(const Statement& statement, const std::string& name) const {
    const auto found = ptx_.registers.find(name);
    if (found == ptx_.registers.end() || found->second != 'p') {
      source_.fail(at_, "asm: " + name + " must be a predicate in: " + statement.text);
    }
    return local_name(name);
  }

  std::string call_of(const Statement& statement) const {
    const auto argument = [&](const Instruction& instruction, size_t i) {
      return argument_of(statement.operands[i], instruction.types[i], assembly_.operands, ptx_);
    };
    const Instruction* const found =
        find_instruction(statement.opcode, statement.shape, [&](const Instruction& instruction) {
          bool fits = true;
          for (size_t i = 0; i < instruction.types.size() && fits; ++i) {
            fits = argument(instruction, i).error.empty();
          }
          return fits;
        });
    if (found == nullptr) {
      refuse(statement.text);
    }
    std::string arguments;
    for (size_t i = 0; i < found->types.size(); ++i) {
      const Argument each = argument(*found, i);
      if (!each.error.empty()) {
        source_.fail(at_, "asm: " + each.error + " in: " + statement.text.substr(0, 200));
      }
      if (found->types[i][0] != '-') {
        arguments += (arguments.empty() ? "" : ", ") + each.code;
      }
    }
    const std::string carry = sets_carry(statement)    ? "simt_carry, "
                              : takes_carry(statement) ? "bool(simt_carry), "
                                                       : "";
    return "::simt::ptx::" + function_of(*found, statement.opcode) + "(" + carry + arguments + ")";
  }

  const Source& source_;
  const size_t at_;
  const Assembly assembly_;
  const PtxText ptx_ = read_ptx(assembly_.text);
  const Carries carries_ = carries_of(ptx_);
};

// The bodies of functions for the host. Their asms are for the host's processor.
class HostBodies {
 public:
  explicit HostBodies(const Source& source) : source_(source), functions_(functions_of(source)) {
    for (const Function& each : functions_) {
      if (each.device || each.kernel) device_.insert(each.name);
    }
  }

  // True if token i lies in one, and not in a lambda or class for the device.
  bool contain(size_t i) const {
    for (const Function& each : functions_) {
      if (i <= each.body || i >= each.end || each.body == 0) continue;
      bool device = device_.count(each.name) != 0;
      for (size_t at = each.body; at < i; ++at) {
        device = device || source_.is(at, "__device__") || source_.is(at, "__global__");
      }
      return !device;
    }
    return false;
  }

 private:
  const Source& source_;
  const std::vector<Function> functions_;
  std::set<std::string> device_;  // names that kernels may call
};

bool is_asm(const Source& source, size_t i) {
  return source.is(i, "asm") || source.is(i, "__asm__") || source.is(i, "__asm");
}

}  // namespace

void rewrite_assembly(Source& source) {
  std::vector<Rewriter> all;
  std::unique_ptr<HostBodies> host;
  for (size_t i = 0; i < source.size(); ++i) {
    if (!is_asm(source, i)) continue;
    if (host == nullptr) host = std::make_unique<HostBodies>(source);
    if (host->contain(i)) continue;
    size_t open = i + 1;
    while (source.is(open, "volatile") || source.is(open, "__volatile__")) {
      ++open;
    }
    if (!source.is(open, "(")) {
      source.fail(i, "asm: expected asm(\"text\" : outputs : inputs : clobbers)");
    }
    Assembly assembly = parse(source, i, open + 1);
    const size_t end = assembly.end;
    all.emplace_back(source, i, std::move(assembly));
    i = end - 1;
  }
  const bool set =
      std::any_of(all.begin(), all.end(), [](const auto& x) { return x.carries().sets; });
  const bool kept =
      std::any_of(all.begin(), all.end(), [](const auto& x) { return x.carries().takes; });
  for (const Rewriter& each : all) {
    if (each.carries().takes && !set)
      each.fail("asm: it reads a carry, and no asm of this file sets one");
    source.replace(each.begin(), each.end(), each.run(kept));
  }
}

}  // namespace simt
