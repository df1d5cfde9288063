#include "memory/arena.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace simt {
namespace {

constexpr size_t kAlignment = 512;
constexpr size_t kMostFreed = 4096;  // number of freed allocations to remember
// Allocations advance through this many bytes before they start again at the front, so that freed addresses stay unused
// for a while. A larger value makes it slower to close the memory, as that visits each page ever used.
constexpr size_t kResting = size_t(16) << 20;
constexpr size_t kSparse = size_t(1) << 39;  // addresses for sparse memory

// What managed and pinned memory holds before it has a value: a NaN, and no likely number.
constexpr uint32_t kUnset = 0xffb5c3a7;

// Returns the size of the guard after an allocation: addresses that belong to no allocation. An index that is a tile of
// rows too large then does not land in the next allocation, where it would look like a race. Guards cost no memory.
size_t guard_of(size_t bytes, Pages pages) {
  constexpr size_t kLeast = size_t(64) << 10, kMost = size_t(8) << 20;
  return pages == Pages::kSparse || pages == Pages::kHeap
             ? Arena::kGuard
             : std::clamp(bytes, kLeast / 64, kMost / 64) * 64;
}

// Returns the size of whole pages with these bytes and a guard.
size_t with_guard(size_t bytes) {
  return (bytes + Arena::kGuard - 1) / Arena::kGuard * Arena::kGuard + Arena::kGuard;
}

// Reserves addresses without memory. Null if the process may not have that many.
void* reserve(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

// Releases whole pages of dense memory, which read as zero the next time. Mapping them anew also releases page tables,
// each for 2 MB of addresses: closing the memory visits every one. The pages are open to the host then.
void discard(uintptr_t begin, size_t bytes) {
  void* memory = reinterpret_cast<void*>(begin);
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  const bool small = bytes < size_t(4) << 20;
  const void* fresh =
      small ? MAP_FAILED : mmap(memory, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (fresh == MAP_FAILED) madvise(memory, bytes, MADV_DONTNEED);
}

}  // namespace

Arena& Arena::get() {
  static Arena arena;
  return arena;
}

Arena::Arena() {
  // At most a quarter of the machine's memory, because the shadows of written memory need more than the memory itself.
  const size_t physical = size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGESIZE));
  // An offset in the arena must fit into the 40 bits of a log entry.
  total_ = std::min(physical / 4, size_t(1) << 38);
  // With limited addresses (ulimit -v), reserve a quarter of them below: sixteen per byte of memory, shadows included.
  rlimit limit{};
  const bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  if (limited) {
    total_ = std::min(total_, size_t(limit.rlim_cur) / 64);
  }
  total_ = total_ / kGuard * kGuard;
  const size_t dense = 2 * total_;  // room for guards and fragmentation
  const bool sparse = !limited && reserve_all(dense + kSparse);
  const size_t open = sparse ? kSparse : total_ / 4 / kGuard * kGuard;
  if (!sparse && !reserve_all(dense + open)) {
    throw std::bad_alloc();
  }
  sparse_ = base_ + dense;
  const size_t front = std::min<size_t>(dense / 16, size_t(8) << 20) / kGuard * kGuard;
  holes_[base_ + front] = dense - front;
  holes_[sparse_ + kGuard] = open - kGuard;  // after a guard, so that holes never join
  if (sparse) {
    // Huge pages would make one touched byte cost 2 MB.
    madvise(reinterpret_cast<void*>(sparse_), kSparse, MADV_NOHUGEPAGE);
    madvise(state(sparse_), kSparse, MADV_NOHUGEPAGE);
    for (std::atomic<uint64_t>* cells : {owner(sparse_), writer(sparse_), reader(sparse_)}) {
      madvise(cells, kSparse / 4 * sizeof(uint64_t), MADV_NOHUGEPAGE);
    }
  }
}

// Reserves addresses for device memory and all of its shadows. False, and nothing is reserved, if that fails.
bool Arena::reserve_all(size_t size) {
  const size_t cells = size / 4 * sizeof(uint64_t);
  const size_t sizes[] = {size, size, cells, cells, cells, size / 4096};
  void* parts[6] = {};
  for (int i = 0; i < 6; ++i) {
    parts[i] = reserve(sizes[i]);
    if (parts[i] == nullptr) {
      while (--i >= 0) munmap(parts[i], sizes[i]);
      return false;
    }
  }
  base_ = reinterpret_cast<uintptr_t>(parts[0]);
  states_ = static_cast<uint8_t*>(parts[1]);
  owners_ = static_cast<std::atomic<uint64_t>*>(parts[2]);
  writers_ = static_cast<std::atomic<uint64_t>*>(parts[3]);
  readers_ = static_cast<std::atomic<uint64_t>*>(parts[4]);
  pages_ = static_cast<std::atomic<uint8_t>*>(parts[5]);
  size_ = size;
  return true;
}

Arena::Holes::iterator Arena::find_hole(size_t need, Pages pages) {
  const bool sparse = pages > Pages::kHeap;
  const auto fits = [&](uintptr_t from) {
    return [=](const auto& hole) {
      const uintptr_t begin = std::max(hole.first, from), end = hole.first + hole.second;
      return (hole.first >= sparse_) == sparse && begin < end && end - begin >= need;
    };
  };
  const auto hole = std::find_if(holes_.begin(), holes_.end(), fits(sparse ? 0 : next_));
  if (hole != holes_.end()) {
    return hole;
  }
  next_ = 0;
  return std::find_if(holes_.begin(), holes_.end(), fits(0));
}

void* Arena::allocate(size_t bytes, Pages pages) {
  const bool sparse = pages > Pages::kHeap;
  if (bytes > (pages == Pages::kSparse ? size_ : total_ - used_)) {
    return nullptr;
  }
  const auto with = [bytes](size_t guard) {
    return (bytes + guard + kAlignment - 1) / kAlignment * kAlignment;
  };
  size_t need = with(guard_of(bytes, pages));
  auto hole = find_hole(need, pages);
  if (hole == holes_.end()) {
    need = with(kGuard);
    hole = find_hole(need, pages);
  }
  if (hole == holes_.end()) {
    return nullptr;
  }
  const uintptr_t front = hole->first, begin = sparse ? front : std::max(front, next_);
  const uintptr_t end = front + hole->second;
  holes_.erase(hole);
  if (begin > front) {
    holes_[front] = begin - front;
  }
  if (end > begin + need) {
    holes_[begin + need] = end - begin - need;
  }
  allocations_[begin] = {bytes, pages, need};
  for (auto old = freed_.lower_bound(begin); old != freed_.end() && old->first < begin + need;) {
    old = freed_.erase(old);
  }
  count_ += pages != Pages::kPinned && pages != Pages::kHeap;
  if (!sparse) {
    used_ += bytes;
    next_ = begin + need < base_ + kResting ? begin + need : 0;
    set_state(begin, bytes, kUninitialized);
  } else if (pages != Pages::kSparse) {
    used_ += pages == Pages::kManaged ? bytes : 0;
    set_state(begin, bytes, kInitialized);
    set_state(begin, bytes / 4 * 4, kUninitialized);
    std::fill_n(reinterpret_cast<uint32_t*>(begin), bytes / 4, kUnset);
    unset_[begin] = bytes;
  }
  return reinterpret_cast<void*>(begin);
}

bool Arena::free(void* address) {
  const auto found = allocations_.find(reinterpret_cast<uintptr_t>(address));
  if (found == allocations_.end() || found->second.pages == Pages::kVariable) {
    return false;
  }
  const uintptr_t begin = found->first;
  auto [bytes, pages, size] = found->second;
  count_ -= pages != Pages::kPinned && pages != Pages::kHeap;
  used_ -= pages <= Pages::kHeap || pages == Pages::kManaged ? bytes : 0;
  // Release whole pages of states, which then read as zero (kUnallocated). The rest of these pages are states of
  // guards.
  const uintptr_t states = reinterpret_cast<uintptr_t>(state(begin)) / kGuard * kGuard;
  const uintptr_t states_end = reinterpret_cast<uintptr_t>(state(begin + size)) / kGuard * kGuard;
  madvise(reinterpret_cast<void*>(states), states_end - states, MADV_DONTNEED);
  allocations_.erase(found);
  unset_.erase(begin);
  freed_[begin] = bytes;
  if (freed_.size() > kMostFreed) {
    freed_.erase(freed_.begin());
  }
  const uintptr_t page = (begin + kGuard - 1) / kGuard * kGuard;
  const uintptr_t last = (begin + size) / kGuard * kGuard;
  if (page < last) {
    if (page < sparse_) {
      discard(page, last - page);
    } else {
      madvise(reinterpret_cast<void*>(page), last - page, MADV_DONTNEED);
    }
    for (const std::atomic<uint64_t>* all : {owners_, writers_, readers_}) {
      const uintptr_t of_page = reinterpret_cast<uintptr_t>(all + (page - base_) / 4);
      const uintptr_t end = reinterpret_cast<uintptr_t>(all + (last - base_) / 4) / 4096 * 4096;
      const uintptr_t cells = (of_page + 4095) / 4096 * 4096;
      madvise(reinterpret_cast<void*>(cells), end - cells, MADV_DONTNEED);
    }
  }
  auto next = holes_.lower_bound(begin);
  if (next != holes_.end() && next->first == begin + size) {
    size += next->second;
    next = holes_.erase(next);
  }
  if (next != holes_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == begin) {
      before->second += size;
      return true;
    }
  }
  holes_[begin] = size;
  return true;
}

void Arena::retire(void* address) {
  const auto found = allocations_.find(reinterpret_cast<uintptr_t>(address));
  set_state(found->first, found->second.bytes, kUnallocated);
  freed_[found->first] = found->second.bytes;
}

uintptr_t Arena::allocate_pages(size_t bytes, bool open) {
  const size_t need = with_guard(bytes);
  const auto hole = find_hole(need + kGuard, open ? Pages::kManaged : Pages::kDense);
  if (hole == holes_.end()) {
    return 0;
  }
  const auto [front, size] = *hole;
  const uintptr_t begin = (front + kGuard - 1) / kGuard * kGuard;
  holes_.erase(hole);
  if (begin > front) {
    holes_[front] = begin - front;
  }
  holes_[begin + need] = front + size - begin - need;
  return begin;
}

void Arena::add_variable(uintptr_t begin, size_t bytes) {
  allocations_[begin] = {bytes, Pages::kVariable, 0};
  set_state(begin, bytes, kInitialized);
}

uintptr_t Arena::adopt(size_t offset, size_t bytes) {
  const uintptr_t pages = allocate_pages(offset + bytes, true), begin = pages + offset;
  if (pages == 0) return 0;
  allocations_[begin] = {bytes, Pages::kPinned, with_guard(offset + bytes) - offset};
  set_state(begin, bytes, kInitialized);
  return begin;
}

void Arena::disown(uintptr_t begin) {
  void* const page = reinterpret_cast<void*>(begin / kGuard * kGuard);
  const size_t size = allocations_[begin].size + begin % kGuard;
  static_cast<void>(mmap(page, size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0));
  free(reinterpret_cast<void*>(begin));
}

bool Arena::find_host_stores(uintptr_t address, size_t bytes) {
  bool all = true;
  for (uintptr_t at = address / 4 * 4; is_open(at) && at < address + bytes; at += 4) {
    uint8_t* const states = state(at);
    if (std::find(states, states + 4, kUninitialized) == states + 4) continue;
    if (*reinterpret_cast<const uint32_t*>(at) == kUnset) {
      all = false;
    } else {
      std::replace(states, states + 4, uint8_t(kUninitialized), uint8_t(kInitialized));
    }
  }
  return all;
}

void Arena::find_host_stores() {
  for (auto each = unset_.begin(); each != unset_.end();) {
    each = find_host_stores(each->first, each->second) ? unset_.erase(each) : std::next(each);
  }
}

std::vector<Allocation> Arena::shared() const {
  std::vector<Allocation> all;
  for (auto at = allocations_.lower_bound(sparse_); at != allocations_.end(); ++at) {
    const Pages pages = at->second.pages;
    if (pages == Pages::kManaged || pages == Pages::kPinned)
      all.push_back({at->first, at->second.bytes});
  }
  return all;
}

Pages Arena::pages_of(uintptr_t address) const {
  const auto next = allocations_.upper_bound(address);
  if (next == allocations_.begin()) {
    return Pages::kDense;
  }
  const auto& [begin, block] = *std::prev(next);
  return address - begin < block.bytes ? block.pages : Pages::kDense;
}

Allocation Arena::freed(uintptr_t address) const {
  const auto next = freed_.upper_bound(address);
  if (next == freed_.begin()) {
    return {};
  }
  const auto [begin, bytes] = *std::prev(next);
  return address < begin + bytes ? Allocation{begin, bytes} : Allocation();
}

Allocation Arena::nearest(uintptr_t address) const {
  auto next = allocations_.upper_bound(address);
  if (next == allocations_.begin()) {
    return next == allocations_.end() ? Allocation() : Allocation{next->first, next->second.bytes};
  }
  const auto before = std::prev(next);
  return {before->first, before->second.bytes};
}

Allocation Arena::closest(uintptr_t address) const {
  const Allocation before = nearest(address);
  const auto next = allocations_.upper_bound(address);
  const uintptr_t end = before.begin + before.bytes;
  if (next == allocations_.end() || address < end || next->first - address > address - end) {
    return before;
  }
  return {next->first, next->second.bytes};
}

bool Arena::inside_one(const void* address, size_t bytes) const {
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  const Allocation found = nearest(at);
  return at >= found.begin && at - found.begin <= found.bytes &&
         bytes <= found.bytes - (at - found.begin);
}

void Arena::set_state(uintptr_t address, size_t bytes, ByteState to) {
  std::memset(state(address), to, bytes);
}

void Arena::forget_owners() {
  madvise(owners_, size_ / 4 * sizeof(uint64_t), MADV_DONTNEED);
}

void Arena::forget_races() {
  madvise(writers_, size_ / 4 * sizeof(uint64_t), MADV_DONTNEED);
  madvise(readers_, size_ / 4 * sizeof(uint64_t), MADV_DONTNEED);
  madvise(pages_, size_ / 4096, MADV_DONTNEED);
}

void Arena::settle() {
  constexpr uint64_t kEach = 0x0101010101010101u;
  for (const auto& [begin, block] : allocations_) {
    if (block.pages > Pages::kHeap) {
      continue;  // writable bytes are initialised there
    }
    uint8_t* states = state(begin);
    for (size_t i = 0; i < block.bytes; i += 8) {
      uint64_t word;
      std::memcpy(&word, states + i, 8);
      // The low bit is set in kUninitialized and kFresh, the next one in kInitialized, kFresh and kHidden.
      const uint64_t fresh = word & (word >> 1) & kEach;
      if (fresh != 0) {
        word &= ~fresh;
        std::memcpy(states + i, &word, 8);
      }
    }
  }
}

}  // namespace simt
