// The work of a lesson's kernels, as the CPU backend counts it, against counts.txt. A result can be right though a
// tile of zeros is multiplied, a fast path is never taken, or more is copied than is read; counts tell. Where the
// lesson or its tiles are not in the table nothing is compared. Lines for the table go to stdout.
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
  int gap;  // elements between the rows of A; three and five times as many in B and C
  int offset;  // elements from an aligned address
  double beta;
  int multiprocessors = 132;  // by which some plan
};

constexpr int kUnit = 16 / int(sizeof(Input));  // what an access of 16 bytes holds

// Around the conditions of fast paths and the ends of tiles; the sizes are whole tiles of some lessons,
// and of none of the others.
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

// The waits for asynchronous copies since the last call, of the first warp, by how many copies they leave, as in
// "4@1": four waits, each of which leaves one.
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

// What the kernels did together, as in "barriers" -> "12" and "loads" -> "requests/sectors", and which
// they were; what is 0 is left out.
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
  const auto pair = [](uint64_t requests, uint64_t passes) {
    return std::to_string(requests) + "/" + std::to_string(passes);
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

// The table's rows of this lesson: problem -> counts. A "-" stands for a count that is not compared.
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
    std::istringstream words(line.substr(bar + 2));
    for (std::string word; words >> word;) {
      const size_t equals = word.find('=');
      rows[problem][word.substr(0, equals)] = word.substr(equals + 1);
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
      INFO("problem '" << problem << "' of the table: " << name << " of gemm()'s kernels");
      CHECK(value(found, name) == value(expected, name));
    }
  }
}

}  // namespace

TEST_CASE("the kernels do the work that the table tells", "[.first][counts]") {
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
    std::cout << "The table has no counts of these tiles; the above is what belongs there.\n";
  }
  std::cout << std::flush;
}
