// What one run of a lesson asked of the memory system, as JSON. ./ladder explain renders it
// (common/ladder/explaining).
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/simt/report.h"

namespace explain {

struct Problem {
  std::string lesson;
  int M, N, K;
};

// A matrix in global memory: ld in elements, element in bytes.
struct Matrix {
  std::string name;
  const void* begin;
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

// Writes the events of one warp of block 0, which simt::follow_warp() was told, as one JSON object: the
// launch, then "events", each on a line of its own. Offsets are in bytes from the beginning of the array.
// Throws UsageError if the block has no such warp or the file cannot be written.
void save_events(const Problem& problem, const simt::LaunchReport& launch, uint32_t warp,
                 const std::vector<Matrix>& matrices, const std::string& path);

}  // namespace explain
