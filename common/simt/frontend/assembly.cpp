// asm("instruction" : outputs : inputs : clobbers): the PTX instructions that the CPU backend knows.
#include <regex>
#include <string>
#include <vector>

#include "common/simt/frontend/parts.h"

namespace simt {
namespace {

const char kKnown[] =
    "the CPU backend supports inline assembly of one ldmatrix.sync.aligned.m8n8.{x1,x2,x4}{.trans}"
    ".shared.b16, mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 or mbarrier.test_wait.parity";

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
      source.fail(i, std::string("asm: ") + kKnown + ", in plain string literals");
    }
    text += word.substr(1, word.size() - 2);
  }
  return std::regex_replace(text, std::regex(R"((\\[nt]|\s)+)"), " ");
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
          source.fail(begin, std::string("asm: ") + kKnown + ", with operands \"r\"(expression)");
        }
        i += length;
        assembly.operands.push_back({constraint, source.text(open, i)});
      }
      if (!source.is(i, ",")) {
        break;
      }
    }
  }
  if (!source.is(i, ")")) {
    source.fail(begin, std::string("asm: ") + kKnown + "; this asm is not understood");
  }
  assembly.end = i + 1;
  return assembly;
}

// A register of an instruction: what may be written to, what is read, and of which type.
struct Slot {
  char type;  // r or f
  bool output;
};

// The call that stands for the instruction, and its registers in order; empty if it is not known.
std::string call_of(const std::string& instruction, std::vector<Slot>& slots) {
  static const std::regex ldmatrix(
      R"(ldmatrix\.sync\.aligned\.m8n8\.x([124])(\.trans)?\.shared(?:::cta)?\.b16)");
  std::smatch match;
  if (std::regex_match(instruction, match, ldmatrix)) {
    slots.assign(size_t(match[1].str()[0] - '0'), {'r', true});
    slots.push_back({'r', false});
    return match[2].matched ? "ldmatrix<true>" : "ldmatrix<false>";
  }
  if (instruction == "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32") {
    slots.assign(4, {'f', true});
    slots.insert(slots.end(), 6, {'r', false});
    slots.insert(slots.end(), 4, {'f', false});
    return "mma_m16n8k16";
  }
  return "";
}

// The braces and brackets around the registers of an instruction, each of which is a %.
const char* shape_of(const std::string& call, size_t registers) {
  if (call == "mma_m16n8k16") {
    return "{%,%,%,%},{%,%,%,%},{%,%},{%,%,%,%}";
  }
  return registers == 2 ? "{%},[%]" : registers == 3 ? "{%,%},[%]" : "{%,%,%,%},[%]";
}

bool fits(const Slot& slot, const std::string& constraint) {
  const std::string type(1, slot.type);
  return constraint == "+" + type || constraint == (slot.output ? "=" + type : type);
}

// An asm as a call: the function, its registers and their names. No function if the asm is not known.
struct Call {
  std::string function;
  std::vector<Slot> slots;
  std::vector<std::string> names;  // %0 and so on
};

// A test of a split barrier's phase: a predicate of the asm's own becomes 0 or 1 in a register.
bool find_parity_wait(const std::string& text, Call& call) {
  static const std::regex form(
      R"( ?\{ ?\.reg ?\.pred ([a-zA-Z]\w*) ?; ?)"
      R"(mbarrier\.test_wait\.parity\.shared(?:::cta)?\.b64 \1 ?, ?\[ ?(%\d+) ?\] ?, ?(%\d+) ?; ?)"
      R"(selp\.[bsu]32 (%\d+) ?, ?1 ?, ?0 ?, ?\1 ?; ?\} ?)");
  std::smatch match;
  if (!std::regex_match(text, match, form)) {
    return false;
  }
  call = {"mbarrier_test_wait_parity",
          {{'r', true}, {'r', false}, {'r', false}},
          {match[4], match[2], match[3]}};
  return true;
}

Call find_call(const std::string& text) {
  static const std::regex form(R"( ?([\w.:]+) ?([^;]*);? ?)"), number(R"(%\d+)"), blank(" ");
  Call call;
  std::smatch match;
  if (find_parity_wait(text, call) || !std::regex_match(text, match, form)) {
    return call;
  }
  call.function = call_of(match[1], call.slots);
  const std::string operands = std::regex_replace(match[2].str(), blank, "");
  if (std::regex_replace(operands, number, "%") != shape_of(call.function, call.slots.size())) {
    return {};
  }
  call.names.assign(std::sregex_token_iterator(operands.begin(), operands.end(), number), {});
  return call;
}

// The C++ of an asm.
std::string rewrite(const Source& source, size_t i, const Assembly& assembly) {
  const Call call = find_call(assembly.text);
  if (call.function.empty()) {
    source.fail(i, std::string("asm: ") + kKnown + ", not: " + assembly.text);
  }
  std::string out = "::simt::ptx::" + call.function + "(";
  for (size_t n = 0; n < call.slots.size(); ++n) {
    const Slot& slot = call.slots[n];
    const std::string& name = call.names[n];
    const size_t index = std::stoul(name.substr(1, 4));
    if (index >= assembly.operands.size() || !fits(slot, assembly.operands[index].constraint)) {
      source.fail(i, "asm: " + name + " must be an operand with the constraint " +
                         (slot.output ? "=" : "") + slot.type + " or +" + slot.type);
    }
    out += (out.back() == '(' ? "" : ", ") + assembly.operands[index].expression;
  }
  return out + ")";
}

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
      source.fail(i, std::string("asm: ") + kKnown + "; this asm is not understood");
    }
    const Assembly assembly = parse(source, i, open + 1);
    source.replace(source.at(i).begin, source.at(assembly.end - 1).end,
                   rewrite(source, i, assembly));
    i = assembly.end - 1;
  }
}

}  // namespace simt
