// Writes the memory accesses of one run of a lesson as JSON, which ./ladder explain renders
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

// A matrix in global memory. ld is in elements, element is an element's size in bytes.
struct Matrix {
  std::string name;
  const void* begin;
  int rows, cols;
  int64_t ld;
  unsigned element;
};

// The index of the launch with the most multiply-adds, the last one if several have as many; 0 if there is none.
size_t main_of(const std::vector<simt::LaunchReport>& launches);

// Combines the launches of one gemm(). Counts are added up by line and array. Kernel, grid, blocks, barriers and
// shared memory are those of main_of(). The result is counted if one of the launches is.
simt::LaunchReport together(const std::vector<simt::LaunchReport>& launches);

// The names and values of a launch's totals in display order.
std::vector<std::pair<std::string, double>> totals_of(const simt::LaunchReport& report);

// One JSON object on one line, without the newline. all: together(launches), with names for arrays in global
// memory. uses: the uses of elements, if requested.
std::string json(const Problem& problem, const std::vector<simt::LaunchReport>& launches,
                 const simt::LaunchReport& all, const std::vector<simt::ElementUse>& uses);

// Writes the trace of the warps selected by simt::follow_warps(), in the format of common/simt/docs/trace.md. Throws
// UsageError if the file cannot be written.
void save_events(const Problem& problem, const std::vector<simt::LaunchReport>& launches,
                 const std::vector<Matrix>& matrices, const std::string& path);

}  // namespace explain
