// Which arrays what a Watch has seen is of, and its steps as JSON.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/simt/counting/counting.h"
#include "common/simt/report.h"

namespace simt {

// The array that holds an offset in shared memory, or in the arena, and where it begins.
std::pair<std::string, uint64_t> shared_place(uint64_t offset);
std::pair<std::string, uint64_t> global_place(const std::vector<NamedArray>& arrays,
                                              uint64_t offset);

std::vector<std::string> steps_of(const Watch& watch, const std::vector<NamedArray>& arrays);

}  // namespace simt
