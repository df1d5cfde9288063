// Rewrites `extern __shared__ T name[]`, and adds size checks and alignments to other shared arrays.
#include <string>
#include <utility>
#include <vector>

#include "frontend/parts.h"
#include "frontend/text/declarations.h"

namespace simt {
namespace {

// Returns the token after a declaration that contains token i: its ;, or a { or (, which end the search.
size_t declaration_end(const Source& source, size_t i) {
  while (i < source.size() && !source.is(i, ";") && !source.is(i, "{") && !source.is(i, "(")) {
    const bool skip =
        source.is(i + 1, "(") && (source.is(i, "__align__") || source.is(i, "alignas"));
    i += skip ? source.closing(i) : 1;
  }
  return i;
}

// Returns the [first, last) tokens of each alignas(...) that applies to the declared variables, not to a class defined
// in the declaration.
std::vector<std::pair<size_t, size_t>> alignments(const Source& source, size_t begin, size_t end) {
  std::vector<std::pair<size_t, size_t>> found;
  for (size_t i = begin; i < end; ++i) {
    const bool of_class = i > begin && (source.is(i - 1, "struct") || source.is(i - 1, "class") ||
                                        source.is(i - 1, "union"));
    if (source.is(i, "alignas") && source.is(i + 1, "(") && !of_class) {
      found.emplace_back(i, i + source.closing(i));
    }
  }
  return found;
}

std::string text_of(const Source& source, const std::vector<std::pair<size_t, size_t>>& parts) {
  std::string text;
  for (const auto& [begin, end] : parts) text += source.text(begin, end) + " ";
  return text;
}

// Like declaration_end(), but brackets may contain parentheses.
size_t whole_end(const Source& source, size_t i) {
  for (int depth = 0; i < source.size(); ++i) {
    depth += source.is(i, "[") - source.is(i, "]");
    const bool skip = source.is(i + 1, "(") && source.identifier(i);
    if (depth == 0 && (source.is(i, ";") || source.is(i, "{") || (source.is(i, "(") && !skip))) {
      break;
    }
    i += skip ? source.closing(i) - 1 : 0;
  }
  return i;
}

// Returns the declaration without its storage class and with alignas first, so that it is valid as a class member.
std::string as_member(const Source& source, size_t begin, size_t end) {
  const auto aligned = alignments(source, begin, end);
  std::string text = text_of(source, aligned);
  for (size_t i = begin; i < end; ++i) {
    for (const auto& [first, last] : aligned) i = i == first ? last : i;
    if (i >= end) break;
    const bool storage = source.is(i, "__shared__") || source.is(i, "static") ||
                         source.is(i, "extern") || source.is(i, "volatile");
    const bool gap = i + 1 < end && source.at(i).end != source.at(i + 1).begin;
    text += (storage ? "" : source.word(i)) + (gap ? " " : "");
  }
  return text;
}

// Returns a static array whose size encodes `value`. The runtime reads it in the symbol table.
std::string number(const std::string& name, const std::string& value) {
  return " __attribute__((used)) static char " + name + "[" + value + "];";
}

// A declaration of dynamic shared memory: the array's name, and the C++ that replaces the declaration.
struct Dynamic {
  std::string name, text;
};

Dynamic read_dynamic(const Source& source, size_t begin, size_t end) {
  std::string type, aligned, rest;
  size_t name = 0;
  for (size_t i = begin; i < end && name == 0; ++i) {
    if (source.is(i, "__align__") || source.is(i, "alignas")) {
      const size_t last = i + source.closing(i) - 1;
      for (; i < last; ++i) aligned += source.word(i) + " ";
      aligned += ") ";
    } else if (source.is(i, "[")) {
      name = i - 1;
    } else if (!source.is(i, "extern") && !source.is(i, "__shared__") &&
               !source.is(i, "volatile") && !source.is(i + 1, "[")) {
      type += source.word(i) + " ";
    }
  }
  for (size_t i = name + 3; i < end; ++i) {  // after []
    rest += source.word(i);
  }
  if (name == 0 || !source.identifier(name) || !source.is(name + 2, "]") ||
      (!rest.empty() && (rest.front() != '[' || rest.find(',') != std::string::npos))) {
    source.fail(begin, "dynamic shared memory must be declared as: extern __shared__ T name[];");
  }
  const std::string array = source.word(name), prefix = "simt_dynamic_" + array;
  std::string text, alignment, element = type;
  if (!rest.empty()) {
    element = prefix + "_element ";
    text = "typedef " + type + element + rest + "; ";
  }
  if (!aligned.empty()) {
    text += "struct " + prefix + " { " + aligned + element + array + "[1]; }; ";
    alignment = "alignof(" + prefix + ")";
  }
  return {array, text + element + "* const " + array + " = ::simt::dynamic_shared_as<" + element +
                     ">(" + alignment + ");"};
}

// Returns the names that a declaration declares; none if its form is not recognised.
std::vector<std::string> declared(const Source& source, size_t begin, size_t end) {
  std::vector<std::string> names;
  int depth = 0, angle = 0;
  for (size_t i = begin; i < end; ++i) {
    if (source.is(i, "__align__") || source.is(i, "alignas")) {
      i += source.closing(i) - 1;
      continue;
    }
    depth += source.is(i, "[") || source.is(i, "{") || source.is(i, "(");
    depth -= source.is(i, "]") || source.is(i, "}") || source.is(i, ")");
    angle += depth == 0 && source.is(i, "<");
    angle -= depth == 0 && source.is(i, ">");
    const bool last = source.is(i + 1, "[") || source.is(i + 1, ",") || source.is(i + 1, ";");
    if (depth == 0 && angle == 0 && source.identifier(i) && last) {
      names.push_back(source.word(i));
    }
  }
  return names;
}

// Returns one encoded number per array dimension: the bytes from one element to the next.
std::string strides(const Source& source, size_t begin, size_t end, const std::string& name) {
  std::string text, first;
  size_t i = begin;
  while (i < end && source.word(i) != name) ++i;
  for (int depth = 0, dimension = 0; ++i < end && (depth != 0 || source.is(i, "["));) {
    depth += source.is(i, "[") - source.is(i, "]");
    if (depth == 0) {
      first += "[0]";
      text += number("simt_stride" + std::to_string(dimension++) + "_" + name,
                     "sizeof(" + name + first + ")");
    }
  }
  return text;
}

// The classes that measure the shared arrays declared so far in a function, or at file scope.
struct Scope {
  std::vector<std::string> classes;
};

class SharedArrays {
 public:
  explicit SharedArrays(Source& source) : source_(source), scopes_(1) {}

  void run() {
    for (size_t i = 0; i < source_.size(); ++i) {
      if (source_.is(i, "{")) {
        scopes_.push_back(source_.inside_function(i) ? scopes_.back() : Scope());
      } else if (source_.is(i, "}") && scopes_.size() > 1) {
        scopes_.pop_back();
      } else if (source_.is(i, "__shared__")) {
        i = declaration(i);
      }
    }
  }

 private:
  size_t declaration(size_t shared) {
    size_t begin = shared;
    while (begin > 0 && !source_.is(begin - 1, ";") && !source_.is(begin - 1, "{") &&
           !source_.is(begin - 1, "}")) {
      --begin;
    }
    const size_t end = declaration_end(source_, begin);
    align(begin, whole_end(source_, begin));
    bool dynamic = false;
    for (size_t i = begin; i < end; ++i) {
      dynamic = dynamic || source_.is(i, "extern");
      if (source_.is(i, "=")) {
        source_.fail(i,
                     "__shared__ memory has no initial value: threads write it, and a "
                     "__syncthreads() follows");
      }
    }
    if (dynamic) {
      rewrite_dynamic(begin, end);
    } else if (!source_.is(end, ";") || !measure(begin, end)) {
      mark(end);
    }
    return source_.is(end, "{") ? end - 1 : end;  // run() follows the braces
  }

  // Adds after a declaration of another form that its function, or the file, has shared memory without a number.
  // i: a token of the declaration.
  void mark(size_t i) {
    for (int depth = 0; i < source_.size() && (depth > 0 || !source_.is(i, ";")); ++i) {
      depth += source_.is(i, "{") || source_.is(i, "(");
      depth -= source_.is(i, "}") || source_.is(i, ")");
    }
    source_.insert(source_.at(i).end, number("simt_unplaced_" + std::to_string(++unplaced_), "1"));
  }

  // Moves alignas to the front of the declaration. nvcc accepts it anywhere. g++ rejects it after thread_local, which
  // __shared__ expands to.
  void align(size_t begin, size_t end) {
    const auto aligned = alignments(source_, begin, end);
    bool dynamic = false;  // rewrite_dynamic() handles it
    for (size_t i = begin; i < end; ++i) dynamic = dynamic || source_.is(i, "extern");
    if (dynamic || aligned.empty() || aligned.back().first == begin) {
      return;
    }
    source_.insert(source_.at(begin).begin, text_of(source_, aligned));
    for (const auto& [first, last] : aligned) {
      source_.replace(source_.at(first).begin, source_.at(last - 1).end, "");
    }
  }

  // Replaces a declaration inside a function. Removes one outside, and inserts it at the start of each device function
  // that uses the name.
  void rewrite_dynamic(size_t begin, size_t end) {
    const Dynamic dynamic = read_dynamic(source_, begin, end);
    const bool inside = source_.inside_function(begin);
    source_.replace(source_.at(begin).begin, source_.at(end).end, inside ? dynamic.text : "");
    for (const Function& function : inside ? std::vector<Function>() : functions_of(source_)) {
      bool named = false;
      for (size_t i = function.body; i < function.end && function.body > end; ++i) {
        named = named || source_.is(i, dynamic.name.c_str());
      }
      for (size_t i = function.open; i < function.close; ++i) {
        named = named && !source_.is(i, dynamic.name.c_str());
      }
      if (named && function.device_only()) {
        source_.insert(source_.at(function.body).end, " " + dynamic.text);
      }
    }
  }

  // Adds after the declaration: ptxas's limit of 48 KB as a static_assert, each array's alignment, its number among the
  // file's arrays, and the padding of its elements. A GPU guarantees no more than that alignment. Returns false if it
  // finds no names.
  bool measure(size_t begin, size_t end) {
    const std::vector<std::string> names = declared(source_, begin, end);
    if (names.empty()) {
      return false;
    }
    const std::string measure = "simt_shared_" + std::to_string(++count_);
    std::vector<std::string>& classes = scopes_.back().classes;
    classes.push_back(measure);
    std::string text = " struct " + measure + " { " + as_member(source_, begin, end) + "; };";
    text += " static_assert(";
    for (const std::string& each : classes) {
      text += "sizeof(" + each + ") + ";
    }
    text += "0 <= 48 * 1024, \"more than 48 KB of static shared memory, which ptxas refuses\");";
    for (const std::string& name : names) {
      text += number("simt_align_" + name, "alignof(" + measure + ")");
      text += number("simt_order_" + name, std::to_string(++arrays_));
      text += strides(source_, begin, end, name);
      text +=
          number("simt_padding_" + name,
                 "1 + ::simt::padding_of<::std::remove_cv_t<::std::remove_all_extents_t<decltype(" +
                     name + ")>>>()");
    }
    source_.insert(source_.at(end).end, text);
    return true;
  }

  Source& source_;
  std::vector<Scope> scopes_;
  int count_ = 0, arrays_ = 0, unplaced_ = 0;
};

}  // namespace

void rewrite_shared(Source& source) {
  SharedArrays(source).run();
}

}  // namespace simt
