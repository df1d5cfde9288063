// Device memory and its shadows: what is allocated and initialised, and who accessed each word.
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
  kUnallocated = 0,  // guard between allocations, or free
  kUninitialized = 1,
  kInitialized = 2,
  kFresh = 3,  // uninitialised before the running launch, which wrote it
  kHidden = 6  // initialised, but no kernel may read it now
};

struct Allocation {
  uintptr_t begin = 0;
  size_t bytes = 0;
};

// How an allocation is backed.
// Sparse memory only costs the pages that are touched, so it may be larger than the machine's memory. Its bytes count
// as unallocated until a copy or a memset from the host writes them.
// The host may access managed and pinned memory directly. The arena does not see its stores, so it fills this memory
// with an unusual word: a word counts as uninitialised as long as it holds that value.
// The memory of a variable is never freed. The heap is what kernels allocate.
enum class Pages { kDense, kHeap, kSparse, kManaged, kPinned, kVariable };

// One range of addresses. The whole range and its shadows are reserved at once: one comparison tells whether an address
// is in it, and one addition finds the shadow.
class Arena {
 public:
  static constexpr size_t kGuard = 4096;  // smallest guard after an allocation, in bytes

  static Arena& get();

  // Allocates memory with undefined contents. Null if `bytes` exceeds the free memory, or the free addresses for sparse
  // memory.
  void* allocate(size_t bytes, Pages pages = Pages::kDense);
  // Frees an allocation. False if `address` was not returned by allocate(), is already free, or belongs to a variable.
  // Its addresses may be open to the host afterwards, until they are closed again.
  bool free(void* address);
  // Makes an allocation unusable, as free() does, but nothing else may lie there before free() is called for it.
  void retire(void* address);
  // Marks words of managed and pinned memory that the host has written: among these bytes, or in all allocations.
  // Returns false if some of the bytes have no value.
  bool find_host_stores(uintptr_t address, size_t bytes);
  void find_host_stores();
  // Returns all managed and pinned allocations.
  std::vector<Allocation> shared() const;
  // Reserves whole pages for variables, which add_variable() then registers. open: the host may access them at any
  // time. 0 if there is no room.
  uintptr_t allocate_pages(size_t bytes, bool open);
  void add_variable(uintptr_t begin, size_t bytes);
  // Makes an allocation, `offset` bytes behind the start of a page, whose pages the caller maps. disown() frees it.
  uintptr_t adopt(size_t offset, size_t bytes);
  void disown(uintptr_t begin);

  size_t total() const { return total_; }
  size_t used() const { return used_; }
  size_t count() const { return count_; }  // number of allocations that cudaFree() frees

  bool contains(uintptr_t address) const { return address - base_ < size_; }
  size_t size() const { return size_; }
  uintptr_t base() const { return base_; }
  // Size without sparse memory, whose many pages are slow to close, and without memory open to the host.
  size_t dense_size() const { return sparse_ - base_; }
  bool is_open(uintptr_t address) const { return address >= sparse_ && contains(address); }

  uint8_t* state(uintptr_t address) const { return states_ + (address - base_); }
  // One cell per aligned four-byte word: the lowest block's store (OwnerTag in races/global/global_shadow.h).
  std::atomic<uint64_t>* owner(uintptr_t address) const { return owners_ + (address - base_) / 4; }

  // The data of GlobalRaces: for each aligned four-byte word its writers and readers, and for each page the launch that
  // last wrote it. Launches are numbered modulo kLaunches.
  static constexpr uint32_t kLaunches = 31;
  std::atomic<uint64_t>* writer(uintptr_t address) const {
    return writers_ + (address - base_) / 4;
  }
  std::atomic<uint64_t>* reader(uintptr_t address) const {
    return readers_ + (address - base_) / 4;
  }
  std::atomic<uint8_t>* page(uintptr_t address) const { return pages_ + (address - base_) / 4096; }

  // Returns the freed allocation that contained `address`, if no newer one covers it; else bytes == 0.
  Allocation freed(uintptr_t address) const;
  // Returns the kind of the allocation that holds `address`; kDense if none does.
  Pages pages_of(uintptr_t address) const;
  // Returns the allocation that holds or precedes `address`, else the first one; bytes == 0 if there is none.
  Allocation nearest(uintptr_t address) const;
  // Like nearest(), but between two allocations it returns the closer one.
  Allocation closest(uintptr_t address) const;
  // True if the bytes lie within one allocation.
  bool inside_one(const void* address, size_t bytes) const;
  void set_state(uintptr_t address, size_t bytes, ByteState state);
  // Clear the cells, before numbers of old launches are used again.
  void forget_owners();
  void forget_races();
  // After a launch: marks the bytes that it wrote as initialised.
  void settle();

 private:
  struct Block {
    size_t bytes;
    Pages pages;
    size_t size;  // including its guard
  };
  using Holes = std::map<uintptr_t, size_t>;

  Arena();
  bool reserve_all(size_t size);
  Holes::iterator find_hole(size_t need, Pages pages);

  uintptr_t base_ = 0,
            sparse_ = 0;  // dense memory lies before sparse_, all other after it
  size_t size_ = 0, total_ = 0, used_ = 0, count_ = 0;
  uint8_t* states_ = nullptr;
  std::atomic<uint64_t>* owners_ = nullptr;
  std::atomic<uint64_t>*writers_ = nullptr, *readers_ = nullptr;
  std::atomic<uint8_t>* pages_ = nullptr;
  std::map<uintptr_t, Block> allocations_;  // by begin
  std::map<uintptr_t, size_t> freed_;  // begin -> bytes
  std::map<uintptr_t, size_t> unset_;  // shared with the host, partly without a value
  uintptr_t next_ = 0;  // the next search for a dense hole starts here
  Holes holes_;  // begin -> bytes, with room for the guard
};

}  // namespace simt
