// Writes JSON on one line.
#pragma once
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace json {

// Non-ASCII bytes stay as they are.
inline std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    char escaped[8] = {c};
    if (c == '"' || c == '\\') {
      std::snprintf(escaped, sizeof(escaped), "\\%c", c);
    } else if ((unsigned char)c < 0x20) {
      std::snprintf(escaped, sizeof(escaped), "\\u%04x", unsigned(c));
    }
    out += escaped;
  }
  return out + '"';
}

// Whole numbers have all their digits, others nine; NaN and infinity, which JSON lacks, become null.
inline std::string number(double value) {
  constexpr double kExact = 9007199254740992;  // 2^53
  char text[32];
  const bool whole = std::abs(value) < kExact && value == std::floor(value);
  std::snprintf(text, sizeof(text), whole ? "%.0f" : "%.9g", value);
  return std::isfinite(value) ? text : "null";
}

// values: JSON texts.
inline std::string list(const std::vector<std::string>& values, const char* comma = ", ") {
  std::string out = "[";
  for (const std::string& value : values) {
    out += (out.size() > 1 ? comma : "") + value;
  }
  return out + ']';
}

class Object {
 public:
  Object& value(const std::string& key, const std::string& json) {
    fields_ += (fields_.empty() ? "" : ", ") + quoted(key) + ": " + json;
    return *this;
  }
  Object& text(const std::string& key, const std::string& text) { return value(key, quoted(text)); }
  Object& number(const std::string& key, double number) { return value(key, json::number(number)); }
  std::string str() const { return '{' + fields_ + '}'; }

 private:
  std::string fields_;
};

}  // namespace json
