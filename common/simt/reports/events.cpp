// What a followed warp did, as JSON.
#include <algorithm>
#include <map>
#include <memory>

#include "common/simt/counting/counting.h"
#include "common/simt/memory/memory.h"
#include "common/simt/program/program.h"
#include "common/simt/report.h"

namespace simt {
namespace {

std::unique_ptr<Watch> watch;

// Of instructions: their lines, and of basic blocks: their multiply-adds.
struct Known {
  std::map<uint32_t, int> lines;  // by site
  std::map<uint32_t, unsigned> multiply_adds;  // by site
};

Known look_up(const std::vector<WatchedEvent>& events) {
  Known known;
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

// The array that holds an offset, and where it begins.
std::pair<std::string, uint64_t> shared_array(uint64_t offset) {
  uint64_t dynamic = 0;
  for (const TlsSymbol& symbol : tls_symbols()) {
    if (offset - symbol.offset < symbol.size) {
      const size_t colon = symbol.name.rfind("::");
      if (symbol.shared) {
        return {colon == std::string::npos ? symbol.name : symbol.name.substr(colon + 2),
                symbol.offset};
      }
      dynamic = symbol.offset;
    }
  }
  return {"dynamic", dynamic};
}

std::pair<std::string, uint64_t> global_array(const std::vector<NamedArray>& arrays,
                                              uint64_t offset) {
  const Arena& arena = Arena::get();
  const uintptr_t address = arena.base() + offset;
  const Allocation near = arena.nearest(address);
  const bool live = address - near.begin < near.bytes;  // it may have been freed since
  for (const NamedArray& array : arrays) {
    if (live && reinterpret_cast<uintptr_t>(array.begin) == near.begin) {
      return {array.name, near.begin - arena.base()};
    }
  }
  return {"global memory", live ? near.begin - arena.base() : 0};
}

// ", "ARRAY_KEY": "As", "OFFSET_KEY": [...]" with null for lanes outside of the mask.
std::string addresses(const std::string& array_key, const std::string& offset_key,
                      const std::pair<std::string, uint64_t>& array, uint32_t mask,
                      const uint64_t* at) {
  std::string out = ", \"" + array_key + "\": \"" + array.first + "\", \"" + offset_key + "\": [";
  for (unsigned lane = 0; lane < 32; ++lane) {
    out += lane != 0 ? "," : "";
    out += (mask >> lane & 1) != 0 ? std::to_string(int64_t(at[lane] - array.second)) : "null";
  }
  return out + "]";
}

std::string passes(const WatchedEvent& event, unsigned size) {
  if (!event.has_passes) {
    return "";
  }
  std::string out = ", \"passes\": [";
  for (unsigned lane = 0; lane < 32; ++lane) {
    out += lane != 0 ? "," : "";
    if ((event.mask >> lane & 1) == 0) {
      out += "null";
      continue;
    }
    for (unsigned word = 0; word < std::max(1u, size / 4); ++word) {
      out += (word == 0 ? "[" : ",") + std::to_string(event.passes[lane][word]);
    }
    out += "]";
  }
  return out + "]";
}

std::string access(const std::vector<NamedArray>& arrays, const WatchedEvent& event,
                   const Site& site) {
  const uint64_t lowest = event.at[__builtin_ctz(event.mask)];
  std::string out = ", \"size\": " + std::to_string(site.size);
  const bool copy = site.access == Access::AsyncStore;
  const uint64_t from = event.from[__builtin_ctz(event.mask)];
  if (copy && from != kNoAddress) {
    out += addresses("source", "from", global_array(arrays, from), event.mask, event.from);
  }
  if (!event.shared || (copy && from != kNoAddress)) {
    out += ", \"sectors\": " + std::to_string(event.sectors);
  }
  if (!event.shared) {
    return out + addresses("array", "at", global_array(arrays, lowest), event.mask, event.at);
  }
  return out + addresses("array", "at", shared_array(lowest), event.mask, event.at) +
         ", \"wavefronts\": " + std::to_string(event.wavefronts) + passes(event, site.size);
}

const char* name_of(Access access) {
  switch (access) {
    case Access::Store:
      return "store";
    case Access::Atomic:
      return "atomic";
    case Access::AsyncStore:
      return "copy";
    case Access::MatrixLoad:
      return "fragment";
    case Access::Multiply:
    case Access::GroupMultiply:
      return "tensor";
    case Access::Commit:
      return "commit";
    case Access::Wait:
      return "wait";
    case Access::Code:
      return "multiply";
    default:
      return "load";
  }
}

// One line of JSON; empty for code without multiply-adds.
std::string line(const std::vector<NamedArray>& arrays, const WatchedEvent& event,
                 const Known& known) {
  std::string out = "{\"block\": " + std::to_string(event.block) +
                    ", \"warp\": " + std::to_string(event.warp) + ", \"kind\": \"";
  if (event.site == 0) {
    return out + "barrier\", \"line\": " + std::to_string(event.at[0]) + "}";
  }
  const Site& site = Sites::get().at(event.site);
  out += std::string(name_of(site.access)) +
         "\", \"line\": " + std::to_string(known.lines.at(event.site));
  if (site.access == Access::Code) {
    const auto found = known.multiply_adds.find(event.site);
    if (found == known.multiply_adds.end()) {
      return "";
    }
    out += ", \"fma\": " + std::to_string(found->second * unsigned(__builtin_popcount(event.mask)));
  } else if (tensor_multiply_adds(site) != 0) {
    out += ", \"fma\": " + std::to_string(tensor_multiply_adds(site));
  } else if (site.access == Access::Wait) {
    out += ", \"prior\": " + std::to_string(event.at[__builtin_ctz(event.mask)]);
  } else if (site.access != Access::Commit) {
    out += std::string(", \"space\": \"") + (event.shared ? "shared" : "global") + "\"" +
           access(arrays, event, site);
  }
  return out + "}";
}

}  // namespace

void follow_warp(unsigned warp) {
  set_threads(1);
  watch = std::make_unique<Watch>(0, warp);
  watch->set();
}

std::vector<std::string> followed_events(const std::vector<NamedArray>& arrays) {
  std::vector<std::string> lines;
  if (watch != nullptr) {
    const Known known = look_up(watch->events());
    for (const WatchedEvent& event : watch->events()) {
      lines.push_back(line(arrays, event, known));
      if (lines.back().empty()) {
        lines.pop_back();
      }
    }
  }
  return lines;
}

}  // namespace simt
