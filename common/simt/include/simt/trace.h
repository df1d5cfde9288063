// The trace: each access of the first warps of the first block.
#pragma once
#include "simt/names/begin.h"

#include <cstdint>
#include <string>
#include <vector>

namespace simt {

// From now on follows `count` warps of each launch's first block. One OS thread then runs all blocks.
void follow_warps(unsigned first, unsigned count);

struct NamedArray {
  std::string name;
  const void* begin;  // what cudaMalloc returned
};

// The events of followed warps, as pieces of JSON. docs/trace.md describes them.
struct Followed {
  std::vector<std::string> sites, patterns;  // events and others refer to them by number
  std::vector<std::string> events;  // of the first block, in the order of the run
  std::vector<std::string> steps;  // of its warps and of TMA, other than accesses
  std::vector<std::string> others;  // other blocks' stores to global memory, each after its block
};
Followed followed(const std::vector<NamedArray>& arrays);
// For each wait of the followed warps, in order: the groups of asynchronous copies that it left in flight.
std::vector<uint64_t> followed_waits();

// From now on traces block 0 of each launch, with at most most_events events and steps. One OS thread then runs all
// blocks.
void start_trace(size_t most_events);
// The trace in the format of docs/trace.md, or as trace events for Perfetto.
std::string trace_text(bool for_perfetto);
// The number of events and steps beyond that limit.
uint64_t left_out_of_trace();

}  // namespace simt

#include "simt/names/end.h"
