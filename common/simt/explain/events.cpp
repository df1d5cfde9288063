// The events of one warp, for ./ladder picture.
#include <fstream>

#include "common/harness/device/cuda_error.h"
#include "common/harness/program/json.h"
#include "common/simt/explain/explain.h"

namespace explain {

void save_events(const Problem& problem, const simt::LaunchReport& launch, uint32_t warp,
                 const std::vector<Matrix>& matrices, const std::string& path) {
  const unsigned threads = launch.block.x * launch.block.y * launch.block.z;
  const unsigned warps = (threads + 31) / 32;
  if (warp >= warps) {
    throw UsageError("there is no warp " + std::to_string(warp) + ": a block has " +
                     (warps == 1 ? "only warp 0" : "warps 0 to " + std::to_string(warps - 1)));
  }
  json::Object named;
  std::vector<simt::NamedArray> arrays;
  for (const Matrix& m : matrices) {
    named.value(m.name,
                json::Object().number("ld", double(m.ld)).number("element", m.element).str());
    arrays.push_back({m.name, m.begin});
  }
  json::Object all;
  all.text("lesson", problem.lesson).text("kernel", launch.kernel);
  all.number("M", problem.M).number("N", problem.N).number("K", problem.K);
  all.number("warp", warp).number("threads", threads);
  all.value("grid", json::list({json::number(launch.grid.x), json::number(launch.grid.y)}));
  all.value("matrices", named.str());
  all.value("events", json::list(simt::followed_events(arrays), ",\n"));
  std::ofstream file(path);
  file << all.str() << '\n';
  if (!file.flush()) {
    throw UsageError("cannot write '" + path + "'");
  }
}

}  // namespace explain
