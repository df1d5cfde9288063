// What ./ladder explain knows about one run of a lesson on the CPU backend, and its ways to tell it.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/simt/report.h"

namespace explain {

// A finding in plain words: "A read at line 30: 32 lanes from 32 sectors: uncoalesced".
struct Finding {
  bool good;
  std::string text;
  int line = 0;  // 0: of the whole kernel
  bool shared = false;  // memory that it is about
};

// A number of all launches, in the order in which it is shown. Rates have two decimals.
struct Total {
  std::string key;  // in JSON
  std::string label;  // for people, with the unit
  double value;
  bool rate = false;
};

// One of the launches of a gemm().
struct Launch {
  std::string kernel;
  uint64_t blocks;
  unsigned threads;  // of a block
  size_t shared_bytes;  // of a block
  std::vector<Total> totals;
};

struct Explanation {
  std::string lesson;
  int M = 0, N = 0, K = 0;
  std::string strides;  // those that were asked for, as in ", lda = 300"
  simt::LaunchReport report;  // of all launches; array names are filled in for global memory too
  std::vector<Launch> launches;  // in their order
  size_t main = 0;  // which of them the report names
  std::vector<Total> totals;
  std::vector<Finding> findings;
  std::string note;  // on the fused figures; often empty
};

// What a line asks of global and of shared memory: requests of warps, and sectors or wavefronts.
struct LineFigures {
  int line = 0;
  std::string code;  // without the blanks around it
  double requests[2] = {}, cost[2] = {};
};

// What is shown of the program to compare with.
struct Other {
  std::string name;  // empty: none
  std::vector<std::pair<std::string, double>> totals;  // by key
  std::vector<std::string> findings;
  std::vector<LineFigures> lines;
};

// Makes fused_* follow what nvcc was seen to do with the lesson whose kernel this program holds
// (docs/results/fusion.csv). lesson: whose data holds if the kernel's source has none of its own, being
// edited. Returns a sentence if so, or nothing. To be called before the launch.
std::string follow_nvcc(const std::string& lesson);

// The launch with the most multiply-adds, the last of equal ones; 0 if there is none.
size_t main_of(const std::vector<simt::LaunchReport>& launches);

// The launches of one gemm() as one: counts are added up by line and array; kernel, grid, blocks, barriers
// and shared memory are main_of()'s. Not counted if none of them was.
simt::LaunchReport together(const std::vector<simt::LaunchReport>& launches);

std::vector<Total> totals_of(const simt::LaunchReport& report);

// The worst first: by the sectors or wavefronts that are more than needed.
std::vector<Finding> diagnose(const simt::LaunchReport& report);

// Figures in at most 100 columns, code as it is up to 120. Throws UsageError if the source that the report names cannot be read.
std::string text(const Explanation& e, const Other& other, bool colour);

// One JSON object in one line, without the newline.
std::string json(const Explanation& e, const Other& other);

// A file for another process: lines "KEY VALUE", "finding TEXT" and "line FIGURES CODE". Throws UsageError.
void save(const Explanation& e, const std::string& path);
Other load(const std::string& path, const std::string& name);

}  // namespace explain
