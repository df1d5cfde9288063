// Turns the CUDA syntax that plain C++ cannot parse into C++. Line numbers stay.
#include <regex>
#include <string>

#include "frontend/frontend.h"
#include "frontend/parts.h"
#include "frontend/unsupported.h"

namespace simt {
namespace {

// A variable in device memory would lie in the host's; what is constexpr needs no memory.
void check_device(const Source& source, size_t i) {
  static const std::regex variable(
      R"((?!.*\b(constexpr|struct|class|operator)\b)[\w\s:<>,*&]*\w\s*)");
  const std::string& text = source.raw();
  const size_t begin = source.at(i).end, end = text.find_first_of("(;={[", begin);
  const size_t line = text.find_first_not_of(" \t", text.rfind('\n', source.at(i).begin) + 1);
  if (text[line] != '#' && end < text.size() && text[end] != '(' &&
      std::regex_match(text.substr(begin, end - begin), variable)) {
    source.fail(i, "__device__: the CPU backend does not support variables in device memory");
  }
}

}  // namespace

void check_supported(const Source& source) {
  for (size_t i = 0; i < source.size(); ++i) {
    if (source.is(i, "__device__")) {
      check_device(source, i);
    }
    const auto found = unsupported().find(source.word(i));
    const bool member = i > 0 && (source.is(i - 1, ".") || source.is(i - 1, ">"));
    if (source.identifier(i) && found != unsupported().end() && !member) {
      source.fail(i, source.word(i) + ": the CPU backend does not support " + found->second);
    }
  }
}

void rewrite_prints(Source& source) {
  for (size_t i = 0; i + 1 < source.size(); ++i) {
    if (!source.is(i, "printf") || !source.is(i + 1, "(")) {
      continue;
    }
    size_t begin = i;
    if (i >= 2 && source.is(i - 1, ":") && source.is(i - 2, ":")) {
      begin = i >= 3 && source.is(i - 3, "std") ? i - 3 : i - 2;
    }
    const bool member = begin > 0 && (source.is(begin - 1, ".") || source.is(begin - 1, ">") ||
                                      source.identifier(begin - 1));
    if (!member || source.is(begin - 1, "return")) {
      source.replace(source.at(begin).begin, source.at(i).end, "::simt::print");
    }
  }
}

void rewrite_noinline(Source& source) {
  for (size_t i = 0; i < source.size(); ++i) {
    if (source.is(i, "__noinline__") && !source.is(i - 1, "(") && !source.is(i - 1, ",")) {
      source.replace(source.at(i).begin, source.at(i).end, "__attribute__((noinline))");
    }
  }
}

std::string rewrite(const std::string& file, const std::string& text, std::string& warnings) {
  Source source(file, text);
  check_brackets(source);
  check_supported(source);
  check_launches(source);
  check_calls(source);
  warnings = warnings_of(source);
  keep_local(source, file);
  guard_hosts(source);
  rewrite_shared(source);
  note_limits(source);
  note_flat(source);
  note_grid_constants(source);
  rewrite_launches(source);
  uncast_kernels(source);
  rewrite_prints(source);
  rewrite_noinline(source);
  rewrite_assembly(source);
  return "#include \"simt/api/qualifiers.h\"\n" + source.apply();
}

}  // namespace simt
