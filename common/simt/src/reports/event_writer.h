// Writes the events of followed warps as JSON: common/simt/docs/trace.md.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "counting/counting.h"
#include "memory/memory.h"
#include "simt/report.h"
#include "simt/trace.h"

namespace simt {

// Of instructions: their lines, and of basic blocks: their multiply-adds.
struct KnownSites {
  std::map<uint32_t, Place> places;  // by site
  std::map<uint32_t, unsigned> multiply_adds;  // by site
  bool with_files = false;  // whether the JSON names them

  // Adds the instructions of further events.
  void look_up(const std::vector<WatchedEvent>& events);
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

// The array that holds an offset in shared memory, and where it begins.
std::pair<std::string, uint64_t> array_in_shared(uint64_t offset);

// Names of allocations.
class ArrayNames {
 public:
  // What has no name is "global memory"; or, if `numbered`, "allocation 1", ... in the order in which they are met.
  explicit ArrayNames(std::vector<NamedArray> given, bool numbered = false)
      : given_(std::move(given)), numbered_(numbered) {}

  // The array that holds an offset in the arena, and where it begins.
  std::pair<std::string, uint64_t> at(uint64_t offset);
  struct Met {
    Allocation allocation;
    std::string name;
  };
  const std::vector<Met>& met() const { return met_; }

 private:
  std::vector<NamedArray> given_;
  bool numbered_;
  std::vector<Met> met_;
  size_t unnamed_ = 0;  // of them
};

// A text and three extents as JSON (summary_json.cpp).
std::string json_text(const std::string& text);
std::string json_extents(const uint3& v);

// A list of each(one) for one of `all` as JSON.
template <typename All, typename Each>
std::string json_list(const All& all, Each each, const char* between = ",") {
  std::string out = "[";
  for (const auto& one : all) {
    if (out.size() > 1) out += between;
    out += each(one);
  }
  return out + "]";
}

// The steps of a followed block (steps.cpp).
std::vector<std::string> steps_of(const Watch& watch, ArrayNames& arrays);

class EventWriter {
 public:
  // All three outlive it.
  EventWriter(ArrayNames& arrays, const Watch& watch, const KnownSites& known)
      : arrays_(arrays), watch_(watch), known_(known) {}

  // Adds an event to the others. A basic block with multiply-adds comes behind what it accesses, and together with
  // such blocks of its line that follow it.
  void add(const WatchedEvent& event);
  // Events written so far, without the multiply-adds that it still holds.
  size_t count() const { return all_.events.size(); }
  size_t others() const { return all_.others.size(); }
  // Writes the multiply-adds that it holds.
  void tell_multiplied();
  Followed finish();

 private:
  struct Multiplied {  // by basic blocks that have not been told yet
    const WatchedEvent* block = nullptr;
    uint64_t count = 0;
    bool running = false;  // the last block is one of them,
    bool accessed = false;  // and has accessed something
  };
  void add_block(const WatchedEvent& event);
  std::string start(const char* kind, const Place& place) const;
  std::string event(const WatchedEvent& event);
  std::string copy(const WatchedEvent& event, const std::string& start);
  std::string numbers(const WatchedEvent& event, const std::string& site, uint64_t number) {
    return "[" + std::to_string(event.warp) + "," + std::to_string(sites_.of(site)) + "," +
           std::to_string(number) + "]";
  }
  std::string access(const WatchedEvent& event, const Site& site, const std::string& start);
  std::string pattern(const WatchedEvent& event, const Site& site, uint64_t from);

  ArrayNames& arrays_;
  const Watch& watch_;
  const KnownSites& known_;
  Numbered sites_, patterns_;
  Multiplied multiplied_;
  Followed all_;
};

}  // namespace simt
