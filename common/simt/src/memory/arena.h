// Device memory and its shadow: what is allocated, what is initialised, who wrote what.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace simt {

// The state of one byte of device memory.
enum ByteState : uint8_t {
  kUnallocated = 0,  // a guard between allocations, or free
  kUninitialized = 1,
  kInitialized = 2,
  kFresh = 3,  // uninitialised before the running launch, written by it
  kHidden = 6  // initialised, but a kernel may not read it now
};

struct Allocation {
  uintptr_t begin = 0;
  size_t bytes = 0;
};

// Memory that is sparse costs the pages that are touched, so it may be larger than the machine's. Until
// a copy or a memset from the host writes them, its bytes count as unallocated.
// Shared memory of hosts and kernels (managed, pinned) is open to the host at all times. What the host
// writes there is not seen, so it counts as initialised. A variable's memory is there as long as the program.
enum class Pages { kDense, kSparse, kManaged, kPinned, kVariable };

// One reserved range of addresses. All of it and its shadows are reserved at once, so that an address
// is classified by one comparison and its shadow found by one addition.
class Arena {
 public:
  static constexpr size_t kGuard =
      4096;  // at least so many bytes without an owner behind each allocation

  static Arena& get();

  // Null if bytes exceed what is left: of the memory, or for sparse pages of the addresses. The memory has
  // no defined contents.
  void* allocate(size_t bytes, Pages pages = Pages::kDense);
  // False if address was not returned by allocate() or has been freed, or if it is a variable's.
  bool free(void* address);
  // All that is managed or pinned.
  std::vector<Allocation> shared() const;
  // Whole pages for the program's variables, which add_variable() then fills; open: to the host, too. 0 if there is no
  // room.
  uintptr_t allocate_pages(size_t bytes, bool open);
  void add_variable(uintptr_t begin, size_t bytes);

  size_t total() const { return total_; }
  size_t used() const { return used_; }
  size_t count() const { return count_; }  // of allocations that cudaFree() frees

  bool contains(uintptr_t address) const { return address - base_ < size_; }
  size_t size() const { return size_; }
  uintptr_t base() const { return base_; }
  // Without sparse memory, whose many pages make it slow to close, and without what is open to the host.
  size_t dense_size() const { return sparse_ - base_; }
  bool is_open(uintptr_t address) const { return address >= sparse_ && contains(address); }

  uint8_t* state(uintptr_t address) const { return states_ + (address - base_); }
  // One cell for each aligned word of four bytes: who wrote it last (see OwnerTag in races/global/global_shadow.h).
  std::atomic<uint64_t>* owner(uintptr_t address) const { return owners_ + (address - base_) / 4; }

  // What GlobalRaces keeps: for each aligned word of four bytes who wrote and who read it, for each
  // page the launch that wrote it, by a number that is used again after so many
  // launches.
  static constexpr uint32_t kLaunches = 31;
  std::atomic<uint64_t>* writer(uintptr_t address) const {
    return writers_ + (address - base_) / 4;
  }
  std::atomic<uint64_t>* reader(uintptr_t address) const {
    return readers_ + (address - base_) / 4;
  }
  std::atomic<uint8_t>* page(uintptr_t address) const { return pages_ + (address - base_) / 4096; }

  // What lay at address and has been freed, if nothing has come to lie there since; else bytes == 0.
  Allocation freed(uintptr_t address) const;
  // How the allocation was made that holds address; kDense if none does.
  Pages pages_of(uintptr_t address) const;
  // The allocation that holds address, or precedes it, or else is the first; bytes == 0 if there is none.
  Allocation nearest(uintptr_t address) const;
  // The same, but of an address between two allocations the one that is less far away.
  Allocation closest(uintptr_t address) const;
  bool inside_one(const void* address, size_t bytes) const;
  void set_state(uintptr_t address, size_t bytes, ByteState state);
  // Tags of old launches must not be taken for the running one's.
  void forget_owners();
  void forget_races();
  // After a launch: what it wrote is initialised.
  void settle();

 private:
  struct Block {
    size_t bytes;
    Pages pages;
    size_t size;  // with its guard
  };
  using Holes = std::map<uintptr_t, size_t>;

  Arena();
  bool reserve_all(size_t size);
  Holes::iterator find_hole(size_t need, Pages pages);

  uintptr_t base_ = 0,
            sparse_ = 0;  // from sparse_ on lies what is sparse or open, before it all else
  size_t size_ = 0, total_ = 0, used_ = 0, count_ = 0;
  uint8_t* states_ = nullptr;
  std::atomic<uint64_t>* owners_ = nullptr;
  std::atomic<uint64_t>*writers_ = nullptr, *readers_ = nullptr;
  std::atomic<uint8_t>* pages_ = nullptr;
  std::map<uintptr_t, Block> allocations_;  // by begin
  std::map<uintptr_t, size_t> freed_;  // begin -> bytes
  uintptr_t next_ =
      0;  // addresses from here on are taken first, so that those of freed memory rest
  Holes holes_;  // begin -> bytes, with room for the guard
};

}  // namespace simt
