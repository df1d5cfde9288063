// What followed warps did, as JSON.
#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "common/simt/counting/counting.h"
#include "common/simt/memory/memory.h"
#include "common/simt/program/program.h"
#include "common/simt/report.h"
#include "common/simt/reports/array_names.h"

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

// A list of 32, with null for lanes outside of the mask; each: the JSON of a lane.
template <typename Each>
std::string by_lane(uint32_t mask, Each each) {
  std::string out = "[";
  for (unsigned lane = 0; lane < 32; ++lane) {
    out += lane != 0 ? "," : "";
    out += (mask >> lane & 1) != 0 ? each(lane) : "null";
  }
  return out + "]";
}

// The words of a lane as a list; one alone as it is. each: the JSON of a word.
template <typename Each>
std::string by_word(unsigned count, Each each) {
  std::string out;
  for (unsigned word = 0; word < count; ++word) {
    out += (word != 0 ? "," : "") + each(word);
  }
  return count == 1 ? out : "[" + out + "]";
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

// Numbers for texts, in the order in which they are first asked for.
class Numbered {
 public:
  unsigned of(const std::string& text) {
    const auto [at, fresh] = numbers_.try_emplace(text, unsigned(texts_.size()));
    if (fresh) {
      texts_.push_back(text);
    }
    return at->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::map<std::string, unsigned> numbers_;
  std::vector<std::string> texts_;
};

class Writer {
 public:
  Writer(const std::vector<NamedArray>& arrays, const std::vector<WatchedEvent>& events)
      : arrays_(arrays), known_(look_up(events)) {}

  // Empty for code without multiply-adds, and where the one behind it tells of it, too.
  std::string event(const WatchedEvent& event, const WatchedEvent* next);
  const Numbered& sites() const { return sites_; }
  const Numbered& patterns() const { return patterns_; }

 private:
  std::string numbers(const WatchedEvent& event, const std::string& site, uint64_t number) {
    return "[" + std::to_string(event.warp) + "," + std::to_string(sites_.of(site)) + "," +
           std::to_string(number) + "]";
  }
  bool are_one(const WatchedEvent& event, const WatchedEvent& next) const;
  std::string access(const WatchedEvent& event, const Site& site, const std::string& start);
  std::string pattern(const WatchedEvent& event, const Site& site, uint64_t from);

  const std::vector<NamedArray>& arrays_;
  const Known known_;
  Numbered sites_, patterns_;
  uint64_t multiplied_ = 0;  // by events that have not been told yet
};

// Whether both are basic blocks with multiply-adds of one line of one warp.
bool Writer::are_one(const WatchedEvent& event, const WatchedEvent& next) const {
  return next.site != 0 && next.warp == event.warp && next.block == event.block &&
         known_.multiply_adds.count(next.site) != 0 &&
         known_.lines.at(next.site) == known_.lines.at(event.site);
}

std::string Writer::event(const WatchedEvent& event, const WatchedEvent* next) {
  const unsigned lowest = unsigned(__builtin_ctz(event.mask));
  const auto start = [](const char* kind, int line) {
    return std::string("{\"kind\": \"") + kind + "\", \"line\": " + std::to_string(line);
  };
  if (event.site == 0) {
    return numbers(event, start(event.at[1] == 0 ? "barrier" : "phase", int(event.at[0])) + "}", 0);
  }
  const Site& site = Sites::get().at(event.site);
  const std::string begin = start(name_of(site.access), known_.lines.at(event.site));
  if (site.access == Access::Code) {
    const auto found = known_.multiply_adds.find(event.site);
    if (found == known_.multiply_adds.end()) {
      return "";
    }
    multiplied_ += found->second * uint64_t(__builtin_popcount(event.mask));
    if (next != nullptr && are_one(event, *next)) {
      return "";
    }
    return numbers(event, begin + "}", std::exchange(multiplied_, 0));
  }
  if (tensor_multiply_adds(site) != 0) {
    return numbers(event, begin + "}", tensor_multiply_adds(site));
  }
  return site.access >= Access::Multiply ? numbers(event, begin + "}", event.at[lowest])
                                         : access(event, site, begin);
}

std::string Writer::access(const WatchedEvent& event, const Site& site, const std::string& start) {
  const uint64_t lowest = event.at[__builtin_ctz(event.mask)];
  const auto first = std::find_if(event.from.begin(), event.from.end(),
                                  [](uint64_t from) { return from != kNoAddress; });
  const auto array = event.shared ? shared_place(lowest) : global_place(arrays_, lowest);
  std::string text = start + ", \"space\": \"" + (event.shared ? "shared" : "global") +
                     "\", \"array\": \"" + array.first +
                     "\", \"size\": " + std::to_string(site.size);
  std::string from;
  if (first != event.from.end()) {
    const auto source = global_place(arrays_, *first);
    text += ", \"source\": \"" + source.first + "\"";
    from = "," + std::to_string(int64_t(*first - source.second));
  }
  const unsigned shape =
      patterns_.of(pattern(event, site, first != event.from.end() ? *first : kNoAddress));
  return "[" + std::to_string(event.warp) + "," + std::to_string(sites_.of(text + "}")) + "," +
         std::to_string(shape) + "," + std::to_string(int64_t(lowest - array.second)) + from + "]";
}

// What a request is like wherever it begins. from: where its first word with a source comes from, or kNoAddress.
std::string Writer::pattern(const WatchedEvent& event, const Site& site, uint64_t from) {
  const uint64_t lowest = event.at[__builtin_ctz(event.mask)];
  const unsigned words = std::max(1u, site.size / 4u);
  const auto difference = [](uint64_t a, uint64_t b) { return std::to_string(int64_t(a - b)); };
  std::string out = "{\"at\": " + by_lane(event.mask, [&](unsigned lane) {
                      return difference(event.at[lane], lowest);
                    });
  if (from != kNoAddress) {
    out += ", \"from\": " + by_lane(event.mask, [&](unsigned lane) {
             return by_word(words, [&](unsigned word) {
               const uint64_t at = event.from[lane * words + word];
               return at == kNoAddress ? "null" : difference(at, from);
             });
           });
  }
  if (!event.shared || (from != kNoAddress && site.access == Access::AsyncStore)) {
    out += ", \"sectors\": " + std::to_string(event.sectors);
  }
  if (event.shared) {
    out += ", \"wavefronts\": " + std::to_string(event.wavefronts);
  }
  if (event.shared && event.has_passes) {
    out += ", \"passes\": " + by_lane(event.mask, [&](unsigned lane) {
             return by_word(
                 words, [&](unsigned word) { return std::to_string(event.passes[lane][word]); });
           });
  }
  return out + "}";
}

}  // namespace

void follow_warps(unsigned first, unsigned count) {
  set_threads(1);
  watch = std::make_unique<Watch>(0, first, count);
  watch->set();
}

Followed followed(const std::vector<NamedArray>& arrays) {
  Followed all;
  if (watch != nullptr) {
    Writer writer(arrays, watch->events());
    const std::vector<WatchedEvent>& events = watch->events();
    for (size_t i = 0; i < events.size(); ++i) {
      const WatchedEvent& event = events[i];
      std::string text = writer.event(event, i + 1 < events.size() ? &events[i + 1] : nullptr);
      if (event.block != 0) {
        all.others.push_back("[" + std::to_string(event.block) + "," + text.substr(1));
      } else if (!text.empty()) {
        all.events.push_back(std::move(text));
      }
    }
    all.steps = steps_of(*watch, arrays);
    all.sites = writer.sites().texts();
    all.patterns = writer.patterns().texts();
  }
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
