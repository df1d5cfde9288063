#include "frontend/ptx/statements.h"

#include <cctype>
#include <regex>

namespace simt {
namespace {

std::string trim(const std::string& text) {
  const size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

// A type of PTX as a letter of instructions.h; 0 if there is none for it.
char letter_of(const std::string& type) {
  const char last = type.back();
  return type == "pred"                                    ? 'p'
         : type == "f32"                                   ? 'f'
         : type[0] == 'f'                                  ? '\0'
         : last == '2'                                     ? 'r'
         : last == '4'                                     ? 'l'
         : type == "b16" || type == "u16" || type == "s16" ? 'h'
                                                           : '\0';
}

// .reg .b32 a, b
bool declare(const std::string& text, PtxText& to) {
  static const std::regex form(R"(\.reg ?\.(\w+) ?([a-zA-Z_$][\w$]*(?: ?, ?[a-zA-Z_$][\w$]*)*))"),
      name(R"([a-zA-Z_$][\w$]*)");
  std::smatch match;
  if (!std::regex_match(text, match, form)) {
    return false;
  }
  const std::string names = match[2];
  const char letter = letter_of(match[1]);
  for (auto n = std::sregex_iterator(names.begin(), names.end(), name); n != std::sregex_iterator();
       ++n) {
    to.registers[n->str()] = letter;
  }
  return letter != '\0';
}

void read_operands(const std::string& text, Statement& to) {
  for (size_t i = 0; i < text.size();) {
    if (text[i] == ' ') {
      ++i;
    } else if (std::string("[]{},|").find(text[i]) != std::string::npos) {
      to.shape += text[i++];
    } else {
      const size_t end = text.find_first_of("[]{},| ", i);
      const std::string operand = text.substr(i, end - i);
      to.shape += operand == "_" ? '_' : '%';
      if (operand != "_") {
        to.operands.push_back(operand);
      }
      i = end == std::string::npos ? text.size() : end;
    }
  }
}

bool read_statement(const std::string& text, PtxText& to) {
  static const std::regex form(R"((?:@ ?(!?) ?([a-zA-Z_$][\w$]*) )?([a-z][\w.:]*)(?: ?(.*))?)");
  if (text.compare(0, 4, ".reg") == 0) {
    return declare(text, to);
  }
  std::smatch match;
  if (!std::regex_match(text, match, form)) {
    return false;
  }
  Statement statement;
  statement.text = text;
  statement.guard = match[1].str() + match[2].str();
  statement.opcode = match[3];
  read_operands(match[4], statement);
  to.statements.push_back(statement);
  return true;
}

// Labels stand before a statement.
std::string without_labels(std::string text, PtxText& to) {
  static const std::regex label(R"(([a-zA-Z_$][\w$]*) ?:(?!:) ?(.*))");
  std::smatch match;
  while (std::regex_match(text, match, label)) {
    Statement statement;
    statement.text = statement.label = match[1];
    to.statements.push_back(statement);
    text = match[2].str();
  }
  return text;
}

}  // namespace

PtxText read_ptx(const std::string& text) {
  PtxText result;
  std::string all = trim(text);
  if (!all.empty() && all.front() == '{' && all.back() == '}') {
    all = trim(all.substr(1, all.size() - 2));
  }
  for (size_t i = 0; i < all.size();) {
    const size_t end = all.find(';', i);
    const std::string each =
        without_labels(trim(all.substr(i, end == std::string::npos ? end : end - i)), result);
    if (!each.empty() && !read_statement(each, result)) {
      result.error = each;
      break;
    }
    i = end == std::string::npos ? all.size() : end + 1;
  }
  return result;
}

}  // namespace simt
