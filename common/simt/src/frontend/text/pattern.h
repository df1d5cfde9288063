// Regular expressions. Only pattern.cpp includes <regex>, which takes the compiler two seconds in each file.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace simt {

struct Match {
  struct Group {
    std::string text;
    bool matched;  // false for an optional group that took no part
    size_t begin, end;
  };
  std::vector<Group> groups;  // group 0 is the whole match

  const std::string& operator[](size_t i) const { return groups[i].text; }
};

class Pattern {
 public:
  Pattern(const std::string&
              expression);  // in ECMAScript's syntax, as std::regex; implicit for lists of patterns

  bool matches(const std::string& text) const { return match(text).has_value(); }
  std::optional<Match> match(const std::string& text) const;  // the whole text
  std::optional<Match> match_at(const std::string& text,
                                size_t begin) const;  // from there on, to any end
  std::optional<Match> find(const std::string& text) const;  // the first one

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace simt
