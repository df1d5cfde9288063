// __device__ functions are of their file, and what is for the host is told if it runs on the device after all.
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
      const bool said = source.is(i, "extern") || source.is(i, "static") || source.is(i, "friend");
      linked.insert(said ? each.name : "");
    }
  }
  for (const Function& each : functions) {
    const bool own =
        each.kernel ? each.parameters > 0 && defined.count(each.name) != 0 : each.device;
    const bool is_template = each.parameters > 0;  // g++ leaves the tag out of such a name
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

// The { of the lambda whose [ may be at token i; 0 if none of hosts is there.
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
