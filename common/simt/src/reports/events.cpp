// What followed warps did, as JSON.
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

KnownSites look_up(const std::vector<WatchedEvent>& events) {
  KnownSites known;
  for (const WatchedEvent& event : events) {
    known.lines[event.site] = 0;
  }
  std::map<const void*, std::vector<MultiplyAdd>> blocks;
  std::map<const char*, bool> functions;
  std::vector<uint32_t> sites;
  std::vector<const void*> pcs;
  for (const auto& [site, line] : known.lines) {
    const Site& at = Sites::get().at(site);
    if (at.access == Access::Code) {
      const Function function = function_at(at.pc);
      std::vector<MultiplyAdd> found;
      if (!functions[function.begin] && multiply_adds(function, found)) {
        for (const MultiplyAdd& fma : found) {
          blocks[fma.block].push_back(fma);
        }
      }
      functions[function.begin] = true;
    }
  }
  for (const auto& [site, line] : known.lines) {
    const Site& at = Sites::get().at(site);
    const auto block = at.access == Access::Code ? blocks.find(at.pc) : blocks.end();
    if (block != blocks.end()) {
      known.multiply_adds[site] = unsigned(block->second.size());
    }
    sites.push_back(site);
    pcs.push_back(block != blocks.end() ? block->second.front().pc : at.pc);
  }
  const std::vector<Place> places = lines_of(pcs);
  for (size_t i = 0; i < sites.size(); ++i) {
    known.lines[sites[i]] = places[i].line;
  }
  return known;
}

}  // namespace

void follow_warps(unsigned first, unsigned count) {
  set_threads(1);
  watch = std::make_unique<Watch>(0, first, count);
  watch->set();
}

Followed followed(const std::vector<NamedArray>& arrays) {
  if (watch == nullptr) {
    return {};
  }
  EventWriter writer(arrays, *watch, look_up(watch->events()));
  for (const WatchedEvent& event : watch->events()) {
    writer.add(event);
  }
  Followed all = writer.finish();
  all.steps = steps_of(*watch, arrays);
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
