// __device__ functions are of their file.
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "common/simt/frontend/parts.h"
#include "common/simt/frontend/text/declarations.h"

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

}  // namespace simt
