#include "frontend/ptx/statements.h"

#include <cctype>
#include <utility>

#include "frontend/text/pattern.h"

namespace simt {
namespace {

constexpr char kName[] = R"((%?[a-zA-Z_$][\w$]*))";

std::string trim(const std::string& text) {
  const size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

// Returns the letter (instructions.h) of a PTX type; 0 if the type is unknown.
char letter_of(const std::string& type) {
  static const std::map<std::string, char> letters = {
      {"pred", 'p'}, {"f32", 'f'}, {"f64", 'd'},   {"b16", 'h'},    {"u16", 'h'},
      {"s16", 'h'},  {"f16", 'h'}, {"bf16", 'h'},  {"b32", 'r'},    {"u32", 'r'},
      {"s32", 'r'},  {"b64", 'l'}, {"f16x2", 'r'}, {"bf16x2", 'r'}, {"u64", 'l'},
      {"s64", 'l'},  {"b8", 'c'},  {"u8", 'c'},    {"s8", 'c'}};
  const auto found = letters.find(type);
  return found == letters.end() ? '\0' : found->second;
}

class Reader {
 public:
  explicit Reader(PtxText& to) : to_(to) { scopes_.push_back({}), open_.push_back(0); }

  void read(const std::string& text) {
    for (size_t i = 0; i < text.size() && to_.error.empty();) {
      if (text[i] == ' ' || text[i] == ';') {
        ++i;
      } else if (text[i] == '{') {
        open_.push_back(scopes_.size());
        scopes_.push_back({});
        ++i;
      } else if (text[i] == '}') {
        open_.pop_back();
        to_.error = open_.empty() ? text.substr(i) : "";
        ++i;
      } else if (!read_label(text, i)) {
        const size_t begin = i;
        i = end_of_statement(text, i);
        read_statement(trim(text.substr(begin, i - begin)));
      }
    }
    if (to_.error.empty() && open_.size() != 1) {
      to_.error = text;
    }
    resolve_labels();
  }

 private:
  // The names declared between two braces, and their unique names.
  struct Scope {
    std::map<std::string, std::string> registers, labels;
  };
  struct Jump {
    size_t statement;
    std::vector<size_t> scopes;
  };

  static size_t end_of_statement(const std::string& text, size_t i) {
    for (int depth = 0; i < text.size() && text[i] != ';'; ++i) {
      depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
      if (depth < 0) break;
    }
    return i;
  }

  // Returns a name that is unique in this asm and valid in C++.
  std::string fresh(const std::string& name) {
    const std::string plain = name[0] == '%' ? "$" + name.substr(1) : name;
    const unsigned uses = ++uses_[plain];
    return uses == 1 ? plain : plain + "$" + std::to_string(uses);
  }

  bool read_label(const std::string& text, size_t& i) {
    static const Pattern label(std::string(kName) + " ?:(?!:)");
    const auto match = label.match_at(text, i);
    if (!match) {
      return false;
    }
    const std::string& name = (*match)[1];
    Statement statement;
    statement.text = name;
    statement.label = scopes_[open_.back()].labels[name] = fresh(name);
    to_.statements.push_back(statement);
    i = match->groups[0].end;
    return true;
  }

  // .reg .b32 a, b, c<4>
  bool declare(const std::string& text) {
    static const Pattern form(R"(\.reg ?\.(\w+) ?(.*))"),
        each("," + std::string(kName) + R"((?:<(\d{1,3})>)?)");
    const auto match = form.match(text);
    if (!match || letter_of((*match)[1]) == '\0') {
      return false;
    }
    std::string names = ",";
    for (const char c : (*match)[2]) names += c == ' ' ? "" : std::string(1, c);
    size_t read = 0;
    while (const auto one = each.match_at(names, read)) {
      read = one->groups[0].end;
      const bool many = one->groups[2].matched;
      for (unsigned i = 0; i < (many ? std::stoul((*one)[2]) : 1); ++i) {
        const std::string name = (*one)[1] + (many ? std::to_string(i) : "");
        const std::string own = fresh(name);
        scopes_[open_.back()].registers[name] = own;
        to_.registers[own] = letter_of((*match)[1]);
      }
    }
    return read == names.size();
  }

  // Returns the unique name of a register in scope. A register of a closed scope is an error.
  std::string resolved(const std::string& name) {
    for (auto scope = open_.rbegin(); scope != open_.rend(); ++scope) {
      const auto found = scopes_[*scope].registers.find(name);
      if (found != scopes_[*scope].registers.end()) return found->second;
    }
    unknown_ = unknown_ || to_.registers.count(name) != 0;
    return name;
  }

  // Reads operands. In an address, an offset after a + belongs to the operand.
  void read_operands(const std::string& text, Statement& to) {
    bool address = false;
    for (size_t i = 0; i < text.size();) {
      if (text[i] == ' ') {
        ++i;
      } else if (std::string("[]{},|").find(text[i]) != std::string::npos) {
        address = text[i] == '[' || (address && text[i] != ']');
        to.shape += text[i++];
      } else {
        const size_t end = text.find_first_of(address ? "[]{},|+ " : "[]{},| ", i + 1);
        std::string operand = text.substr(i, end - i);
        i = end == std::string::npos ? text.size() : end;
        const size_t plus = text.find_first_not_of(' ', i);
        if (address && plus != std::string::npos && text[plus] == '+') {
          const size_t close = std::min(text.find_first_of("],", plus), text.size());
          operand = resolved(operand) + "+" + trim(text.substr(plus + 1, close - plus - 1));
          i = close;
        }
        to.shape += operand == "_" ? '_' : '%';
        if (operand != "_") {
          const bool negated = operand[0] == '!';
          to.operands.push_back((negated ? "!" : "") + resolved(operand.substr(negated ? 1 : 0)));
        }
      }
    }
    // {r} and r mean the same.
    for (size_t at; (at = to.shape.find("{%}")) != std::string::npos;) to.shape.replace(at, 3, "%");
  }

  void read_statement(const std::string& text) {
    static const Pattern form(R"((?:@ ?(!?) ?)" + std::string(kName) +
                              R"( )?([a-z][\w.:]*)(?: ?(.*))?)");
    if (text.compare(0, 4, ".reg") == 0) {
      if (!declare(text)) to_.error = text;
      return;
    }
    const auto found = form.match(text);
    if (!found) {
      to_.error = text;
      return;
    }
    const Match& match = *found;
    Statement statement;
    statement.text = text;
    statement.guard = match[1] + (match.groups[2].matched ? resolved(match[2]) : "");
    statement.opcode = match[3] == "bra.uni" ? "bra" : match[3];
    read_operands(match[4], statement);
    if (statement.opcode == "bra") {
      jumps_.push_back({to_.statements.size(), open_});
    }
    to_.statements.push_back(statement);
    if (unknown_ && to_.error.empty()) {
      to_.error = text;
    }
  }

  void resolve_labels() {
    for (const Jump& jump : jumps_) {
      Statement& statement = to_.statements[jump.statement];
      bool known = false;
      for (auto scope = jump.scopes.rbegin(); scope != jump.scopes.rend() && !known; ++scope) {
        const auto& labels = scopes_[*scope].labels;
        const auto found =
            statement.shape == "%" ? labels.find(statement.operands[0]) : labels.end();
        known = found != labels.end();
        if (known) statement.operands[0] = found->second;
      }
      if (!known && to_.error.empty()) {
        to_.error = statement.text;
      }
    }
  }

  PtxText& to_;
  bool unknown_ = false;
  std::vector<Scope> scopes_;
  std::vector<size_t> open_;  // indices of open scopes, the innermost last
  std::vector<Jump> jumps_;
  std::map<std::string, unsigned> uses_;
};

}  // namespace

PtxText read_ptx(const std::string& text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    plain += text[i];
    i += text.compare(i, 2, "%%") == 0 ? 1 : 0;
  }
  PtxText result;
  Reader(result).read(plain);
  return result;
}

}  // namespace simt
