// What one run of a lesson asked of the memory system, as JSON. ./ladder explain renders it
// (common/ladder/explaining).
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "simt/probe.h"
#include "simt/report.h"
#include "simt/trace.h"

namespace explain {

struct Problem {
  std::string lesson;
  int M, N, K;
};

// A matrix in global memory: ld in elements, element in bytes.
struct Matrix {
  std::string name;
  const void* begin;
  int rows, cols;
  int64_t ld;
  unsigned element;
};

// The launch with the most multiply-adds, the last of equal ones; 0 if there is none.
size_t main_of(const std::vector<simt::LaunchReport>& launches);

// The launches of one gemm() as one: counts are added up by line and array; kernel, grid, blocks, barriers
// and shared memory are main_of()'s. Not counted if none of them was.
simt::LaunchReport together(const std::vector<simt::LaunchReport>& launches);

// The figures of a launch as a whole by name, in the order in which they are shown.
std::vector<std::pair<std::string, double>> totals_of(const simt::LaunchReport& report);

// One JSON object in one line, without the newline. all: together(launches), where arrays in global
// memory have been named. uses: of elements, where they were asked for.
std::string json(const Problem& problem, const std::vector<simt::LaunchReport>& launches,
                 const simt::LaunchReport& all, const std::vector<simt::ElementUse>& uses);

// Writes what the warps did that simt::follow_warps() was told of: common/simt/docs/trace.md. Throws UsageError if
// the file cannot be written.
void save_events(const Problem& problem, const std::vector<simt::LaunchReport>& launches,
                 const std::vector<Matrix>& matrices, const std::string& path);

}  // namespace explain
