#include "races/global/global_shadow.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

namespace simt {
namespace {

// An owner tag: the launch (8 bits), the block (26), the thread (10), flags (4) and the site (16). Of two writes in one
// launch, that of the lower block has the lower tag.
constexpr unsigned kThreadShift = 20, kBlockShift = 30, kLaunchShift = 56;
constexpr uint64_t kLocked = 1 << 16, kDiffers = 1 << 17, kTwice = 1 << 18;
constexpr uint64_t kMostBlocks = uint64_t(1) << (kLaunchShift - kBlockShift);

// Elements smaller than a word have owners of their own. Few kernels store such elements.
struct alignas(64) SmallOwners {
  std::mutex mutex;
  std::unordered_map<uintptr_t, std::atomic<uint64_t>> all;
};
constexpr unsigned kShards = 64;  // so that workers rarely wait for each other
SmallOwners small_owners[kShards];

SmallOwners& small_owners_of(uintptr_t address) {
  return small_owners[address / 64 % kShards];
}

}  // namespace

uint32_t OwnerTag::launch(uint64_t tag) {
  return uint32_t(tag >> kLaunchShift) & 0xff;
}
uint64_t OwnerTag::block(uint64_t tag) {
  return tag >> kBlockShift & (kMostBlocks - 1);
}
unsigned OwnerTag::thread(uint64_t tag) {
  return unsigned(tag >> kThreadShift) & 0x3ff;
}
uint32_t OwnerTag::site(uint64_t tag) {
  return uint32_t(tag) & 0xffff;
}
bool OwnerTag::locked(uint64_t tag) {
  return (tag & kLocked) != 0;
}
bool OwnerTag::differs(uint64_t tag) {
  return (tag & kDiffers) != 0;
}
bool OwnerTag::twice(uint64_t tag) {
  return (tag & kTwice) != 0;
}

uint64_t owner_tag(uintptr_t address) {
  SmallOwners& shard = small_owners_of(address);
  std::lock_guard<std::mutex> lock(shard.mutex);
  const auto small = shard.all.find(address);
  return small != shard.all.end() ? small->second.load() : Arena::get().owner(address)->load();
}

std::string unset_text(Access access, uintptr_t address, unsigned size) {
  return std::string(verb_of(access)) + " " + Names::get().of(address, size) +
         (Arena::get().is_open(address) ? ", which no copy, no host code and no earlier launch has "
                                        : ", which no copy and no earlier launch has ") +
         "initialised";
}

void forget_small_owners() {
  for (SmallOwners& shard : small_owners) {
    // clear() would visit all buckets that a large launch left.
    if (!shard.all.empty()) decltype(shard.all)().swap(shard.all);
  }
}

GlobalShadow::GlobalShadow(Findings& findings)
    : begin_(Arena::get().base()),
      open_(Arena::get().size()),
      states_(Arena::get().state(begin_)),
      findings_(findings) {}

void GlobalShadow::begin_launch(const Launch& launch, unsigned threads) {
  has_windows_ = !Windows::get().empty();
  block_tag_ = uint64_t(launch.serial & 0xff) << kLaunchShift;
  waited_.assign(launch.config.early ? threads : 0, 0);
  conflicts_.clear();
}

void GlobalShadow::begin_block(uint64_t block) {
  block_tag_ = block_tag_ >> kLaunchShift << kLaunchShift | (block & (kMostBlocks - 1))
                                                                << kBlockShift;
  trusts_others_ = follows_ = false;
  std::fill(waited_.begin(), waited_.end(), 0);
  settled_.assign(waited_.size(), false);
}

void GlobalShadow::begin_grid_phase(uint32_t serial, uint64_t block) {
  block_tag_ = uint64_t(serial & 0xff) << kLaunchShift;
  conflicts_.clear();
  begin_block(block);
}

void GlobalShadow::lock() {
  block_tag_ |= kLocked;
}

void GlobalShadow::enter(unsigned thread) {
  open_ = waited_.empty() || settled_[thread] ? Arena::get().size() : 0;
}

void GlobalShadow::own(const ThreadView& now, uintptr_t address, unsigned size, uint32_t site) {
  const uint64_t tag = block_tag_ | uint64_t(now.thread) << kThreadShift | site;
  Arena& arena = Arena::get();
  if (size < 4) {
    std::atomic<uint64_t>* owner;
    {
      SmallOwners& shard = small_owners_of(address);
      std::lock_guard<std::mutex> lock(shard.mutex);
      owner = &shard.all[address];
    }
    own_word(*owner, address, size, tag);
    return;
  }
  for (unsigned i = 0; i < size; i += 4) {
    own_word(*arena.owner(address + i), address + i, 4, tag);
  }
}

// Keeps the lowest tag of this launch, so that the outcome does not depend on the order of the writes.
void GlobalShadow::own_word(std::atomic<uint64_t>& owner, uintptr_t address, unsigned size,
                            uint64_t tag) {
  uint64_t old = owner.load(std::memory_order_relaxed);
  for (;;) {
    const bool same_launch = ((old ^ tag) >> kLaunchShift) == 0 && old != 0;
    const bool other = same_launch && (old ^ tag) >> kThreadShift != 0;
    const bool first = same_launch && old <= tag;
    if (first ||
        owner.compare_exchange_weak(old, tag | (same_launch ? old & (kDiffers | kTwice) : 0),
                                    std::memory_order_relaxed)) {
      if (__builtin_expect(other, 0)) {
        written_again(owner, address, size, old, tag);
      }
      return;
    }
  }
}

// The running thread, with the tag `tag`, writes to an element that another thread has written in this launch.
void GlobalShadow::written_again(std::atomic<uint64_t>& owner, uintptr_t address, unsigned size,
                                 uint64_t old, uint64_t tag) {
  if (OwnerTag::block(old) != OwnerTag::block(tag) &&
      !(OwnerTag::locked(old) && OwnerTag::locked(tag)) && !follows_) {
    conflicts_.push_back({address, std::max(old, tag)});
    for (int i = 0; i < 20 && conflicts_.size() < 1000; ++i) {
      std::this_thread::yield();  // lets the other block make the store that it has announced here
    }
  }
  if (!OwnerTag::twice(old)) {
    owner.fetch_or(kTwice, std::memory_order_relaxed);
  }
  if (!OwnerTag::differs(old)) {
    findings_.store_checks().expect(OwnerTag::thread(tag), reinterpret_cast<const void*>(address),
                                    size, [&owner](bool changed) {
                                      if (changed) {
                                        owner.fetch_or(kDiffers, std::memory_order_relaxed);
                                      }
                                    });
  }
}

void GlobalShadow::check_window(uintptr_t address, unsigned size, uint32_t site) {
  const Windows& windows = Windows::get();
  if (!windows.may_write(address, size)) {
    const std::string name = Names::get().place_of(address).array;
    const bool inside = Names::get().of(address, size).find(name + "[") != std::string::npos;
    findings_.report(ErrorKind::OutsideWindow, place_of(site),
                     name.empty() || inside
                         ? "writes " + std::to_string(size) +
                               " bytes outside the elements that the kernel may write: " +
                               windows.describe(address)
                         : "writes " + Names::get().of_outside(address, size),
                     RawElement::global(address, size));
  }
}

void GlobalShadow::read_row(uintptr_t address, size_t bytes, uint32_t site) {
  const uint8_t* const states = Arena::get().state(address);
  for (size_t i = 0; i < bytes; i += 16) {
    const size_t size = std::min<size_t>(16, bytes - i);
    if (!std::all_of(states + i, states + i + size, [](uint8_t s) { return s == kInitialized; })) {
      check(address + i, unsigned(size), Access::BulkLoad, site);
    }
  }
}

void GlobalShadow::write_row(const ThreadView& now, uintptr_t address, size_t bytes,
                             uint32_t site) {
  const unsigned size = (address | bytes) % 4 == 0 ? 4 : 1;
  for (size_t i = 0; i < bytes; i += size) {
    if (!check(address + i, size, Access::Store, site)) {
      continue;
    }
    own(now, address + i, size, site);
    if (has_windows_) {
      check_window(address + i, size, site);
    }
  }
}

void GlobalShadow::reduce_row(uintptr_t address, size_t bytes, uint32_t site) {
  const unsigned size = (address | bytes) % 4 == 0 ? 4 : 2;
  for (size_t i = 0; i < bytes; i += size) {
    if (check(address + i, size, Access::Atomic, site) && has_windows_) {
      check_window(address + i, size, site);
    }
  }
}

// The slow path, for bytes that are not all initialised. False if one is out of bounds.
bool GlobalShadow::check(uintptr_t address, unsigned size, Access access, uint32_t site) {
  Arena& arena = Arena::get();
  uint8_t* const states = arena.state(address);
  for (unsigned i = 0; i < size; ++i) {
    if (states[i] == kUnallocated) {
      out_of_bounds(address, size, access, site);
      return false;
    }
  }
  if (access == Access::Store) {
    for (unsigned i = 0; i < size; ++i) {
      states[i] = states[i] == kUninitialized ? uint8_t(kFresh) : states[i];
    }
    return true;
  }
  unsigned unknown = 0;  // bytes without a value, one behind the other
  for (unsigned i = 0; i < size; ++i) {
    if (states[i] == kHidden && access != Access::Atomic) {
      findings_.report(ErrorKind::HiddenRead, place_of(site),
                       std::string(verb_of(access)) + " " + std::to_string(size) +
                           " bytes of a matrix that may not be read (C where beta == 0)",
                       RawElement::global(address, size));
      return true;
    }
    bool known = states[i] == kInitialized || states[i] == kHidden;
    if (states[i] == kFresh) {
      // Written in this launch: the value is certain only for the block that wrote it.
      const uint64_t tag = arena.owner(address + i)->load(std::memory_order_relaxed);
      known = trusts_others_ || (tag ^ block_tag_) >> kLaunchShift != 0 ||
              OwnerTag::block(tag) == OwnerTag::block(block_tag_);
    }
    unknown = known || (address + i) % 4 == 0 ? !known : unknown + 1;
    // A word of which a part has a value may be the end of a small member and the padding behind it.
    if (unknown == std::min(size, 4u)) {
      findings_.report(ErrorKind::UninitializedGlobal, place_of(site),
                       unset_text(access, address, size), RawElement::global(address, size));
      return true;
    }
  }
  return true;
}

void GlobalShadow::out_of_bounds(uintptr_t address, unsigned size, Access access, uint32_t site) {
  const Allocation freed = Arena::get().freed(address);
  if (freed.bytes != 0) {
    findings_.report(ErrorKind::GlobalOutOfBounds, place_of(site),
                     std::string(verb_of(access)) + " " + std::to_string(size) +
                         " bytes of global memory that has been freed: offset " +
                         std::to_string(address - freed.begin) + " of what was an allocation of " +
                         std::to_string(freed.bytes) + " bytes",
                     RawElement::global(address, size));
    return;
  }
  findings_.report(ErrorKind::GlobalOutOfBounds, place_of(site),
                   std::string(verb_of(access)) + " " + Names::get().of_outside(address, size),
                   RawElement::global(address, size));
}

// Programmatic dependent launches (PDL), which may begin before the previous one has ended: their threads must not
// touch global memory before cudaGridDependencySynchronize().
void GlobalShadow::wait_for_launch(const ThreadView& now) {
  if (!waited_.empty()) {
    waited_[now.thread] = now.clock.epoch;
    settled_[now.thread] = true;
    open_ = Arena::get().size();
  }
}

bool GlobalShadow::begins_early(const ThreadView& now, uintptr_t address, Access access,
                                uint32_t site) {
  if (!Arena::get().contains(address)) {
    return false;
  }
  open_ = Arena::get().size();
  settled_[now.thread] = true;  // one report is enough
  for (unsigned t = 0; t < waited_.size(); ++t) {
    if (waited_[t] != 0 &&
        (waited_[t] < now.clock.interval_begin || now.happens_before(t, waited_[t]))) {
      return true;
    }
  }
  findings_.report(
      ErrorKind::EarlyAccess, place_of(site),
      std::string(verb_of(access)) +
          " global memory before its cudaGridDependencySynchronize(); this launch may begin before "
          "the one ahead of it has ended (cudaLaunchAttributeProgrammaticStreamSerialization)",
      RawElement::global(address, Sites::get().at(site).size));
  return true;
}

}  // namespace simt
