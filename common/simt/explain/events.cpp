#include "common/simt/explain/events.h"

#include <fstream>

#include "common/harness/device/cuda_error.h"

namespace explain {

void save_events(const Events& e, const std::string& path) {
  const Explanation& x = *e.explanation;
  const simt::LaunchReport& r = x.report;
  const unsigned threads = r.block.x * r.block.y * r.block.z, warps = (threads + 31) / 32;
  if (e.warp >= warps) {
    throw UsageError("there is no warp " + std::to_string(e.warp) + ": a block of " + x.lesson +
                     " has " +
                     (warps == 1 ? "only warp 0" : "warps 0 to " + std::to_string(warps - 1)));
  }
  std::ofstream file(path);
  file << "{\"lesson\": \"" << x.lesson << "\", \"kernel\": \"" << r.kernel << "\", \"M\": " << x.M
       << ", \"N\": " << x.N << ", \"K\": " << x.K << ", \"warp\": " << e.warp
       << ", \"threads\": " << threads << ", \"grid\": [" << r.grid.x << ", " << r.grid.y
       << "], \"matrices\": {";
  const char* comma = "";
  for (const Matrix& m : e.matrices) {
    file << comma << "\"" << m.name << "\": {\"ld\": " << m.ld << ", \"element\": " << m.element
         << "}";
    comma = ", ";
  }
  file << "}, \"events\": [";
  std::vector<simt::NamedArray> arrays;
  for (const Matrix& m : e.matrices) {
    arrays.push_back({m.name, m.begin});
  }
  comma = "\n";
  for (const std::string& line : simt::followed_events(arrays)) {
    file << comma << line;
    comma = ",\n";
  }
  file << "\n]}\n";
  if (!file.flush()) {
    throw UsageError("cannot write '" + path + "'");
  }
}

}  // namespace explain
