// Compares the work of a lesson's kernels, as the CPU backend counts it, with counts.txt. A right result can hide a
// multiplied tile of zeros, a fast path that is never taken, or copies that are never read. Counts show them. If the
// table lacks the lesson or its tiles, nothing is compared. The program prints its lines for the table to stdout.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "simt/report.h"
#include "simt/trace.h"
#include "tests/lessons/card.h"
#include "tests/lessons/suite/lesson_cases.h"

namespace {

struct Counted {
  const char* name;
  int M, N, K;
  int gap;  // elements between the rows of A; B has three times as many, C five times
  int offset;  // of each matrix from an aligned address, in elements
  double beta;
  int multiprocessors = 132;  // some lessons plan by it
};

constexpr int kUnit = 16 / int(sizeof(Input));  // elements of a 16-byte access

// They meet or just miss the conditions of fast paths. "whole" and others are whole tiles in some lessons, "ragged" in
// none.
constexpr Counted kProblems[] = {{"whole", 256, 512, 96, 0, 0, 0},
                                 {"three", 192, 384, 80, 0, 0, 1},
                                 {"strided", 192, 128, 48, kUnit, kUnit, 1},
                                 {"vectors", 128 + kUnit, 256 + kUnit, 48 + kUnit, 0, 0, 0},
                                 {"ragged", 131, 259, 53, 0, 0, 1},
                                 {"shifted", 128, 256, 64, 0, 1, 0},
                                 {"no rows", 0, 5, 4, 0, 0, 1},
                                 {"no columns", 5, 0, 4, 0, 0, 1},
                                 {"columns", 64, 256 - kUnit, 32, 0, 0, 0},
                                 {"thin", 1, 1, 1, 0, 0, 1},
                                 {"no depth", 3, 5, 0, 0, 0, 1},
                                 {"deep", 64, 128, 520, 0, 0, 0},
                                 {"full", 192, 384, 512, 0, 0, 0, 2}};

using Row = std::map<std::string, std::string>;

// The first warp's waits for asynchronous copies since the last call. "4@1" are four waits that each leave one copy
// unfinished.
std::string waits() {
  std::map<uint64_t, int> numbers;
  const std::vector<uint64_t> left = simt::followed_waits();  // of all launches so far
  static size_t seen = 0;
  for (; seen < left.size(); ++seen) {
    ++numbers[left[seen]];
  }
  std::string text;
  for (const auto& [prior, count] : numbers) {
    text += (text.empty() ? "" : ",") + std::to_string(count) + "@" + std::to_string(prior);
  }
  return text.empty() ? "0" : text;
}

std::string joined(const std::string& list, const std::string& word) {
  return list.empty() ? word : list + ";" + word;
}

// The kernels' names and the sums of their counts, for example "barriers" -> "12" and "loads" -> "requests/sectors".
// Leaves out counts of 0.
Row counted(const std::vector<simt::LaunchReport>& launches) {
  simt::Counters t;
  uint64_t barriers = 0, arrivals = 0;
  bool fma_known = true;
  std::string kernels, blocks;
  for (const simt::LaunchReport& each : launches) {
    t += each.total;
    barriers += each.barriers;
    arrivals += each.arrivals;
    fma_known = fma_known && each.fma_known;
    kernels = joined(kernels, each.kernel);
    blocks = joined(blocks, std::to_string(each.blocks));
  }
  kernels.erase(std::remove(kernels.begin(), kernels.end(), ' '), kernels.end());
  const auto pair = [](uint64_t requests, uint64_t cost) {
    return std::to_string(requests) + "/" + std::to_string(cost);
  };
  Row row = {{"blocks", launches.empty() ? "0" : blocks},
             {"kernels", launches.empty() ? "0" : kernels},
             {"barriers", std::to_string(barriers)},
             {"arrivals", std::to_string(arrivals)},
             {"loads", pair(t.global_load.requests, t.global_load.sectors)},
             {"stores", pair(t.global_store.requests, t.global_store.sectors)},
             {"copies", pair(t.async_load.requests, t.async_load.sectors)},
             {"boxes", pair(t.bulk_load.requests, t.bulk_load.sectors)},
             {"boxes_out", pair(t.bulk_store.requests, t.bulk_store.sectors)},
             {"shared_loads", pair(t.shared_load.requests, t.shared_load.wavefronts)},
             {"shared_stores", pair(t.shared_store.requests, t.shared_store.wavefronts)},
             {"matrix_loads", pair(t.matrix_load.requests, t.matrix_load.wavefronts)},
             {"tensor", std::to_string(t.tensor_instructions)},
             {"waits", launches.empty() ? "0" : waits()}};
  row["fma"] = fma_known ? std::to_string(t.fma) : "unknown";  // without objdump
  for (auto at = row.begin(); at != row.end();) {
    at = at->second == "0" || at->second == "0/0" ? row.erase(at) : std::next(at);
  }
  return row;
}

std::vector<simt::LaunchReport> run(const Counted& p) {
  Case c;
  c.M = p.M;
  c.N = p.N;
  c.K = p.K;
  c.lda = p.K + p.gap;
  c.ldb = p.N + 3 * p.gap;
  c.ldc = p.N + 5 * p.gap;
  c.offset_A = c.offset_B = c.offset_C = p.offset;
  c.beta = p.beta;
  c.guard_inputs = c.guard_output = false;
  const Operands<Input, Acc, Output> operands(c);
  const Card card(Card::kMultiprocessors, p.multiprocessors);
  simt::reset_reports();
  gemm(operands.problem());
  CUDA_CHECK(cudaDeviceSynchronize());
  return simt::launch_reports();
}

// The table's rows of this lesson: problem -> counts. A count of "-" is not compared.
std::map<std::string, Row> table_of(const std::string& lesson, std::string& knobs) {
  std::ifstream file(LADDER_COUNTS);
  REQUIRE(file);
  std::map<std::string, Row> rows;
  for (std::string line; std::getline(file, line);) {
    const size_t bar = line.find(": ");
    if (line.compare(0, lesson.size() + 1, lesson + " ") != 0 || bar == std::string::npos) {
      continue;
    }
    const std::string problem = line.substr(lesson.size() + 1, bar - lesson.size() - 1);
    if (problem == "tiles") {
      knobs = line.substr(bar + 2);
      continue;
    }
    std::istringstream counts(line.substr(bar + 2));
    for (std::string count; counts >> count;) {
      const size_t equals = count.find('=');
      rows[problem][count.substr(0, equals)] = count.substr(equals + 1);
    }
  }
  return rows;
}

std::string value(const Row& row, const std::string& name) {
  const auto found = row.find(name);
  return found == row.end() ? "0" : found->second;
}

void compare(const std::string& problem, const Row& expected, const Row& found) {
  Row all = found;
  all.insert(expected.begin(), expected.end());
  for (const auto& entry : all) {
    const std::string& name = entry.first;
    if (value(expected, name) != "-" && value(found, name) != "unknown") {
      INFO("counts.txt, problem '" << problem << "': " << name << " of gemm()'s kernels");
      CHECK(value(found, name) == value(expected, name));
    }
  }
}

}  // namespace

TEST_CASE("the kernels' counts equal those of counts.txt", "[.first][counts]") {
  const std::string lesson = kLesson;
  std::string knobs;
  const std::map<std::string, Row> rows = table_of(lesson, knobs);
  const bool comparable = knobs == kKnobs && !rows.empty();
  std::cout << lesson << " tiles: " << kKnobs << "\n";
  simt::follow_warps(0, 1);
  for (const Counted& p : kProblems) {
    const Row found = counted(run(p));
    std::cout << lesson << " " << p.name << ":";
    for (const auto& [name, value] : found) {
      std::cout << " " << name << "=" << value;
    }
    std::cout << "\n";
    const auto expected = rows.find(p.name);
    if (comparable) {
      compare(p.name, expected == rows.end() ? Row() : expected->second, found);
    }
  }
  if (!comparable) {
    std::cout << "counts.txt has no counts for these tiles; the lines above belong there.\n";
  }
  std::cout << std::flush;
}
