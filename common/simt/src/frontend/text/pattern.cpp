#include "frontend/text/pattern.h"

#include <regex>

namespace simt {

struct Pattern::Compiled {
  std::regex regex;
};

namespace {

Match copy_of(const std::smatch& found, const std::string& text) {
  Match match;
  for (const auto& group : found) {
    match.groups.push_back({group.str(), group.matched, size_t(group.first - text.begin()),
                            size_t(group.second - text.begin())});
  }
  return match;
}

}  // namespace

Pattern::Pattern(const std::string& expression) : compiled_(new Compiled{std::regex(expression)}) {}

std::optional<Match> Pattern::match(const std::string& text) const {
  std::smatch found;
  if (!std::regex_match(text, found, compiled_->regex)) return {};
  return copy_of(found, text);
}

std::optional<Match> Pattern::match_at(const std::string& text, size_t begin) const {
  std::smatch found;
  if (!std::regex_search(text.begin() + std::ptrdiff_t(begin), text.end(), found, compiled_->regex,
                         std::regex_constants::match_continuous)) {
    return {};
  }
  return copy_of(found, text);
}

std::optional<Match> Pattern::find(const std::string& text) const {
  std::smatch found;
  if (!std::regex_search(text, found, compiled_->regex)) return {};
  return copy_of(found, text);
}

}  // namespace simt
