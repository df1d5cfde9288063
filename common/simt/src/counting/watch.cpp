#include "counting/watch.h"

#include <algorithm>
#include <cstring>

namespace simt {
namespace {

constexpr size_t kLatest = 128;  // loads of a warp that settle() searches for a stored word

unsigned words_of(unsigned size) {
  return std::max(1u, size / 4);
}

}  // namespace

Watch* Watch::current_ = nullptr;

bool Watch::take_room() {
  const bool has_room = room_ != 0;
  room_ -= has_room;
  left_out_ += !has_room;
  return has_room;
}

WatchedEvent* Watch::add(uint32_t site, bool shared, uint32_t mask, const uint64_t* at) {
  const bool stores = site != 0 && !shared && Sites::get().at(site).access == Access::Store;
  if ((!stores && !follows(now_block_, now_warp_)) || !take_room()) {
    return nullptr;
  }
  WatchedEvent event;
  event.block = now_block_;
  event.warp = now_warp_;
  event.site = site;
  event.shared = shared;
  event.mask = mask;
  std::memset(event.wavefront_of, kNoWavefront, sizeof event.wavefront_of);
  for (unsigned lane = 0; lane < 32; ++lane) {
    event.at[lane] = at != nullptr && (mask >> lane & 1) != 0 ? at[lane] : 0;
  }
  events_.push_back(std::move(event));
  return &events_.back();
}

void Watch::step(WatchedStep step) {
  const auto last = std::find_if(steps_.rbegin(), steps_.rend(), [&](const WatchedStep& before) {
    return before.warp == step.warp && std::strcmp(before.kind, step.kind) == 0;
  });
  const bool again = last != steps_.rend() && std::strcmp(step.kind, "wait") == 0 &&
                     last->line == step.line && last->call == step.call &&
                     last->numbers == step.numbers;
  if (!again && take_room()) {
    step.events = events_.size();
    steps_.push_back(std::move(step));
  }
}

void Watch::forget() {
  events_.clear();
  copies_.clear();
  steps_.clear();
  settled_ = 0;
}

void Watch::settle(const char* global, const char* shared) {
  std::vector<const WatchedEvent*> loads;
  for (size_t i = events_.size(); i-- > 0 && loads.size() < kLatest + events_.size() - settled_;) {
    const WatchedEvent& event = events_[i];
    if (event.block != now_block_) {
      break;
    }
    if (event.warp == now_warp_ && event.site != 0 && !event.shared &&
        Sites::get().at(event.site).access == Access::Load) {
      loads.push_back(&event);
    }
  }
  for (; settled_ < events_.size(); ++settled_) {
    WatchedEvent& event = events_[settled_];
    if (event.site != 0 && event.shared && follows(event.block, event.warp) &&
        Sites::get().at(event.site).access == Access::Store) {
      find_sources(event, loads, global, shared);
    }
  }
}

// loads: the loads of its warp, the latest first.
void Watch::find_sources(WatchedEvent& store, const std::vector<const WatchedEvent*>& loads,
                         const char* global, const char* shared) {
  const unsigned size = Sites::get().at(store.site).size, words = words_of(size);
  const unsigned bytes = std::min(4u, size);
  store.from.assign(size_t(32) * words, kNoAddress);
  bool any = false;
  for (unsigned i = 0; i < 32 * words; ++i) {
    const unsigned lane = i / words;
    if ((store.mask >> lane & 1) == 0) {
      continue;
    }
    const char* const stored = shared + store.at[lane] + size_t(4) * (i % words);
    for (const WatchedEvent* load : loads) {
      const unsigned width = Sites::get().at(load->site).size;
      for (unsigned part = 0; part < width && store.from[i] == kNoAddress; part += bytes) {
        const uint64_t from = load->at[lane] + part;
        if (load < &store && (load->mask >> lane & 1) != 0 && width >= bytes &&
            std::memcmp(stored, global + from, bytes) == 0) {
          store.from[i] = from;
          any = true;
        }
      }
    }
  }
  if (!any) {
    store.from.clear();
  }
}

}  // namespace simt
