#include "races/global/publications.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "memory/memory.h"
#include "races/global/global_shadow.h"
#include "races/streams/stream_order.h"

namespace simt {

struct Publications::Word {
  std::vector<std::pair<uint64_t, Position>>
      publishers;  // blocks and their positions, the latest last
  const void* pc = nullptr;  // of the last store; null after an atomic operation
  unsigned thread = 0;  // the thread that made it
  bool read = false;  // in this launch
  bool polled = false;  // read before that store, so a flag, or data that needs no order
};

namespace {

std::atomic<void (*)(uint64_t)> host_acquires{nullptr};

constexpr size_t kMostPublishers = 64;  // of a word
constexpr size_t kMostWords = size_t(1) << 14;  // of a shard; the rest is not followed

template <typename Word>
struct Shard {
  std::mutex mutex;
  std::unordered_map<uintptr_t, Word> words;
  // For the host, which may read a word after further launches: the launch that has published it, in StreamOrder's
  // numbers; 0 if the last store had no fence before it.
  std::unordered_map<uintptr_t, uint64_t> launches;

  Word* find(uintptr_t address) {
    return words.size() < kMostWords || words.count(address) != 0 ? &words[address] : nullptr;
  }
};

template <typename Word>
Shard<Word>* shards() {
  static Shard<Word> all[64];
  return all;
}

template <typename Word>
Shard<Word>& shard_of(uintptr_t address) {
  return shards<Word>()[address / 4 % 64];
}

}  // namespace

void Publications::forget_all() {
  for (size_t i = 0; i < 64; ++i) {
    const std::lock_guard<std::mutex> lock(
        shards<Word>()[i].mutex);  // a thread of the host may poll
    shards<Word>()[i].words.clear();
  }
}

void Publications::begin_block() {
  stores_ = fences_ = 0;
  follows_ = false;
  observed_.clear();
}

void Publications::observe(const Word& word) {
  for (const auto& [block, epoch] : word.publishers) {
    Position& known = observed_[block];
    known = known.stores < epoch.stores ? epoch : known;
    follows_ = follows_ || (block != worker_.block() && epoch.fences > 0);
  }
}

// Call it with the mutex of the word's shard.
void Publications::publish_for_host(uintptr_t address) {
  auto& launches = shard_of<Word>(address).launches;
  if (!Arena::get().is_open(address)) return;
  if (launches.size() < kMostWords || launches.count(address) != 0) {
    launches[address] = fences_ == 0 ? 0 : StreamOrder::get().last().number;
  }
}

void Publications::store(uintptr_t address, const void* pc) {
  Shard<Word>& shard = shard_of<Word>(address);
  std::lock_guard<std::mutex> lock(shard.mutex);
  publish_for_host(address);
  if (Word* const word = shard.find(address)) {
    word->publishers.assign(1, {worker_.block(), {++stores_, fences_}});
    word->pc = pc;
    word->thread = worker_.running().id;
    word->polled = word->read;
  }
}

// An atomic operation also publishes for the blocks whose operations it follows.
void Publications::update(uintptr_t address) {
  Shard<Word>& shard = shard_of<Word>(address);
  std::lock_guard<std::mutex> lock(shard.mutex);
  publish_for_host(address);
  Word* const word = shard.find(address);
  if (word == nullptr) {
    return;
  }
  word->pc = nullptr;
  auto& all = word->publishers;
  const uint64_t block = worker_.block();
  if (all.empty() || all.back().first != block) {
    observe(*word);
    all.erase(
        std::remove_if(all.begin(), all.end(), [&](const auto& p) { return p.first == block; }),
        all.end());
    if (all.size() == kMostPublishers) all.erase(all.begin());
    all.push_back({block, {}});
  }
  all.back().second = {++stores_, fences_};
}

// Whether the block may have observed the stores that the word publishes. Another block that it has observed may have
// told of them.
bool Publications::is_ordered(const Word& word) const {
  const auto& all = word.publishers;
  const auto publishes = [&](uint64_t block) {
    return std::any_of(all.begin(), all.end(), [&](const auto& p) { return p.first == block; });
  };
  const auto observed = [&](const auto& p) {
    const auto seen = observed_.find(p.first);
    return seen != observed_.end() && seen->second.stores >= p.second.stores;
  };
  return publishes(worker_.block()) || worker_.cluster().size() > 1 ||
         std::any_of(all.begin(), all.end(), observed) ||
         std::any_of(observed_.begin(), observed_.end(),
                     [&](const auto& o) { return o.second.stores != 0 && !publishes(o.first); });
}

void Publications::load(uintptr_t address, unsigned size, const void* pc) {
  Shard<Word>& shard = shard_of<Word>(address);
  std::lock_guard<std::mutex> lock(shard.mutex);
  Word* const word = shard.find(address);
  if (word == nullptr) {
    return;
  }
  word->read = true;
  const bool data = word->pc != nullptr && !word->polled && worker_.cluster().size() == 1;
  if (data && word->publishers[0].first != worker_.block()) {
    const auto [block, stored] = word->publishers[0];
    const Position seen = observed_[block];
    if (seen.stores > stored.stores && seen.fences == stored.fences) {
      findings_.report_pair(ErrorKind::MissingFence, RawPlace(pc),
                            "reads " + Names::get().of(address, size) +
                                ", which another block has published with no __threadfence() "
                                "between its store and the flag or counter that tells of it",
                            {RawPlace(word->pc), word->thread, block}, "stored it",
                            RawElement::global(address, size));
    }
  }
  // A flag without a first value: the block may read it before the other block's store.
  if (*Arena::get().state(address) == kFresh && !word->publishers.empty() && !is_ordered(*word)) {
    findings_.report(ErrorKind::UninitializedGlobal, RawPlace(pc),
                     unset_text(Access::Load, address, size), RawElement::global(address, size));
  }
  observe(*word);
}

void Publications::acquire_by_host(const volatile void* pointer) {
  void (*const call)(uint64_t) = host_acquires;
  if (call == nullptr) return;
  const uintptr_t address = in_device_memory(reinterpret_cast<uintptr_t>(pointer));
  uint64_t launch = 0;
  {
    Shard<Word>& shard = shard_of<Word>(address);
    const std::lock_guard<std::mutex> lock(shard.mutex);
    const auto found = shard.launches.find(address);
    launch = found == shard.launches.end() ? 0 : found->second;
  }
  if (launch != 0) call(launch);
}

void Publications::when_host_acquires(void (*call)(uint64_t)) {
  host_acquires = call;
}

}  // namespace simt
