#include "frontend/ptx/operands.h"

#include "frontend/text/pattern.h"

namespace simt {
namespace {

bool has_letter(const std::string& letters, char letter) {
  return letters.find(letter) != std::string::npos;
}

// Returns the letter of the other kind of register with the same size (integer or float); 0 if none.
char twin(char letter) {
  const std::string kinds = "rf ld";
  const size_t at = kinds.find(letter);
  return at == std::string::npos || letter == ' ' ? '\0'
                                                  : kinds[at / 3 * 3 + (at % 3 == 0 ? 1 : 0)];
}

// Converts `code`, a value in a register `letter`, to one of `letters`. Empty if there is no conversion.
std::string converted(const std::string& code, char letter, const std::string& letters,
                      bool output) {
  if (has_letter(letters, letter)) {
    return code;
  }
  if (has_letter(letters, 'a') && (letter == 'r' || letter == 'l')) {
    return letter == 'r' ? code : "::simt::ptx::get<uint32_t>(" + code + ")";
  }
  if (has_letter(letters, 'g') && letter == 'l') {
    return "::simt::ptx::offset_in_shared(" + code + ")";
  }
  const char other = twin(letter);
  if (other == '\0' || !has_letter(letters, other)) {
    return "";
  }
  return std::string("::simt::ptx::") + (output ? "register_as<" : "bits_as<") +
         type_of_register(other) + ">(" + code + ")";
}

std::string immediate(const std::string& text, const std::string& letters) {
  static const Pattern integer(R"(-?(\d+|0[xX][0-9a-fA-F]+|0[bB][01]+)U?)"),
      bits32("0[fF][0-9a-fA-F]{8}"), bits64("0[dD][0-9a-fA-F]{16}"),
      decimal(R"(-?\d+(\.\d*([eE][-+]?\d+)?|[eE][-+]?\d+))");
  const bool integers = letters.find_first_of("arlhn") != std::string::npos;
  if (text == "WARP_SZ" && integers) {
    return "32";
  }
  if (integer.matches(text)) {
    return integers || letters == "p" ? text : "";
  }
  if (bits32.matches(text) && letters.find_first_of("fr") != std::string::npos) {
    return (has_letter(letters, 'f') ? "::simt::ptx::bits_as<float>(0x" : "(0x") + text.substr(2) +
           "u)";
  }
  if (bits64.matches(text) && letters.find_first_of("dl") != std::string::npos) {
    return (has_letter(letters, 'd') ? "::simt::ptx::bits_as<double>(0x" : "(0x") + text.substr(2) +
           "ull)";
  }
  if (decimal.matches(text) && (has_letter(letters, 'f') || has_letter(letters, 'd'))) {
    return text + (has_letter(letters, 'd') ? "" : "f");
  }
  return "";
}

std::string special_register(std::string name) {
  static const Pattern known(
      R"(%((tid|n?tid|n?ctaid|cluster_n?ctaid|n?clusterid)\.[xyz]|cluster_n?ctarank|laneid|n?warpid)"
      R"(|n?smid|clock|clock_hi|clock64|globaltimer|globaltimer_lo|globaltimer_hi)"
      R"(|lanemask_(eq|le|lt|ge|gt)|dynamic_smem_size))");
  if (!known.matches(name)) {
    return "";
  }
  for (char& c : name) c = c == '.' ? '_' : c;
  return "::simt::ptx::special_" + name.substr(1) + "()";
}

// Returns a type's letters without its prefix.
std::string letters_of(const std::string& type) {
  return type.substr(type.find_first_not_of("=+-"));
}

std::string expectation(const std::string& name, const std::string& type,
                        const std::vector<Operand>& operands) {
  const std::string letters = letters_of(type);
  static const Pattern form(R"(%\d{1,3})");
  std::string all;
  for (const char each : letters) {
    const char letter = each == 'a' ? 'r' : each == 'g' ? 'l' : each;
    if (letter != 's' && letter != 'c') {
      all += std::string(all.empty() ? "" : " or ") + (type[0] == '=' ? "=" : "") + letter +
             (letter == 'n' ? "" : std::string(" or +") + letter);
    }
  }
  if (form.matches(name) && !operands.empty()) {
    return name + " must be an operand with the constraint " + all;
  }
  return name + " must be " + (letters == "p" ? "a predicate" : "an operand or a register") +
         " of the right type";
}

Argument numbered_operand(const std::string& name, const std::string& type,
                          const std::vector<Operand>& operands) {
  const std::string letters = letters_of(type);
  const bool output = type[0] == '=' || type[0] == '+';
  const size_t index = std::stoul(name.substr(1));
  if (index < operands.size()) {
    const std::string constraint = plain_constraint(operands[index].constraint);
    const char letter = constraint.back();
    const std::string& expression = operands[index].expression;
    if (constraint == "n" && !output && letters.find_first_of("arlhnp") != std::string::npos) {
      return {expression, ""};
    }
    // An output of the asm may also be read: an earlier instruction may have written it.
    const bool out = constraint[0] == '=' || constraint[0] == '+';
    const std::string code = output && !out ? "" : converted(expression, letter, letters, output);
    if (!code.empty() && (type[0] != '+' || constraint[0] == '+')) {
      return {code, ""};
    }
  }
  return {"", expectation(name, type, operands)};
}

// Translates an address of the form base+offset.
Argument after_base(const std::string& name, size_t plus, const std::string& type,
                    const std::vector<Operand>& operands, const PtxText& ptx) {
  const Argument base = argument_of(name.substr(0, plus), type, operands, ptx);
  const Argument rest = argument_of(name.substr(plus + 1), "n", operands, ptx);
  if (!base.error.empty() || !rest.error.empty()) {
    return !base.error.empty() ? base : rest;
  }
  return {"::simt::ptx::behind(" + base.code + ", " + rest.code + ")", ""};
}

}  // namespace

std::string plain_constraint(const std::string& constraint) {
  std::string plain;
  for (const char c : constraint) plain += c == '&' ? "" : std::string(1, c);
  return plain;
}

const char* type_of_register(char letter) {
  return letter == 'p'   ? "bool"
         : letter == 'r' ? "uint32_t"
         : letter == 'l' ? "uint64_t"
         : letter == 'h' ? "uint16_t"
         : letter == 'd' ? "double"
         : letter == 'c' ? "uint8_t"
                         : "float";
}

Argument argument_of(const std::string& name, const std::string& type,
                     const std::vector<Operand>& operands, const PtxText& ptx) {
  const std::string letters = letters_of(type);
  const bool output = type[0] == '=' || type[0] == '+';
  const size_t plus = name.find('+', 1);
  if (plus != std::string::npos && letters.find_first_of("agrl") != std::string::npos) {
    return after_base(name, plus, type, operands, ptx);
  }
  if (name[0] == '%' && name.size() > 1 && std::isdigit(name[1])) {
    return numbered_operand(name, type, operands);
  }
  if (name[0] == '!' && letters == "p" && !output) {
    const Argument plain = argument_of(name.substr(1), type, operands, ptx);
    return plain.error.empty() ? Argument{"!" + plain.code, ""} : plain;
  }
  std::string code;
  const auto found = ptx.registers.find(name);
  if (found != ptx.registers.end()) {
    code = converted(local_name(name), found->second, letters, output);
  } else if (!output && name[0] == '%' && has_letter(letters, 's')) {
    code = special_register(name);
    if (code.empty()) {
      return {"", "the CPU backend has no special register " + name};
    }
  } else if (!output) {
    code = immediate(name, letters);
  }
  return {code, code.empty() ? expectation(name, type, {}) : ""};
}

}  // namespace simt
