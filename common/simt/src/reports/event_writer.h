// Writes the events of followed warps as JSON: common/simt/docs/trace.md.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "counting/counting.h"
#include "simt/report.h"
#include "simt/trace.h"

namespace simt {

// Of instructions: their lines, and of basic blocks: their multiply-adds.
struct KnownSites {
  std::map<uint32_t, int> lines;  // by site
  std::map<uint32_t, unsigned> multiply_adds;  // by site
};

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

// The array that holds an offset in shared memory, or in the arena, and where it begins.
std::pair<std::string, uint64_t> array_in_shared(uint64_t offset);
std::pair<std::string, uint64_t> array_in_global(const std::vector<NamedArray>& arrays,
                                                 uint64_t offset);

// The steps of a followed block (steps.cpp).
std::vector<std::string> steps_of(const Watch& watch, const std::vector<NamedArray>& arrays);

class EventWriter {
 public:
  EventWriter(const std::vector<NamedArray>& arrays, const Watch& watch, KnownSites known)
      : arrays_(arrays), watch_(watch), known_(std::move(known)) {}

  // Adds an event to the others. A basic block with multiply-adds comes behind what it accesses, and together with
  // such blocks of its line that follow it.
  void add(const WatchedEvent& event);
  Followed finish();

 private:
  struct Multiplied {  // by basic blocks that have not been told yet
    const WatchedEvent* block = nullptr;
    uint64_t count = 0;
    bool running = false;  // the last block is one of them,
    bool accessed = false;  // and has accessed something
  };
  void add_block(const WatchedEvent& event);
  void tell_multiplied();
  std::string event(const WatchedEvent& event);
  std::string copy(const WatchedEvent& event, const std::string& start);
  std::string numbers(const WatchedEvent& event, const std::string& site, uint64_t number) {
    return "[" + std::to_string(event.warp) + "," + std::to_string(sites_.of(site)) + "," +
           std::to_string(number) + "]";
  }
  std::string access(const WatchedEvent& event, const Site& site, const std::string& start);
  std::string pattern(const WatchedEvent& event, const Site& site, uint64_t from);

  const std::vector<NamedArray>& arrays_;
  const Watch& watch_;
  const KnownSites known_;
  Numbered sites_, patterns_;
  Multiplied multiplied_;
  Followed all_;
};

}  // namespace simt
