// Rows for wgmma.mma_async, which are made on first use: one for each number of columns.
#include <map>
#include <string>
#include <utility>

#include "frontend/ptx/instructions.h"
#include "frontend/text/pattern.h"

namespace simt {
namespace {

struct Types {
  std::string sum, a, b;
  bool has_majors() const { return a == "f16" || a == "bf16"; }
  std::string depth() const { return has_majors() ? "16" : a == "tf32" ? "8" : "32"; }
  bool integers() const { return sum == "s32"; }
  bool fit() const {
    if (integers()) return a.substr(1) == "8" && b.substr(1) == "8";
    const bool bytes = a[0] == 'e' && b[0] == 'e';
    return a.back() != '8' && (a == b || bytes) && (sum == "f32" || a == "f16" || bytes);
  }
};

std::string element(std::string type) {
  for (char& c : type) {
    c = char(std::toupper(c));
  }
  return "::simt::Element::" + type;
}

// Returns the row of this opcode, with A in registers or given by a descriptor. The family is empty if the opcode is
// invalid.
Instruction make_row(const std::string& opcode, bool registers) {
  static const Pattern form(
      R"(wgmma\.mma_async\.sync\.aligned\.m64n(\d{1,3})k(\d{1,2}))"
      R"(\.(f32|f16|s32)\.(f16|bf16|tf32|e4m3|e5m2|[su]8)\.(f16|bf16|tf32|e4m3|e5m2|[su]8))");
  Instruction row;
  const auto found = form.match(opcode);
  if (!found) {
    return row;
  }
  const Match& match = *found;
  const unsigned cols = unsigned(std::stoul(match[1]));
  const Types types{match[3], match[4], match[5]};
  if (cols % 8 != 0 || cols == 0 || cols > 256 || match[2] != types.depth() || !types.fit()) {
    return row;
  }
  if (types.integers() && cols > 24 && cols % 16 != 0) {
    return row;
  }
  const bool halves = types.sum == "f16";
  std::string operands =
      (types.sum == "f32" ? "{+f*" : "{+r*") + std::to_string(cols / (halves ? 4 : 2)) + "}";
  operands += registers ? ", {r*4}, l, p" : ", l, l, p";
  operands += types.integers() ? "" : ", n, n";
  operands += !types.has_majors() ? "" : registers ? ", n" : ", n, n";
  row.family = row.opcode = "wgmma.mma_async";
  row.call = "Wgmma<" + std::to_string(cols) + ", " + element(types.a) + ", " + element(types.b) +
             (halves ? ", true" : ", false") + (registers ? ", true>()" : ", false>()");
  read_operands(operands, row);
  return row;
}

}  // namespace

const Instruction* find_product(const std::string& opcode, const std::string& shape) {
  static std::map<std::pair<std::string, bool>, Instruction> rows;
  for (const bool registers : {false, true}) {
    const auto [at, is_new] = rows.insert({{opcode, registers}, Instruction()});
    if (is_new) {
      at->second = make_row(opcode, registers);
    }
    if (!at->second.family.empty() && at->second.shape == shape) {
      return &at->second;
    }
  }
  return nullptr;
}

}  // namespace simt
