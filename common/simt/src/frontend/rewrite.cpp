// Runs the passes of the frontend. Line numbers do not change.
#include <cctype>
#include <map>
#include <set>
#include <string>

#include "frontend/frontend.h"
#include "frontend/parts.h"
#include "frontend/unsupported.h"

namespace simt {
namespace {

// True if token i is a name that is declared there: it follows a type, or * or &, and precedes =, ; or the like.
bool is_declared(const Source& source, size_t i) {
  static const std::set<std::string> no_types = {
      "return",   "else",      "do",         "case",      "throw",   "new",
      "delete",   "goto",      "const",      "volatile",  "static",  "extern",
      "inline",   "constexpr", "typename",   "operator",  "mutable", "register",
      "__host__", "typedef",   "__device__", "namespace", "template"};
  const std::string previous = i > 0 ? source.word(i - 1) : "", next = source.word(i + 1);
  const bool ends = next == "," || next == ")" || next == "=" || next == ";" || next == "[" ||
                    next == "{" || next == ":";
  const bool after_type = i > 0 && source.identifier(i - 1) && no_types.count(previous) == 0;
  return (after_type && (ends || next == "(")) || ((previous == "*" || previous == "&") && ends);
}

// Returns the feature that the backend lacks and that the name belongs to; null if there is none.
const std::string* lacking(const std::string& word) {
  const auto found = unsupported().find(word);
  if (found != unsupported().end()) return &found->second;
  for (const auto& [prefix, library] : unsupported_libraries()) {
    if (word.compare(0, prefix.size(), prefix) == 0 && std::isupper(word[prefix.size()])) {
      return &library;
    }
  }
  return nullptr;
}

// Returns the names that lacking() knows and that the source declares itself. Names with two leading underscores are
// reserved for CUDA.
std::set<std::string> own_names(const Source& source) {
  std::set<std::string> names;
  for (size_t i = 0; i < source.size(); ++i) {
    const std::string word = source.word(i);
    if (word.compare(0, 2, "__") != 0 && lacking(word) != nullptr && is_declared(source, i)) {
      names.insert(word);
    }
  }
  return names;
}

// cooperative_groups::NAME
bool is_of_groups(const Source& source, size_t i) {
  return i >= 3 && source.is(i - 1, ":") && source.is(i - 2, ":") &&
         (source.is(i - 3, "cg") || source.is(i - 3, "cooperative_groups"));
}

}  // namespace

void check_supported(const Source& source) {
  const std::set<std::string> own = own_names(source);
  for (size_t i = 0; i < source.size(); ++i) {
    if (!source.identifier(i)) continue;
    const std::string* const feature = lacking(source.word(i));
    const bool member = i > 0 && (source.is(i - 1, ".") || source.is(i - 1, ">"));
    if (feature != nullptr && !member &&
        (own.count(source.word(i)) == 0 || is_of_groups(source, i))) {
      source.fail(i, source.word(i) + ": the CPU backend does not support " + *feature);
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

// malloc(), free(), new, delete, memcpy() and memset() at token i, which belongs to a function of kernels.
void rewrite_memory(Source& source, size_t i) {
  static const std::map<std::string, const char*> functions = {{"malloc", "::simt::heap_malloc"},
                                                               {"free", "::simt::heap_release"},
                                                               {"memcpy", "::simt::copy_bytes"},
                                                               {"memset", "::simt::set_bytes"}};
  const std::string word = source.word(i), before = source.word(i - 1);
  if (before == "." || before == ">" || before == "operator" ||
      (before == "=" && word == "delete")) {
    return;
  }
  size_t begin = i;
  const auto replace = [&](size_t last, const char* text) {
    source.replace(source.at(begin).begin, source.at(last).end, text);
  };
  const auto function = functions.find(word);
  if (function != functions.end() && source.is(i + 1, "(")) {
    begin -= before == ":" ? 2 + source.is(i - 3, "std") : 0;
    const bool std_of_cuda = source.is(begin - 1, ":") && source.is(begin - 3, "cuda");
    begin -= std_of_cuda ? 3 : 0;
    if (source.identifier(begin - 1) && !source.is(begin - 1, "return")) return;
    replace(i, function->second);
  } else if (word == "new" && !source.is(i + 1, "(")) {
    replace(i, "new (::simt::DeviceHeap())");
  } else if (word == "delete") {
    const bool array = source.is(i + 1, "[");
    size_t end = i;
    while (!source.is(end, ";")) ++end;
    replace(array ? i + 2 : i, array ? "::simt::heap_delete_array(" : "::simt::heap_delete(");
    source.insert(source.at(end - 1).end, ")");
  }
}

// Returns the { of the body that follows the qualifier at token i; the source's size if there is none.
size_t body_of(const Source& source, size_t i) {
  for (; i < source.size() && !source.is(i, ";") && !source.is(i, "="); ++i) {
    if (source.is(i, "{")) return i;
    if (source.is(i, "operator")) {
      while (!source.is(i + 1, "(")) ++i;
    }
    if (source.is(i + 1, "(") && source.identifier(i)) i += source.closing(i) - 1;
  }
  return source.size();
}

void rewrite_heap(Source& source) {
  for (size_t i = 0; i < source.size(); ++i) {
    if (!source.is(i, "__device__") && !source.is(i, "__global__")) continue;
    const size_t body = body_of(source, i);
    for (int depth = 0; body < source.size() && ++i < source.size();) {
      rewrite_memory(source, i);
      depth += source.is(i, "{") - source.is(i, "}");
      const bool next = source.is(i + 1, "{") || source.is(i + 1, ",");  // of initial values
      if (i >= body && depth == 0 && !next) break;
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

bool launches_cooperatively(const Source& source) {
  for (size_t i = 0; i < source.size(); ++i) {
    if (source.is(i, "cudaLaunchCooperativeKernel") ||
        source.is(i, "cudaLaunchAttributeCooperative"))
      return true;
  }
  return false;
}

constexpr char kCooperative[] =
    "static const bool simt_cooperative = ::simt::note_cooperative();\n";

std::string rewrite(const std::string& file, const std::string& text, const std::string& headers,
                    std::string& warnings, bool relocatable, bool relaxed) {
  Source source(file, text, headers);
  check_brackets(source);
  check_supported(source);
  check_launches(source);
  check_calls(source, relaxed);
  warnings = warnings_of(source);
  if (!relocatable) keep_local(source, file);
  guard_hosts(source);
  rewrite_shared(source);
  rewrite_variables(source, relocatable);
  note_limits(source);
  note_flat(source);
  note_grid_constants(source);
  rewrite_launches(source);
  rewrite_kernel_pointers(source);
  rewrite_prints(source);
  rewrite_heap(source);
  rewrite_noinline(source);
  rewrite_assembly(source);
  return "#include \"simt/api/qualifiers.h\"\n" + source.apply() +
         (launches_cooperatively(source) ? kCooperative : "");
}

}  // namespace simt
