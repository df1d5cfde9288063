// The figures of launches as a whole, and how they travel to another process.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "common/harness/device/cuda_error.h"
#include "common/simt/explain/text.h"

namespace explain {
namespace {

using simt::GlobalTraffic;
using simt::SharedTraffic;

double per(double amount, double of) {
  return of > 0 ? amount / of : 0;
}

void add_global(std::vector<Total>& all, const std::string& key, const std::string& label,
                const GlobalTraffic& t) {
  all.push_back({key + "_requests", label + ": requests of a warp", double(t.requests)});
  all.push_back({key + "_sectors", "  sectors of 32 bytes", double(t.sectors)});
  all.push_back(
      {key + "_sectors_per_request", "  sectors per request", per(t.sectors, t.requests), true});
}

void add_shared(std::vector<Total>& all, const std::string& key, const std::string& label,
                const SharedTraffic& t) {
  all.push_back({key + "_requests", label + ": requests", double(t.requests)});
  all.push_back({key + "_wavefronts", "  wavefronts", double(t.wavefronts)});
  all.push_back(
      {key + "_wavefronts_ideal", "  wavefronts for the distinct words", double(t.ideal)});
}

}  // namespace

std::vector<Total> totals_of(const simt::LaunchReport& report) {
  const simt::Counters& c = report.total;
  std::vector<Total> all;
  add_global(all, "global_load", "global load", c.global_load);
  add_global(all, "async_load", "cp.async load", c.async_load);
  all.push_back({"async_lookups", "  lookups in the L1 cache", double(c.async_lookups)});
  add_global(all, "global_store", "global store", c.global_store);
  add_global(all, "global_atomic", "global atomic", c.global_atomic);
  add_shared(all, "shared_load", "shared load", c.shared_load);
  add_shared(all, "fused_load", "shared load, fused as nvcc can", c.fused_load);
  add_shared(all, "matrix_load", "fragment load (LDSM)", c.matrix_load);
  add_shared(all, "shared_store", "shared store", c.shared_store);
  add_shared(all, "fused_store", "shared store, fused as nvcc can", c.fused_store);
  add_shared(all, "async_store", "cp.async store", c.async_store);
  add_shared(all, "shared_atomic", "shared atomic", c.shared_atomic);
  all.push_back({"barriers_per_block", "barriers per block", per(report.barriers, report.blocks)});
  const double threads = double(report.blocks) * report.block.x * report.block.y * report.block.z;
  all.push_back({"arrivals_per_thread", "arrivals at split barriers per thread",
                 per(double(report.arrivals), threads)});
  all.push_back({"tensor_instructions", "tensor core instructions", double(c.tensor_instructions)});
  const double fma = double(c.fma + c.fma64 + c.tensor_fma);
  all.push_back({"fma", "multiply-adds of threads (FFMA)", double(c.fma + c.fma64)});
  all.push_back({"tensor_fma", "multiply-adds on tensor cores", double(c.tensor_fma)});
  const GlobalTraffic* const global[] = {&c.global_load, &c.async_load, &c.global_store,
                                         &c.global_atomic};
  double asked = 0, moved = 0;
  for (const GlobalTraffic* t : global) {
    asked += double(t->bytes);
    moved += 32.0 * double(t->sectors);
  }
  all.push_back({"bytes_asked", "global bytes asked for", asked});
  all.push_back({"bytes_moved", "global bytes moved", moved});
  all.push_back(
      {"intensity", "floating-point operations per byte moved", per(2 * fma, moved), true});
  return all;
}

void save(const Explanation& e, const std::string& path) {
  std::ofstream file(path);
  for (const Total& total : e.totals) {
    char line[128];
    std::snprintf(line, sizeof line, "%s %.17g\n", total.key.c_str(), total.value);
    file << line;
  }
  for (const Finding& finding : e.findings) {
    file << "finding " << (finding.good ? "  +" : "  -") << finding.text << '\n';
  }
  for (const LineFigures& line : figures_of(e)) {
    char figures[160];
    std::snprintf(figures, sizeof figures, "line %d %.17g %.17g %.17g %.17g ", line.line,
                  line.requests[0], line.cost[0], line.requests[1], line.cost[1]);
    file << figures << line.code << '\n';
  }
  if (!file.flush()) {
    throw UsageError("cannot write '" + path + "'");
  }
}

Other load(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  Other other;
  other.name = name.empty() ? path : name;
  for (std::string line; std::getline(file, line);) {
    const size_t space = line.find(' ');
    const std::string key = line.substr(0, space);
    const std::string value = space == std::string::npos ? "" : line.substr(space + 1);
    if (key == "finding") {
      other.findings.push_back(value);
    } else if (key == "line") {
      LineFigures figures;
      std::istringstream words(value);
      words >> figures.line >> figures.requests[0] >> figures.cost[0] >> figures.requests[1] >>
          figures.cost[1] >> std::ws;
      std::getline(words, figures.code);
      other.lines.push_back(figures);
    } else {
      other.totals.push_back({key, std::atof(value.c_str())});
    }
  }
  if (other.totals.empty()) {
    throw UsageError("cannot read '" + path + "'");
  }
  return other;
}

}  // namespace explain
