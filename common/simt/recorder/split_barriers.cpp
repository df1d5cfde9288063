#include "common/simt/recorder/split_barriers.h"

#include <utility>

namespace simt {
namespace {

constexpr uint32_t kMostArrivals = (1u << 14) - 1;  // __mbarrier_maximum_count()

}  // namespace

void SplitBarriers::end_block() {
  for (const Barrier& barrier : barriers_) {
    shared_.drop_barrier(barrier.offset, order_.now().block_begin);
  }
  barriers_.clear();
}

std::string SplitBarriers::name_of(const void* p) const {
  return shared_.contains(p) ? shared_.name(shared_.offset(p))
                             : "an address outside of shared memory";
}

SplitBarriers::Barrier* SplitBarriers::find(const void* barrier) {
  for (auto b = barriers_.rbegin(); b != barriers_.rend(); ++b) {
    if (b->valid && b->offset == shared_.offset(barrier)) {
      return &*b;
    }
  }
  return nullptr;
}

// The barrier there, which must have been initialised, and that must be known to this thread.
SplitBarriers::Barrier& SplitBarriers::use(const void* barrier, const RawPlace& place,
                                           const char* does) {
  Barrier* const b = find(barrier);
  if (b == nullptr) {
    refuse(
        ErrorKind::BadArgument, place,
        std::string(does) + " " + name_of(barrier) + ", where no __mbarrier_init() made a barrier");
  }
  const Moment& now = order_.now();
  if (b->maker != now.thread && b->made >= now.clock.before && !now.is_behind(b->maker, b->made)) {
    findings_.report_pair(ErrorKind::SharedRace, place,
                          std::string(does) + " " + name_of(barrier) +
                              " with no __syncthreads() since another thread initialised it",
                          b->place, b->maker, "initialised it");
  }
  return *b;
}

void SplitBarriers::init(const void* barrier, uint32_t count, const RawPlace& place,
                         const void* pc) {
  const size_t offset = shared_.offset(barrier);
  if (!shared_.contains(barrier) || !shared_.is_array(offset)) {
    refuse(ErrorKind::BadArgument, place, "initialises a split barrier outside of shared memory");
  }
  if (offset % 8 != 0 || shared_.alignment(offset) < 8) {
    refuse(ErrorKind::Misaligned, place,
           "initialises a split barrier at " + shared_.name(offset) +
               ", which is not at a multiple of 8 bytes");
  }
  if (count == 0 || count > kMostArrivals) {
    refuse(ErrorKind::BadArgument, place,
           "initialises " + shared_.name(offset) + " for " + std::to_string(count) +
               " arrivals; there must be 1 to " + std::to_string(kMostArrivals));
  }
  if (const Barrier* const other = find(barrier)) {
    findings_.report_pair(ErrorKind::BadArgument, place,
                          "initialises " + shared_.name(offset) + ", which is a barrier already",
                          other->place, other->maker, "initialised it");
    worker_.abandon();
  }
  // From a block's first barrier on, order is a matter of each pair of threads. What __syncwarp() ordered
  // stays so; whoever else uses the barrier comes from another __syncthreads().
  if (!order_.by_pairs()) {
    order_.keep_pairs();
    shared_.keep_pairs(order_.now(), worker_.thread_count());
  }
  const uint32_t site =
      Sites::get().number(static_cast<const char*>(pc), 0, Access::Store, sizeof(uint64_t));
  shared_.make_barrier(order_.now(), offset, site);
  Barrier b;
  b.offset = offset;
  b.count = count;
  b.running.assign(worker_.thread_count(), 0);
  b.complete = b.last = b.running;
  b.maker = order_.now().thread;
  b.made = order_.now().clock.stamp;
  b.place = place;
  barriers_.push_back(std::move(b));
}

void SplitBarriers::inval(const void* barrier, const RawPlace& place) {
  Barrier& b = use(barrier, place, "invalidates");
  if (b.arrived != 0) {
    refuse(ErrorKind::BadArgument, place,
           "invalidates " + shared_.name(b.offset) + ", at whose running phase " +
               std::to_string(b.arrived) + " of " + std::to_string(b.count) + " have arrived");
  }
  b.valid = false;
  shared_.unmake_barrier(order_.now(), b.offset);
}

uint64_t SplitBarriers::arrive(const void* barrier, const RawPlace& place) {
  Barrier& b = use(barrier, place, "arrives at");
  const unsigned self = order_.now().thread, threads = worker_.thread_count();
  if (b.last[self] == b.phase + 1 && b.count <= threads) {
    refuse(ErrorKind::BadArgument, place,
           "arrives a second time at the running phase of " + shared_.name(b.offset) +
               ", which it has not waited for: " + std::to_string(b.arrived) + " of " +
               std::to_string(b.count) + " have arrived");
  }
  uint64_t number = 1;
  for (auto o = barriers_.begin(); &*o != &b; ++o) {
    ++number;
  }
  const uint64_t token = uint64_t(b.phase) << 32 | number;
  if (b.arrived == 0) {
    b.stamp = order_.next_stamp();
  }
  order_.release(b.stamp, b.running);
  b.last[self] = b.phase + 1;
  if (++b.arrived == b.count) {
    b.complete.swap(b.running);
    b.running.assign(threads, 0);
    b.arrived = 0;
    ++b.phase;
  }
  ++arrivals_;
  worker_.progress();
  return token;
}

}  // namespace simt
