// The events of followed warps, as JSON.
#include <map>
#include <memory>

#include "counting/counting.h"
#include "program/program.h"
#include "reports/event_writer.h"
#include "simt/report.h"
#include "simt/trace.h"

namespace simt {
namespace {

std::unique_ptr<Watch> watch;

}  // namespace

void KnownSites::look_up(const std::vector<WatchedEvent>& events) {
  std::map<uint32_t, const void*> fresh;  // instructions, by site
  for (const WatchedEvent& event : events) {
    if (event.site != 0 && places.insert({event.site, {}}).second) {
      fresh[event.site] = Sites::get().at(event.site).pc;
    }
  }
  std::map<const void*, std::vector<MultiplyAdd>> blocks;
  std::map<const char*, bool> functions;
  for (const auto& [site, pc] : fresh) {
    if (Sites::get().at(site).access == Access::Code) {
      const Function function = function_at(pc);
      std::vector<MultiplyAdd> found;
      if (!functions[function.begin] && simt::multiply_adds(function, found)) {
        for (const MultiplyAdd& fma : found) {
          blocks[fma.block].push_back(fma);
        }
      }
      functions[function.begin] = true;
    }
  }
  std::vector<const void*> pcs;
  for (auto& [site, pc] : fresh) {
    const auto block =
        Sites::get().at(site).access == Access::Code ? blocks.find(pc) : blocks.end();
    if (block != blocks.end()) {
      multiply_adds[site] = unsigned(block->second.size());
      pc = block->second.front().pc;
    }
    pcs.push_back(pc);
  }
  const std::vector<Place> found = lines_of(pcs);
  size_t i = 0;
  for (const auto& [site, pc] : fresh) {
    places[site] = found[i++];
  }
}

void follow_warps(unsigned first, unsigned count) {
  set_threads(1);
  watch = std::make_unique<Watch>(0, first, count);
  watch->set();
}

Followed followed(const std::vector<NamedArray>& arrays) {
  if (watch == nullptr) {
    return {};
  }
  KnownSites known;
  known.look_up(watch->events());
  ArrayNames names(arrays);
  EventWriter writer(names, *watch, known);
  for (const WatchedEvent& event : watch->events()) {
    writer.add(event);
  }
  Followed all = writer.finish();
  all.steps = steps_of(*watch, names);
  return all;
}

std::vector<uint64_t> followed_waits() {
  std::vector<uint64_t> left;
  for (const WatchedEvent& event : watch->events()) {
    if (event.site != 0 && Sites::get().at(event.site).access == Access::Wait) {
      left.push_back(event.at[__builtin_ctz(event.mask)]);
    }
  }
  return left;
}

}  // namespace simt
