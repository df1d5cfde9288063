// Shared memory: `extern __shared__ T name[]`, and what the program must keep of other declarations.
#include <string>
#include <utility>
#include <vector>

#include "frontend/parts.h"
#include "frontend/text/declarations.h"

namespace simt {
namespace {

// The token behind a declaration that goes on at token i: its ;, or a { or ( that it must not have.
size_t declaration_end(const Source& source, size_t i) {
  while (i < source.size() && !source.is(i, ";") && !source.is(i, "{") && !source.is(i, "(")) {
    const bool skip =
        source.is(i + 1, "(") && (source.is(i, "__align__") || source.is(i, "alignas"));
    i += skip ? source.closing(i) : 1;
  }
  return i;
}

// The alignas(...) of a declaration, each from its first token to one past its last. (Not of a class that it defines.)
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

// The same, where brackets may have parentheses in them.
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

// The declaration's tokens without its storage class, which is what a class member may say. alignas stands in front.
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

// An array whose size is `value` stands for a number that the runtime reads in the symbol table.
std::string number(const std::string& name, const std::string& value) {
  return " __attribute__((used)) static char " + name + "[" + value + "];";
}

// What a declaration of dynamic shared memory becomes.
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
  for (size_t i = name + 3; i < end; ++i) {  // what stands behind []
    rest += source.word(i);
  }
  if (name == 0 || !source.identifier(name) || !source.is(name + 2, "]") ||
      (!rest.empty() && (rest.front() != '[' || rest.find(',') != std::string::npos))) {
    source.fail(begin, "dynamic shared memory must be declared as: extern __shared__ T name[];");
  }
  const std::string array = source.word(name), measure = "simt_dynamic_" + array;
  std::string text, alignment, element = type;
  if (!rest.empty()) {
    element = measure + "_element ";
    text = "typedef " + type + element + rest + "; ";
  }
  if (!aligned.empty()) {
    text += "struct " + measure + " { " + aligned + element + array + "[1]; }; ";
    alignment = "alignof(" + measure + ")";
  }
  return {array, text + element + "* const " + array + " = ::simt::dynamic_shared_as<" + element +
                     ">(" + alignment + ");"};
}

// The names that a declaration declares; none if it is of a kind that is not understood.
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

// For each dimension of an array, the bytes from one element to the next.
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

// One function's (or the file's) declarations so far: the classes that measure them.
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
    } else if (source_.is(end, ";")) {
      measure(begin, end);
    }
    return end;
  }

  // nvcc takes alignas anywhere; behind thread_local, which __shared__ becomes, g++ does not. All move to the front.
  void align(size_t begin, size_t end) {
    const auto aligned = alignments(source_, begin, end);
    bool dynamic = false;  // that is rewritten altogether
    for (size_t i = begin; i < end; ++i) dynamic = dynamic || source_.is(i, "extern");
    if (dynamic || aligned.empty() || aligned.back().first == begin) {
      return;
    }
    source_.insert(source_.at(begin).begin, text_of(source_, aligned));
    for (const auto& [first, last] : aligned) {
      source_.replace(source_.at(first).begin, source_.at(last - 1).end, "");
    }
  }

  // One outside of functions stands at the head of each function that says its name.
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

  // Behind the declaration: the limit that ptxas has, and each array's alignment, which is all that a
  // GPU promises.
  void measure(size_t begin, size_t end) {
    const std::vector<std::string> names = declared(source_, begin, end);
    if (names.empty()) {
      return;
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
      text += strides(source_, begin, end, name);
    }
    source_.insert(source_.at(end).end, text);
  }

  Source& source_;
  std::vector<Scope> scopes_;
  int count_ = 0;
};

}  // namespace

void rewrite_shared(Source& source) {
  SharedArrays(source).run();
}

}  // namespace simt
