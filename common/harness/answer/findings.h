// Collects the errors that the verifier finds and describes the first one.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>

#include "common/harness/answer/verify.h"

class Findings {
 public:
  // Compares got with expected. The conditions are written so that a NaN fails.
  void compare(int row, int col, double got, double expected, double error, double bound) {
    ++compared_;
    if (!(error <= bound) && wrong_++ == 0) {
      first_ = element(row, col, got) + format("%.9g", expected) +
               (bound > 0 ? format(" within %.2g", bound) : "");
    }
    const double ratio = bound > 0 ? error / bound : error;
    if (!(ratio <= worst_ratio_)) {
      worst_ratio_ = std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
      verdict_.max_error = error;
      verdict_.bound = bound;
    }
  }

  // Counts an element that was not compared with the reference but cannot be right.
  void refuse(int row, int col, double got, const char* expected) {
    ++compared_;
    if (wrong_++ == 0) {
      first_ = element(row, col, got) + expected;
    }
  }

  void row_is_wrong(int row) {
    if (wrong_rows_++ == 0) {
      first_row_ = format("row %d of C has a wrong checksum", row);
    }
  }

  void touched(const char* what, int64_t row, int64_t col) {
    if (outside_++ == 0) {
      first_outside_ =
          format("%s was written: row %lld column %lld", what, (long long)row, (long long)col);
    }
  }

  bool any_wrong() const { return wrong_ != 0; }

  // pattern: the common properties of the wrong elements.
  Verdict verdict(const std::string& pattern) const {
    Verdict v = verdict_;
    v.right = wrong_ == 0 && wrong_rows_ == 0 && outside_ == 0;
    if (v.right) {
      return v;
    }
    v.text = "wrong: ";
    if (wrong_ != 0) {
      v.text += first_ + "; " + std::to_string(wrong_) + " of " + std::to_string(compared_) +
                " compared elements are wrong" + (pattern.empty() ? "" : ": ") + pattern;
      v.pattern = pattern;
    } else if (wrong_rows_ != 0) {
      v.text += first_row_;
    }
    if (outside_ != 0) {
      v.text += (wrong_ + wrong_rows_ != 0 ? "; " : "") + first_outside_;
    }
    return v;
  }

 private:
  template <typename... Values>
  static std::string format(const char* text, Values... values) {
    char buffer[160];
    std::snprintf(buffer, sizeof(buffer), text, values...);
    return buffer;
  }

  static std::string element(int row, int col, double got) {
    return format("C[%d][%d] is %.9g; expected ", row, col, std::isnan(got) ? NAN : got);
  }

  Verdict verdict_;
  double worst_ratio_ = 0;
  int64_t wrong_ = 0, compared_ = 0, wrong_rows_ = 0, outside_ = 0;
  std::string first_, first_row_, first_outside_;
};
