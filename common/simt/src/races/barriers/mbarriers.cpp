#include "races/barriers/mbarriers.h"

#include <algorithm>
#include <utility>

namespace simt {
namespace {

constexpr uint32_t kMostArrivals = (1u << 14) - 1;  // __mbarrier_maximum_count()
constexpr int64_t kMostBytes = (1 << 20) - 1;  // that a phase can wait for

}  // namespace

void Mbarriers::end_block() {
  for (const Barrier& barrier : barriers_) {
    if (worker_.finished() && barrier.valid && barrier.copied > barrier.expected) {
      RawError error;
      error.kind = ErrorKind::BadArgument;
      error.here = {barrier.place, barrier.maker, worker_.block()};
      error.what = "initialises " + name(barrier) + ", to which copies bring " +
                   std::to_string(barrier.copied) + " bytes of " +
                   std::to_string(barrier.expected) + " announced by the end of the block";
      if (findings_.list().is_new(error.kind, error.here.place, RawPlace())) {
        findings_.list().add(std::move(error));
      }
    }
    shared_.drop_barrier(barrier.offset, order_.now().block_begin);
  }
  barriers_.clear();
  channels_ = 0;
}

std::string Mbarriers::name_of(const void* p) const {
  return shared_.contains(p) ? shared_.name(shared_.offset(p))
                             : "an address outside of shared memory";
}

Mbarriers::Barrier* Mbarriers::find(const void* barrier) {
  for (auto b = barriers_.rbegin(); b != barriers_.rend(); ++b) {
    if (b->valid && b->offset == shared_.offset(barrier)) {
      return &*b;
    }
  }
  return nullptr;
}

// The barrier at that address. Its initialisation must happen before what this thread does.
Mbarriers::Barrier& Mbarriers::use(const void* barrier, const RawPlace& place, const char* does) {
  Barrier* const b = find(barrier);
  if (b == nullptr) {
    refuse(
        ErrorKind::BadArgument, place,
        std::string(does) + " " + name_of(barrier) + ", where no __mbarrier_init() made a barrier");
  }
  const ThreadView now = order_.actor();
  if (b->maker != now.thread && b->made >= now.clock.interval_begin &&
      !now.happens_before(b->maker, b->made) && !order_.knows_init(now, b->made)) {
    findings_.report_pair(ErrorKind::SharedRace, place,
                          std::string(does) + " " + name_of(barrier) + " with no " +
                              (now.thread == HappensBefore::kElsewhere ? "barrier of the cluster"
                                                                       : "__syncthreads()") +
                              " since another thread initialised it",
                          b->place, b->maker, "initialised it");
  }
  return *b;
}

void Mbarriers::init(const void* barrier, uint32_t count, const RawPlace& place, const void* pc) {
  const size_t offset = shared_.offset(barrier);
  if (!shared_.contains(barrier) || !shared_.is_array(offset)) {
    refuse(ErrorKind::BadArgument, place, "initialises an mbarrier outside of shared memory");
  }
  if (offset % 8 != 0 || shared_.alignment(offset) < 8) {
    refuse(ErrorKind::Misaligned, place,
           "initialises an mbarrier at " + shared_.name(offset) +
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
  // From the block's first mbarrier on, vector clocks hold the order of each pair of threads. They keep the order that
  // __syncwarp() gave. Any other thread that uses the mbarrier has passed another __syncthreads().
  if (!order_.has_vector_clocks()) {
    order_.keep_vector_clocks();
    shared_.keep_vector_clocks(order_.now(), worker_.thread_count());
  }
  const uint32_t site =
      Sites::get().number(static_cast<const char*>(pc), 0, Access::Atomic, sizeof(uint64_t));
  shared_.make_barrier(order_.now(), offset, site);
  Barrier b;
  b.offset = offset;
  b.count = count;
  b.running.assign(order_.space().total, 0);
  b.complete = b.last = b.looked = b.running;
  b.maker = order_.now().thread;
  b.made = order_.now().clock.epoch;
  b.place = place;
  b.use = &uses_[place];
  ++b.use->barriers;
  barriers_.push_back(std::move(b));
}

void Mbarriers::inval(const void* barrier, const RawPlace& place) {
  Barrier& b = use(barrier, place, "invalidates");
  if (b.arrived != 0 || b.expected != b.copied) {
    refuse(ErrorKind::BadArgument, place,
           "invalidates " + shared_.name(b.offset) + ", at whose running phase " + missing_of(b));
  }
  b.valid = false;
  shared_.unmake_barrier(order_.now(), b.offset);
}

void Mbarriers::discard(const void* barrier) {
  if (Barrier* const b = find(barrier)) {
    b->valid = false;
    shared_.unmake_barrier(order_.now(), b->offset);
  }
}

uint64_t Mbarriers::arrive(const void* barrier, const RawPlace& place, uint32_t count,
                           uint32_t bytes, bool relaxed, bool drops) {
  Barrier& b = use(barrier, place, "arrives at");
  const uint32_t self = order_.actor().party;
  const bool again = b.last[self] == b.phase + 1 && b.count <= worker_.thread_count();
  if ((again && count == 1 && b.expected == 0) || b.arrived + count > b.count || count == 0) {
    refuse(ErrorKind::BadArgument, place,
           (again        ? "arrives a second time"
            : count == 1 ? "arrives"
                         : "arrives " + std::to_string(count) + " times") +
               (" at the running phase of " + name(b)) +
               (again ? ", which it has not waited for: " : ": ") + missing_of(b));
  }
  uint64_t number = 1;
  for (auto o = barriers_.begin(); &*o != &b; ++o) {
    ++number;
  }
  const uint64_t token = uint64_t(b.phase) << 32 | number;
  if (bytes != 0) {
    expect(barrier, bytes, place);
  }
  if (b.arrived == 0) {
    b.epoch = order_.next_epoch();
  }
  HappensBefore& order = HappensBefore::running();
  relaxed ? order.release_over(b.running)
          : order.release(&order == &order_ ? b.epoch : 0, b.running);
  b.last[self] = b.phase + 1;
  tell("arrive", b, b.phase, place, bytes);
  b.arrived += count;
  b.dropped += drops ? count : 0;
  settle(b);
  arrivals_ += count;
  worker_.cluster().progress();
  return token;
}

void Mbarriers::expect(const void* barrier, uint32_t bytes, const RawPlace& place) {
  Barrier& b = use(barrier, place, "tells of bytes to");
  b.expected += bytes;
  b.expects = place;
  if (b.expected - b.copied > kMostBytes) {
    refuse(ErrorKind::BadArgument, place,
           "lets the running phase of " + name(b) + " wait for " +
               std::to_string(b.expected - b.copied) + " bytes; there may be " +
               std::to_string(kMostBytes));
  }
}

void Mbarriers::complete(const void* barrier, uint32_t bytes, const RawPlace& place) {
  Barrier& b = use(barrier, place, "completes bytes of");
  b.copied += bytes;
  settle(b);
  worker_.cluster().progress();
}

// Completes the running phase if all arrivals and bytes have come.
void Mbarriers::settle(Barrier& b) {
  if (b.arrived != b.count || b.expected != b.copied) {
    return;
  }
  ++b.use->phases;
  b.use->arrivals += b.arrived;
  b.use->bytes += uint64_t(b.copied);
  b.complete.swap(b.running);
  b.running.assign(order_.space().total, 0);
  b.arrived = 0;
  b.count -= b.dropped;
  b.dropped = 0;
  b.expected = b.copied = 0;
  ++b.phase;
}

Mbarriers::Barrier& Mbarriers::for_copy(const void* barrier, const RawPlace& place, bool fenced) {
  Barrier& b = use(barrier, place, "copies with");
  // (For a thread of another block, only the maker's fence counts.)
  if (fenced && order_.fenced(b.maker) <= b.made &&
      order_.fenced(order_.actor().thread) <= b.made) {
    findings_.report_pair(
        ErrorKind::MissingFence, place,
        "lets TMA use " + name(b) + ", with no fence.proxy.async since it was initialised", b.place,
        b.maker, "initialised it");
  }
  return with_channel(b);
}

Mbarriers::Barrier& Mbarriers::for_own_copies(const void* barrier, const RawPlace& place) {
  return with_channel(use(barrier, place, "arrives with its copies at"));
}

Mbarriers::Barrier& Mbarriers::with_channel(Barrier& b) {
  if (b.channel == 0) {
    b.channel = std::min(order_.space().threads + channels_++ % Space::kChannels, kThreadBits);
  }
  return b;
}

void Mbarriers::hand_on(Barrier& b, uint32_t epoch) {
  uint32_t& known = b.running[order_.space().base + b.channel];
  known = std::max(known, epoch + 1);
}

void Mbarriers::complete(Barrier& b, size_t bytes, uint32_t epoch) {
  b.copied += int64_t(bytes);
  hand_on(b, epoch);
  settle(b);
  worker_.cluster().progress();
}

// Marks the 8 bytes of shared memory that an mbarrier occupies.
void SharedShadow::make_barrier(const ThreadView& now, size_t offset, uint32_t site) {
  for (ShadowCell* cell = cells_.at(offset); cell != cells_.at(offset + 8); ++cell) {
    check_write(now, *cell, offset, site, false);
    cell->written = ShadowCell::kBarrier;
    set_writer(*cell, now.thread, kSlow);
    cell->write_site = uint16_t(site);
  }
}

void SharedShadow::unmake_barrier(const ThreadView& now, size_t offset) {
  for (ShadowCell* cell = cells_.at(offset); cell != cells_.at(offset + 8); ++cell) {
    cell->written = now.clock.epoch;
    set_writer(*cell, now.thread);
  }
}

void SharedShadow::drop_barrier(size_t offset, uint32_t block_begin) {
  for (ShadowCell* cell = cells_.at(offset); cell != cells_.at(offset + 8); ++cell) {
    *cell = ShadowCell();
    cell->written = block_begin;
  }
}

}  // namespace simt
