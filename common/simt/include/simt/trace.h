// The trace: what the first warps of the first block did, access by access.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace simt {

// Follows so many warps of the first block in the launches from now on, which one OS thread runs.
void follow_warps(unsigned first, unsigned count);

struct NamedArray {
  std::string name;
  const void* begin;  // what cudaMalloc returned
};

// What followed warps did, as pieces of JSON: docs/trace.md says what each means.
struct Followed {
  std::vector<std::string> sites, patterns;  // that the other two name by number
  std::vector<std::string> events;  // of the first block, in the order of the run
  std::vector<std::string> steps;  // of its warps and TMA, which are no accesses
  std::vector<std::string>
      others;  // stores to global memory of other blocks, with the block in front
};
Followed followed(const std::vector<NamedArray>& arrays);
// How many groups of asynchronous copies each of their waits left on their way, in order.
std::vector<uint64_t> followed_waits();

// Traces all launches from now on, block 0 of each: at most so many events and steps. One OS thread runs the blocks.
void start_trace(size_t most_events);
// The trace as docs/trace.md has it, or as trace events for Perfetto.
std::string trace_text(bool for_perfetto);
// The events and steps that came after these.
uint64_t left_out_of_trace();

}  // namespace simt
