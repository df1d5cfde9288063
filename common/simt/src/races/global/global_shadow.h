// The checks of global memory: bounds, uninitialised bytes, windows, elements that two blocks write, programmatic
// dependent launches (PDL).
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "memory/memory.h"
#include "races/findings.h"
#include "races/happens_before.h"

namespace simt {

// A word of global memory that several blocks wrote, and one of the writes.
struct Conflict {
  uintptr_t address;
  uint64_t writer;  // an OwnerTag
};

// The fields of a tag: a write in the running launch.
struct OwnerTag {
  static uint32_t launch(uint64_t tag);  // the low bits of its number
  static uint64_t block(uint64_t tag);
  static unsigned thread(uint64_t tag);
  static uint32_t site(uint64_t tag);
  // Whether its block has used a lock; whether several threads have written the word; whether they changed its value.
  static bool locked(uint64_t tag);
  static bool twice(uint64_t tag);
  static bool differs(uint64_t tag);
};

// The tag of the lowest block that wrote the element at address.
uint64_t owner_tag(uintptr_t address);
// A message about a read of these bytes, which have no value.
std::string unset_text(Access access, uintptr_t address, unsigned size);
// Call it between launches.
void forget_small_owners();

class GlobalShadow {
 public:
  explicit GlobalShadow(Findings& findings);

  void begin_launch(const Launch& launch, unsigned threads);
  void begin_block(uint64_t block);
  // A thread of the block has used a lock: the block may write elements that other such blocks write.
  void lock();
  // Other blocks' stores count as visible from now on.
  void trust_others() { trusts_others_ = true; }
  // The block updates global memory by an atomic operation. Behind a fence, that may order its further stores after
  // those of blocks which did so before, as where the last block finishes the work of all.
  void update() { follows_ = follows_ || trusts_others_; }
  // The block's further stores follow those of other blocks.
  void follow() { follows_ = true; }
  void enter(unsigned thread);

  // Whether the running thread may access that address: any device memory, except in a PDL launch before the thread has
  // waited for the previous launch.
  bool is_open(uintptr_t address) const { return address - begin_ < open_; }
  uint64_t offset(uintptr_t address) const { return address - begin_; }
  // For an address that is not open: returns true if it is device memory. Then this is the thread's first access, and
  // some thread's wait must happen before it.
  bool begins_early(const ThreadView& now, uintptr_t address, Access access, uint32_t site);
  // cudaGridDependencySynchronize()
  void wait_for_launch(const ThreadView& now);

  // The fast path of a load from open memory: returns true if it is obviously right.
  template <Access access, unsigned size>
  bool is_quiet(uintptr_t address) const;
  // Checks an access to open memory. Returns false if it is out of bounds.
  template <Access access, unsigned size>
  bool access(const ThreadView& now, uintptr_t address, uint32_t site);
  // The same for a read by cp.async.
  bool read(uintptr_t address, unsigned size, uint32_t site) {
    return check(address, size, Access::AsyncLoad, site);
  }

  // A row of a box that TMA reads or writes.
  void read_row(uintptr_t address, size_t bytes, uint32_t site);
  void write_row(const ThreadView& now, uintptr_t address, size_t bytes, uint32_t site);
  // The same for a reduction, which is atomic for each element.
  void reduce_row(uintptr_t address, size_t bytes, uint32_t site);

  // All blocks have met: their earlier accesses count as those of an earlier launch.
  void begin_grid_phase(uint32_t serial, uint64_t block);
  const std::vector<Conflict>& conflicts() const { return conflicts_; }

 private:
  bool check(uintptr_t address, unsigned size, Access access, uint32_t site);
  void out_of_bounds(uintptr_t address, unsigned size, Access access, uint32_t site);
  void check_window(uintptr_t address, unsigned size, uint32_t site);
  void own(const ThreadView& now, uintptr_t address, unsigned size, uint32_t site);
  void written_again(std::atomic<uint64_t>& owner, uintptr_t address, unsigned size, uint64_t old,
                     uint64_t tag);
  void own_word(std::atomic<uint64_t>& owner, uintptr_t address, unsigned size, uint64_t tag);

  uintptr_t begin_, open_;  // bytes that are open
  const uint8_t* states_;
  bool has_windows_ = false, trusts_others_ = false, follows_ = false;
  uint64_t block_tag_ = 0;  // of this launch and block
  std::vector<Conflict> conflicts_;
  // For each thread of a PDL launch: the epoch of its wait for the previous launch, or 0; and whether it may touch
  // global memory.
  std::vector<uint32_t> waited_;
  std::vector<bool> settled_;
  Findings& findings_;
};

template <Access access, unsigned size>
inline bool GlobalShadow::is_quiet(uintptr_t address) const {
  const uint8_t* const state = states_ + (address - begin_);
  constexpr uint64_t kAll = 0x0202020202020202u;
  constexpr unsigned kFirst = size < 8 ? size : 8;
  uint64_t a = 0, b = kAll;
  __builtin_memcpy(&a, state, kFirst);
  if (size == 16) {
    __builtin_memcpy(&b, state + 8, 8);
  }
  return access == Access::Load && (address & (size - 1)) == 0 && a == kAll >> (64 - 8 * kFirst) &&
         b == kAll;
}

template <Access access, unsigned size>
bool GlobalShadow::access(const ThreadView& now, uintptr_t address, uint32_t site) {
  if ((access == Access::Load || !is_quiet<Access::Load, size>(address)) &&
      !check(address, size, access, site)) {
    return false;
  }
  if (access == Access::Store) {
    own(now, address, size, site);
  }
  if ((access == Access::Store || access == Access::Atomic) && has_windows_) {
    check_window(address, size, site);
  }
  return true;
}

}  // namespace simt
