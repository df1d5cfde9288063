// Keeps __device__ functions local to their file, and makes host operators and lambdas check where they run.
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "frontend/parts.h"
#include "frontend/text/declarations.h"

namespace simt {

void keep_local(Source& source, const std::string& file) {
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : file) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  }
  const std::string tag = "__attribute__((abi_tag(\"simt" + std::to_string(hash) + "\"))) ";
  const std::vector<Function> functions = functions_of(source);
  std::set<std::string> defined, linked;
  for (const Function& each : functions) {
    defined.insert(each.body != 0 ? each.name : "");
    for (size_t i = each.begin; i < each.open; ++i) {
      const bool has_specifier =
          source.is(i, "extern") || source.is(i, "static") || source.is(i, "friend");
      linked.insert(has_specifier ? each.name : "");
    }
  }
  for (const Function& each : functions) {
    const bool own =
        each.kernel ? each.parameters > 0 && defined.count(each.name) != 0 : each.device;
    const bool is_template = each.parameters > 0;  // g++ omits the tag from a template's name
    const bool linkage =
        source.is(each.begin, "extern") && source.at(each.begin + 1).kind == Token::Literal;
    if (own && !each.host && !each.specialised && !linkage &&
        (!is_template || (each.owner.empty() && linked.count(each.name) == 0))) {
      source.insert(source.at(each.begin).begin, is_template ? "static " : tag);
    }
  }
}

namespace {

const char* const kGuard = " ::simt::only_on_host();";

// Returns the { of the host lambda that begins with a [ at token i; 0 if there is none.
size_t lambda_body(const Source& source, size_t i) {
  const bool index = source.identifier(i - 1) && !source.is(i - 1, "return");
  if (!source.is(i, "[") || source.is(i + 1, "[") || source.is(i - 1, "[") || index ||
      source.is(i - 1, ")") || source.is(i - 1, "]")) {
    return 0;
  }
  for (; i < source.size() && !source.is(i, "]"); ++i) {
  }
  i = source.is(i + 1, "(") ? i + source.closing(i) : i + 1;
  for (; i < source.size() && !source.is(i, ";") && !source.is(i, ")"); ++i) {
    if (source.is(i, "{")) {
      return i;
    }
    if (source.is(i, "__device__") || source.is(i, "constexpr")) {
      return 0;
    }
  }
  return 0;
}

}  // namespace

void guard_hosts(Source& source) {
  for (const Function& each : functions_of(source)) {
    if (each.body == 0 || each.device || each.kernel || each.constant) {
      continue;
    }
    if (each.name == "operator") {
      source.insert(source.at(each.body).end, kGuard);
    }
    for (size_t i = each.body + 1; i < each.end; ++i) {
      const size_t body = lambda_body(source, i);
      if (body != 0 && body < each.end) {
        source.insert(source.at(body).end, kGuard);
      }
    }
  }
}

}  // namespace simt
