#include <algorithm>
#include <set>

#include "common/harness/answer/places.h"

namespace {

std::string range(const std::string& what, int first, int last) {
  const std::string from = std::to_string(first);
  return first == last ? what + " " + from : what + "s " + from + " to " + std::to_string(last);
}

// The compared rows (or columns), and those of them that have wrong elements. Both lists are sorted.
struct Lines {
  std::string name;  // "row" or "column"
  std::vector<int> wrong, compared;
  int size;  // number of rows (or columns) of the matrix

  bool all() const { return wrong.size() == compared.size(); }

  // Whether inside() holds for all wrong lines, and most lines for which it holds are wrong.
  template <typename Inside>
  bool are(Inside inside) const {
    const auto count = size_t(std::count_if(compared.begin(), compared.end(), inside));
    return std::all_of(wrong.begin(), wrong.end(), inside) && 4 * wrong.size() >= 3 * count;
  }

  // Describes the wrong lines; "" if there is no simple description.
  std::string text() const {
    const int first = wrong.front(), last = wrong.back();
    const std::string end = last == size - 1 ? " (the last)" : "";
    if (are([=](int i) { return i >= first && i <= last; })) {
      return range(name, first, last) + end;
    }
    for (const int step : {2, 3, 4, 8, 16, 32, 64, 128}) {
      if (are([=](int i) { return i % step == first % step; })) {
        const std::string nth = step == 2   ? "second"
                                : step == 3 ? "third"
                                            : std::to_string(step) + "th";
        return "every " + nth + " " + name + " from " + std::to_string(first) + " on";
      }
    }
    for (const int step : {4, 8, 16, 32, 64, 128, 256}) {
      int low = step, high = 0;
      for (const int i : wrong) {
        low = std::min(low, i % step);
        high = std::max(high, i % step);
      }
      if (high - low < step - 1 &&
          are([=](int i) { return i % step >= low && i % step <= high; })) {
        return range(name, low, high) + " of each " + std::to_string(step);
      }
    }
    std::string list = name + "s " + std::to_string(first);
    for (size_t i = 1; i < wrong.size(); ++i) list += " and " + std::to_string(wrong[i]);
    return wrong.size() <= 4 ? list : "";
  }
};

Lines lines(const ComparedProblem& p, bool rows) {
  std::set<int> wrong, compared;
  for (const ComparedElement& e : p.elements) {
    compared.insert(rows ? e.row : e.col);
    if (e.wrong) wrong.insert(rows ? e.row : e.col);
  }
  return {rows ? "row" : "column",
          {wrong.begin(), wrong.end()},
          {compared.begin(), compared.end()},
          rows ? p.M : p.N};
}

// Whether inside() holds for all wrong elements and for few others.
template <typename Inside>
bool inside_are_wrong(const ComparedProblem& p, const Elements& wrong, double share,
                      Inside inside) {
  size_t count = 0;
  for (const ComparedElement& e : p.elements) count += inside(e) ? 1 : 0;
  return count < p.elements.size() && double(wrong.size()) >= share * double(count) &&
         std::all_of(wrong.begin(), wrong.end(), [&](const auto* e) { return inside(*e); });
}

}  // namespace

std::string places_of(const ComparedProblem& p, const Elements& wrong) {
  const Lines rows = lines(p, true), cols = lines(p, false);
  const auto in = [](const Lines& of, int i) {
    return std::binary_search(of.wrong.begin(), of.wrong.end(), i);
  };
  const auto in_rows = [&](const auto& e) { return in(rows, e.row); };
  const auto in_cols = [&](const auto& e) { return in(cols, e.col); };
  const auto in_both = [&](const auto& e) { return in(rows, e.row) && in(cols, e.col); };
  const std::string of_rows = rows.all() ? "" : rows.text(),
                    of_cols = cols.all() ? "" : cols.text();
  for (const double share : {0.97, 0.75}) {
    if (!of_rows.empty() && inside_are_wrong(p, wrong, share, in_rows)) return "all in " + of_rows;
    if (!of_cols.empty() && inside_are_wrong(p, wrong, share, in_cols)) return "all in " + of_cols;
    if (!of_rows.empty() && !of_cols.empty() && inside_are_wrong(p, wrong, share, in_both)) {
      return "all in " + of_rows + " of " + of_cols;
    }
  }
  if (inside_are_wrong(p, wrong, 0.75, [](const auto& e) { return e.row == e.col; })) {
    return "all on the diagonal";
  }
  if (inside_are_wrong(p, wrong, 0.75, [](const auto& e) { return e.row < e.col; })) {
    return "all above the diagonal";
  }
  return inside_are_wrong(p, wrong, 0.75, [](const auto& e) { return e.row > e.col; })
             ? "all below the diagonal"
             : "";
}
