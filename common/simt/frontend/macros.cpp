// Macros of the file itself in inline assembly: asm statements are read before the compiler's preprocessor runs.
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/simt/frontend/parts.h"

namespace simt {
namespace {

struct Piece {
  std::string text;
  bool gap = false;  // white space before it
};
using Pieces = std::vector<Piece>;

bool is_name(const std::string& text) {
  return !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_');
}

Pieces pieces_of(const Source& source, size_t begin, size_t end) {
  Pieces pieces;
  for (size_t i = begin; i < end; ++i) {
    pieces.push_back({source.word(i), i > begin && source.at(i - 1).end != source.at(i).begin});
  }
  return pieces;
}

std::string text_of(const Pieces& pieces) {
  std::string text;
  for (const Piece& piece : pieces) {
    text += (piece.gap && !text.empty() ? " " : "") + piece.text;
  }
  return text;
}

struct Macro {
  bool function = false, variadic = false;
  std::vector<std::string> parameters;
  Pieces body;
};

// What stands behind #define.
Macro read_macro(const std::string& file, const std::string& text, std::string& name) {
  const Source source(file, "0 " + text);  // a # does not begin a line here
  Macro macro;
  name = source.word(1);
  size_t i = 2;
  if (source.is(2, "(") && source.at(1).end == source.at(2).begin) {
    macro.function = true;
    for (i = 3; i < source.size() && !source.is(i, ")"); ++i) {
      if (source.identifier(i)) {
        macro.parameters.push_back(source.word(i));
      } else if (source.is(i, ".") && !macro.variadic) {
        macro.variadic = true;
        macro.parameters.push_back("__VA_ARGS__");
      }
    }
    ++i;
  }
  macro.body = i < source.size() ? pieces_of(source, i, source.size()) : Pieces();
  return macro;
}

class Expander {
 public:
  explicit Expander(Source& source, const std::string& file) : source_(source) {
    const std::string& text = source.raw();
    for (size_t at = 0; at < text.size();) {
      const size_t end = line_end(text, at);
      const size_t hash = text.find_first_not_of(" \t", at);
      const size_t word = hash == std::string::npos || text[hash] != '#'
                              ? std::string::npos
                              : text.find_first_not_of(" \t", hash + 1);
      if (word != std::string::npos && text.compare(word, 6, "define") == 0) {
        std::string body;
        for (size_t i = word + 6; i < end; ++i) {
          body += text[i] == '\\' && text[i + 1] == '\n' ? ' ' : text[i];
        }
        define(file, body);
      }
      at = end + 1;
    }
  }

  void run() {
    for (size_t i = 0; i < source_.size(); ++i) {
      const bool assembly = is_assembly(source_.word(i));
      std::set<std::string> seen;
      if (!source_.identifier(i) || (!assembly && !has_assembly(source_.word(i), seen))) {
        continue;
      }
      size_t open = i + 1;
      while (assembly && (source_.is(open, "volatile") || source_.is(open, "__volatile__"))) {
        ++open;
      }
      const size_t end = source_.is(open, "(") ? open + source_.closing(open - 1) - 1 : open;
      const Pieces before = pieces_of(source_, i, end);
      const std::string after = text_of(expand(before, {}));
      if (after != text_of(before)) {
        source_.replace(source_.at(i).begin, source_.at(end - 1).end, after);
      }
      i = end - 1;
    }
  }

 private:
  static bool is_assembly(const std::string& word) {
    return word == "asm" || word == "__asm__" || word == "__asm";
  }

  // The end of the line that begins there; a backslash continues it.
  static size_t line_end(const std::string& text, size_t at) {
    for (;; ++at) {
      at = text.find('\n', at);
      if (at == std::string::npos) {
        return text.size();
      }
      if (at == 0 || text[at - 1] != '\\') {
        return at;
      }
    }
  }

  // Macros that no tokens can be made of are none of inline assembly.
  void define(const std::string& file, const std::string& text) {
    try {
      std::string name;
      Macro macro = read_macro(file, text, name);
      macros_[name] = std::move(macro);
    } catch (const std::exception&) {
      return;
    }
  }

  bool has_assembly(const std::string& name, std::set<std::string>& seen) const {
    const auto found = macros_.find(name);
    if (found == macros_.end() || !seen.insert(name).second) {
      return false;
    }
    for (const Piece& piece : found->second.body) {
      if (is_assembly(piece.text) || has_assembly(piece.text, seen)) {
        return true;
      }
    }
    return false;
  }

  // The arguments of a call whose ( is at i, which moves to its ). Empty pieces for an empty argument.
  static std::vector<Pieces> arguments(const Macro& macro, const Pieces& from, size_t& i) {
    std::vector<Pieces> all(1);
    int depth = 1;
    for (++i; i < from.size(); ++i) {
      depth += from[i].text == "(";
      depth -= from[i].text == ")";
      if (depth == 0) {
        break;
      }
      const bool rest = macro.variadic && all.size() == macro.parameters.size();
      if (depth == 1 && from[i].text == "," && !rest) {
        all.emplace_back();
      } else {
        all.back().push_back(from[i]);
      }
    }
    all.resize(std::max(all.size(), macro.parameters.size()));
    return all;
  }

  static std::string quoted(const Pieces& argument) {
    std::string text = "\"";
    for (const char c : text_of(argument)) {
      text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    return text + "\"";
  }

  // The body with arguments instead of parameters, # and ##.
  Pieces substitute(const Macro& macro, const std::vector<Pieces>& arguments,
                    const std::set<std::string>& hidden) const {
    Pieces out;
    const auto parameter = [&](size_t i) {
      size_t n = 0;
      while (n < macro.parameters.size() &&
             (i >= macro.body.size() || macro.body[i].text != macro.parameters[n])) {
        ++n;
      }
      return n;
    };
    const auto is_paste = [&](size_t i) {
      return i + 1 < macro.body.size() && macro.body[i].text == "#" &&
             macro.body[i + 1].text == "#";
    };
    bool paste = false;
    for (size_t i = 0; i < macro.body.size(); ++i) {
      if (is_paste(i)) {
        paste = true;
        ++i;
        continue;
      }
      Pieces part{macro.body[i]};
      const size_t none = macro.parameters.size();
      if (macro.function && part[0].text == "#" && parameter(i + 1) != none) {
        part = {{quoted(arguments[parameter(++i)]), part[0].gap}};
      } else if (const size_t n = parameter(i); n != none) {
        const bool gap = part[0].gap;
        part = paste || is_paste(i + 1) ? arguments[n] : expand(arguments[n], hidden);
        if (!part.empty()) {
          part[0].gap = gap;
        }
      }
      if (paste && !out.empty() && !part.empty()) {
        out.back().text += part[0].text;
        part.erase(part.begin());
      }
      paste = false;
      out.insert(out.end(), part.begin(), part.end());
    }
    return out;
  }

  Pieces expand(const Pieces& from, const std::set<std::string>& hidden) const {
    Pieces out;
    for (size_t i = 0; i < from.size(); ++i) {
      const auto found = is_name(from[i].text) ? macros_.find(from[i].text) : macros_.end();
      const bool call = i + 1 < from.size() && from[i + 1].text == "(";
      if (found == macros_.end() || hidden.count(found->first) != 0 ||
          (found->second.function && !call)) {
        out.push_back(from[i]);
        continue;
      }
      const bool gap = from[i].gap;
      std::vector<Pieces> values;
      if (found->second.function) {
        values = arguments(found->second, from, ++i);
      }
      std::set<std::string> inside = hidden;
      inside.insert(found->first);
      Pieces part = expand(substitute(found->second, values, hidden), inside);
      if (!part.empty()) {
        part[0].gap = gap;
      }
      out.insert(out.end(), part.begin(), part.end());
    }
    return out;
  }

  Source& source_;
  std::map<std::string, Macro> macros_;
};

}  // namespace

std::string expand_assembly(const std::string& file, const std::string& text) {
  Source source(file, text);
  Expander(source, file).run();
  return source.edited();
}

}  // namespace simt
