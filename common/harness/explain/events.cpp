// Saves the trace of one block's warps for ./ladder picture and for web pages.
#include <algorithm>
#include <fstream>

#include "common/harness/device/cuda_error.h"
#include "common/harness/explain/explain.h"
#include "common/harness/program/json.h"

namespace explain {

void save_events(const Problem& problem, const std::vector<simt::LaunchReport>& launches,
                 const std::vector<Matrix>& matrices, const std::string& path) {
  const simt::LaunchReport launch = together(launches);
  unsigned threads = 0;
  std::vector<std::string> ran;
  for (const simt::LaunchReport& each : launches) {
    threads = std::max(threads, each.block.x * each.block.y * each.block.z);
    ran.push_back(
        json::Object().text("kernel", each.kernel).number("blocks", double(each.blocks)).str());
  }
  json::Object named, totals;
  std::vector<simt::NamedArray> arrays;
  for (const Matrix& m : matrices) {
    json::Object matrix;
    matrix.number("rows", m.rows).number("cols", m.cols);
    matrix.number("ld", double(m.ld)).number("element", m.element);
    named.value(m.name, matrix.str());
    arrays.push_back({m.name, m.begin});
  }
  for (const auto& [key, value] : totals_of(launch)) {
    totals.number(key, value);
  }
  const simt::Followed followed = simt::followed(arrays);
  json::Object all;
  all.text("format", "gemm-ladder trace").number("version", 2);
  all.text("lesson", problem.lesson).text("kernel", launch.kernel);
  all.number("M", problem.M).number("N", problem.N).number("K", problem.K);
  all.number("threads", threads).value("launches", json::list(ran));
  all.value("grid", json::list({json::number(launch.grid.x), json::number(launch.grid.y)}));
  all.value("matrices", named.str()).value("totals", totals.str());
  all.value("sites", json::list(followed.sites, ",\n"));
  all.value("patterns", json::list(followed.patterns, ",\n"));
  all.value("events", json::list(followed.events, ",\n"));
  all.value("steps", json::list(followed.steps, ",\n"));
  all.value("others", json::list(followed.others, ",\n"));
  std::ofstream file(path);
  file << all.str() << '\n';
  if (!file.flush()) {
    throw UsageError("cannot write '" + path + "'");
  }
}

}  // namespace explain
