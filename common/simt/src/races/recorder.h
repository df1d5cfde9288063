// The recorder observes the threads of a block: it checks each access and logs it for the counters.
//
//   Recorder           gets the events (Observer, callbacks.cpp) and passes them on to
//   findings.h         the errors of threads
//   happens_before.h   the order of accesses: barriers, __syncwarp(), phases of mbarriers
//   shared_shadow.h    races, uninitialised words and alignment of shared memory
//   global/            bounds, uninitialised bytes, windows and conflicts of global memory (global_shadow.h); races
//                      there, of threads and of blocks (global_races.h); missing fences (publications.h)
//   barriers/          mbarriers and named barriers
//   cluster/           the barrier of a cluster, and accesses to other blocks' shared memory
//   bulk/              TMA, reads of shared memory by wgmma, copies of threads (cp.async)
//   progress.h         endless loops
//   access_log.h       the log for counters and pictures
//
// Inside: shadow_cells.h and read_vectors.h hold the shadow of shared memory, store_checks.h stores whose value
// matters.
#pragma once
#include <iterator>
#include <map>
#include <memory>

#include "races/access_log.h"
#include "races/barriers/mbarriers.h"
#include "races/barriers/named_barriers.h"
#include "races/bulk/copies.h"
#include "races/bulk/tma.h"
#include "races/cluster/cluster_barrier.h"
#include "races/findings.h"
#include "races/global/global_races.h"
#include "races/global/global_shadow.h"
#include "races/global/publications.h"
#include "races/happens_before.h"
#include "races/progress.h"
#include "races/shared_shadow.h"

namespace simt {

// A range of addresses.
struct Range {
  uintptr_t begin = 0, size = 0;
  bool contains(uintptr_t address) const { return address - begin < size; }
};

// Per-block state of a part above the recorder, and the events that it needs.
class Companion {
 public:
  virtual ~Companion() = default;

  virtual void begin_block() = 0;
  virtual void end_block(bool finished) = 0;  // finished: all threads have exited
  virtual void enter(unsigned thread) = 0;  // this thread runs from now on
  // The running thread, at the return address pc, touches one of its own variables that are watched.
  virtual void touch(uintptr_t address, Access access, const void* pc) = 0;
};

class Recorder final : public Observer {
 public:
  // Construct it on the worker's OS thread.
  explicit Recorder(Worker& worker);

  // The recorder of the block whose thread runs on this OS thread; null outside of kernels.
  static __thread Recorder* running;

  void begin_launch() override;
  void begin_block() override;
  void end_block() override;
  void drop_block() override { log_.drop_block(); }
  void end_turn() override { shared_.end_turn(); }
  void begin_turn() override { shared_.begin_turn(); }
  void enter(Thread& thread) override;
  void leave(Thread& thread) override;
  bool end_barrier() override;
  bool end_phases() override { return goes_on("__mbarrier_test_wait()"); }
  void advance() override;
  void stalled() override;
  bool drain(unsigned warp) override {
    races_.begin_warp(warp);
    return log_.drain(warp);
  }
  void waits_for_ever(unsigned thread) override {
    progress_.waits_for_ever(thread, RawPlace(log_.last_access(thread)));
  }
  bool can_resume(const Thread& thread) override { return log_.can_resume(thread); }
  void flush(unsigned warp) override {
    races_.begin_warp(warp);
    log_.flush(warp);
    order_.end_turn(warp);
  }
  void fault(const Fault& fault) override { findings_.fault(fault, log_.place()); }
  ErrorList& errors() override { return findings_.own_list(); }
  const void* last_access(unsigned thread) const override { return log_.last_access(thread); }
  bool has_jumped(unsigned thread) const override { return log_.has_jumped(thread); }
  uint64_t heartbeat() const override { return log_.heartbeat(); }

  // An access by the running thread at the return address pc. Does not return if the thread must stop. variant: see
  // Sites::number().
  template <Access access, unsigned size>
  void on_access(const void* address, const char* pc);
  void any_access(const void* address, unsigned size, Access access, const void* pc,
                  unsigned variant = 0);
  // True if these bytes lie in shared memory and no thread of this block has written any of them.
  bool lacks_shared_value(const void* address, unsigned size) const {
    return shared_.contains(address) && shared_.lacks_value(now(), shared_.offset(address), size);
  }
  // An atomic operation of the running thread. writes: false if it only reads.
  void use_atomic(const void* address, unsigned size, const void* pc, bool writes);

  // The running thread stores to an object by an atomic operation that does not read it.
  void initialize(const volatile void* address, unsigned size);
  // The lanes in mask of the running thread's warp meet, which orders their accesses.
  void sync_warp(uint32_t mask) {
    const unsigned warp = order_.now().thread / 32;
    order_.sync_warp(mask, worker_.warp_size_of(warp));
    races_.sync_warp(warp);
  }
  // The running thread uses a lock, accesses volatile global memory, or calls __threadfence(). Without a barrier, that
  // may order it after other threads.
  void lock();
  void use_volatile(const void* address, Access access, unsigned size, const void* pc);
  void fence();
  // All blocks of a cooperative launch have met. The next phase of the grid counts as a launch with that number.
  void begin_grid_phase(uint32_t serial) {
    global_.begin_grid_phase(serial, worker_.block());
    races_.begin_grid_phase(serial);
    publications_.begin_block();
  }
  // Keeps the companion for the rest of this launch. Call it once.
  void adopt(std::unique_ptr<Companion> companion);
  Companion* companion() const { return companion_.get(); }
  // From now on the companion gets the running thread's accesses to that range.
  void watch(const Range& own) { watched_ = own; }
  bool is_own(uintptr_t address) const { return address - stacks_begin_ < stacks_size_; }

  // cudaGridDependencySynchronize()
  void wait_for_launch() { global_.wait_for_launch(now()); }
  // Bytes of the static shared arrays that this launch touched.
  // The kernel declares an array of dynamic shared memory with this alignment.
  void align_dynamic(size_t alignment) {
    shared_.align_dynamic(alignment);
    log_.place_dynamic(shared_.offset(worker_.dynamic_shared()), alignment);
  }
  size_t static_shared() const { return shared_.touched_static(order_.launch_begin()); }

  // The block of the cluster whose shared memory contains a PTX address, or null.
  Recorder* block_at(uint32_t address);
  static uint32_t offset_in_block(uint32_t address) { return address & 0xffffff; }
  // The address as a pointer, while it is this block's turn.
  const void* pointer_at(uint32_t address) const {
    return shared_.pointer(offset_in_block(address));
  }
  // The PTX address of that offset in this block's shared memory.
  uint32_t address_of(size_t offset) const { return uint32_t(offset) | worker_.rank() << 24; }
  // Whether a pointer of the running thread leads to shared memory of another block of the cluster, and its address.
  bool find_remote(const void* pointer, uint32_t& address) const;
  // The running thread's pointer to shared memory of the block of that rank.
  void* pointer_into(unsigned rank, size_t offset);
  Recorder& block(unsigned rank) const {
    return static_cast<Recorder&>(worker_.cluster().block(rank).observer());
  }
  // The running thread, of another block, accesses this block's shared memory. This block must have started. If
  // at_once, it must also not end before the access. (A block that waits for a copy has not ended when the copy
  // completes.)
  void reach(const RawPlace& place, bool at_once = true);
  // Keeps vector clocks from now on in this block.
  void keep_vector_clocks();
  // The running thread's copy of a parameter that is __grid_constant__: TMA may read it.
  void add_grid_constant(const void* parameter, size_t bytes) {
    grid_constants_[reinterpret_cast<uintptr_t>(parameter)] = bytes;
  }
  bool is_grid_constant(uintptr_t address) const {
    const auto next = grid_constants_.upper_bound(address);
    return next != grid_constants_.begin() &&
           address - std::prev(next)->first < std::prev(next)->second;
  }

  const ThreadView& now() const { return order_.now(); }
  Findings& findings() { return findings_; }
  SharedShadow& shared() { return shared_; }
  const GlobalShadow& global() const { return global_; }
  const GlobalRaces& races() const { return races_; }
  AccessLog& log() { return log_; }
  Copies& copies() { return copies_; }
  Mbarriers& barriers() { return barriers_; }
  Tma& tma() { return tma_; }
  ProductReads& products() { return products_; }
  HappensBefore& order() { return order_; }
  ClusterBarrier& cluster_barrier() { return block(0).cluster_barrier_; }
  NamedBarriers& named_barriers() { return named_; }

 private:
  template <Access access, unsigned size>
  void check_access(uintptr_t address, const char* pc);
  // A __constant__ variable in the arena. Loads of it are checked but not counted, because a GPU reads them through a
  // cache of their own.
  template <Access access>
  void use_constant(uintptr_t address, unsigned size, uint32_t site);
  struct Reach {
    uint32_t epoch = 0;
    RawPlace place;
    unsigned thread = 0;
    uint64_t block = 0;
  };
  bool is_remote(uintptr_t address, unsigned size, Access access, uint32_t site);
  void check_reaches();

  bool goes_on(const char* barrier) {
    return progress_.goes_on(barrier, !log_.blocks_seen().empty());
  }

  Worker& worker_;
  uintptr_t stacks_begin_ = 0, stacks_size_ = 0;
  Range watched_;
  std::unique_ptr<Companion> companion_;
  Findings findings_;
  HappensBefore order_;
  SharedShadow shared_;
  GlobalShadow global_;
  GlobalRaces races_;
  Publications publications_;
  Progress progress_;
  AccessLog log_;
  Copies copies_;
  Mbarriers barriers_;
  ProductReads products_;
  Tma tma_;
  NamedBarriers named_;
  ClusterBarrier cluster_barrier_;  // the cluster uses that of its first block
  std::map<uint32_t, Reach> reaches_;  // by party of other blocks: its last access
  std::map<uintptr_t, size_t> grid_constants_;  // address -> bytes
};

template <Access access>
void Recorder::use_constant(uintptr_t address, unsigned size, uint32_t site) {
  if ((address & (size - 1)) != 0) {
    findings_.misaligned(address, size, site);
  }
  if (access == Access::Load) {
    global_.read(address, size, site);
  } else {
    findings_.report_and_abandon(ErrorKind::InvalidAddress, place_of(site),
                                 "writes " + Names::get().of(address, size) +
                                     ", which is __constant__: kernels only read it",
                                 RawElement::global(address, size));
  }
}

// The fast path: nearly every access needs only logging. A tail call passes the rest to check_access().
template <Access access, unsigned size>
inline void Recorder::on_access(const void* pointer, const char* pc) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  if (is_own(address) && !watched_.contains(address)) {
    return;  // this thread's registers and local arrays
  }
  const uint32_t site = log_.known_site(pc);
  if (shared_.contains(address)) {
    if (__builtin_expect(site != 0 && shared_.is_quiet<access, size>(now(), address, site), 1)) {
      return log_.add(site, true, shared_.offset(address));
    }
  } else if (global_.is_open(address)) {
    if (__builtin_expect(site != 0 && global_.is_quiet<access, size>(address), 1)) {
      return log_.add(site, false, global_.offset(address));
    }
  }
  check_access<access, size>(address, pc);
}

template <Access access, unsigned size>
__attribute__((noinline)) void Recorder::check_access(uintptr_t address, const char* pc) {
  if (__builtin_expect(variable_section_at(address) != nullptr, 0)) {
    if (variable_section_at(address)->space == VariableSpace::kConstant) {
      return use_constant<access>(in_device_memory(address), size, log_.site(pc, access, size));
    }
    address = in_device_memory(address);
  }
  const bool shared = shared_.contains(address);
  const bool global = global_.is_open(address);
  if (!shared && !global && is_own(address)) {
    return companion_->touch(address, access, pc);
  }
  const uint32_t site = log_.site(pc, access, size);
  if (__builtin_expect((address & (size - 1)) != 0, 0)) {
    findings_.misaligned(address, size, site);
  }
  if (shared) {
    if (shared_.access<access>(now(), shared_.offset(address), size, site)) {
      log_.add(site, true, shared_.offset(address));
      if (log_.uses() != nullptr && access != Access::Store) {
        log_.uses()->read(pc, reinterpret_cast<const void*>(address), size);
      }
    }
  } else if (global || global_.begins_early(now(), address, access, site)) {
    if (!global_.access<access, size>(now(), address, site)) {
      return;
    }
    log_.add(site, false, global_.offset(address));
    if (log_.uses() != nullptr && access != Access::Store) {
      log_.uses()->load(pc, address, size);
    }
  } else if (!is_remote(address, size, access, site)) {
    findings_.elsewhere(address, size, access, site);
  }
}

}  // namespace simt
