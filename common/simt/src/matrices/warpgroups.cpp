#include "matrices/warpgroups.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "matrices/descriptors.h"

namespace simt {
namespace {

constexpr unsigned kGroupThreads = 128;

bool same_place(const RawPlace& a, const RawPlace& b) {
  return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

bool same_form(const ProductForm& a, const ProductForm& b) {
  return a.cols == b.cols && a.a == b.a && a.b == b.b && a.half_sums == b.half_sums &&
         a.a_in_registers == b.a_in_registers && a.transposed_a == b.transposed_a &&
         a.transposed_b == b.transposed_b && a.sign_a == b.sign_a && a.sign_b == b.sign_b;
}

}  // namespace

Warpgroups& Warpgroups::get() {
  Recorder& recorder = *Recorder::running;
  if (recorder.companion() == nullptr) {
    recorder.adopt(std::make_unique<Warpgroups>(*Worker::current(), recorder));
  }
  return static_cast<Warpgroups&>(*recorder.companion());
}

Warpgroups::Warpgroups(Worker& worker, Recorder& recorder) : worker_(worker), recorder_(recorder) {}

void Warpgroups::begin_block() {
  const unsigned threads = worker_.thread_count();
  threads_.assign(threads, OfThread());
  warps_ = std::vector<OfWarp>((threads + 31) / 32);
  groups_.assign((threads + kGroupThreads - 1) / kGroupThreads, OfGroup());
}

void Warpgroups::refuse(ErrorKind kind, const RawPlace& place, const std::string& what,
                        const RawPlace& other, unsigned other_thread,
                        const std::string& other_what) {
  recorder_.findings().report_pair(kind, place, what, other, other_thread, other_what);
  worker_.abandon();
}

void Warpgroups::need_group(const RawPlace& place, WarpOp op) {
  const unsigned first = worker_.running().id / kGroupThreads * kGroupThreads;
  const unsigned threads = std::min(kGroupThreads, worker_.thread_count() - first);
  if (threads < kGroupThreads) {
    refuse(ErrorKind::BadArgument, place,
           std::string("executes ") + name_of(op) + " in a warpgroup of " +
               std::to_string(threads) + " threads, which needs 128");
  }
}

// The next call of the running thread's warp. The other warps of its warpgroup must make the same call.
void Warpgroups::call(const Call& call) {
  const unsigned number = worker_.running().id / kGroupThreads;
  OfGroup& group = groups_[number];
  const size_t index = size_t(warp().calls++ - group.first);
  if (index == group.calls.size()) {
    group.calls.push_back(call);
  }
  const Call& other = group.calls[index];
  const unsigned other_thread = other.thread;
  if (other.op != call.op || !same_place(other.place, call.place)) {
    refuse(ErrorKind::WarpDivergence, call.place,
           std::string("executes ") + name_of(call.op) +
               " where another warp of its warpgroup executes another instruction",
           other.place, other_thread, std::string("executes ") + name_of(other.op));
  }
  if (other.a != call.a || other.b != call.b || other.add != call.add) {
    const char* const what = other.a != call.a   ? "descriptor of A"
                             : other.b != call.b ? "descriptor of B"
                                                 : "scale-d";
    refuse(ErrorKind::BadArgument, call.place,
           std::string("passes another ") + what + " to " + name_of(call.op) +
               " than another warp of its warpgroup",
           other.place, other_thread, "passes its own");
  }
  uint64_t least = warp().calls;
  for (unsigned i = 0; i < 4; ++i) {
    least = std::min(least, warps_[number * 4 + i].calls);
  }
  for (; group.first < least; ++group.first) {
    group.calls.pop_front();
  }
}

// The running thread's next product, which must be the one that earlier lanes have started.
StartedProduct& Warpgroups::next_product(const Product& product, const RawPlace& place) {
  OfWarp& warp = this->warp();
  const OfThread& me = self();
  const size_t index = size_t(me.started - warp.first);
  if (index == warp.products.size()) {
    call({WarpOp::Wgmma, place, worker_.running().id, product.form.a_in_registers ? 0 : product.a,
          product.b, product.add});
    StartedProduct started;
    started.product = product;
    started.place = place;
    started.group = me.groups;
    started.thread = worker_.running().id;
    check_operands(started);
    warp.products.push_back(started);
  }
  StartedProduct& started = warp.products[index];
  const Product& first = started.product;
  const bool same_a = product.form.a_in_registers || first.a == product.a;
  if (!same_place(started.place, place) || !same_form(first.form, product.form) ||
      started.group != me.groups) {
    refuse(ErrorKind::WarpDivergence, place,
           "starts another wgmma.mma_async than another lane of its warp", started.place,
           started.thread, "starts one");
  }
  if (!same_a || first.b != product.b || first.add != product.add) {
    refuse(ErrorKind::BadArgument, place,
           std::string("passes another ") +
               (!same_a                ? "descriptor of A"
                : first.b != product.b ? "descriptor of B"
                                       : "scale-d") +
               " to wgmma.mma_async than another lane of its warp",
           started.place, started.thread, "passes its own");
  }
  return started;
}

// Checks that TMA or threads have written the operands of the running thread's warp.
void Warpgroups::check_operands(const StartedProduct& started) {
  const Product& product = started.product;
  const auto swizzle_of = [](uint64_t descriptor) {
    const unsigned span = Descriptor(descriptor).span;
    return span == 16 ? 0 : span;
  };
  const uint32_t site =
      Sites::get().number(static_cast<const char*>(product.pc), 1, Access::MatrixLoad, 16);
  if (Watch* const watch = Watch::of(worker_.block())) {
    watch->step({"product", started.thread / 32, started.place.line, started.place.call,
                 product_numbers(product)});
  }
  ProductReads& reads = recorder_.products();
  reads.start(site, swizzle_of(product.a), swizzle_of(product.b));
  bool right = true;
  for_each_unit(product, started.thread / 32 % 4,
                [&](uint32_t address, char operand, unsigned row, unsigned col) {
                  const SharedShadow& shared = recorder_.shared();
                  if (shared.pointer(address) == nullptr || !shared.is_array(address)) {
                    refuse(ErrorKind::SharedOutOfBounds, started.place,
                           std::string("starts a wgmma.mma_async whose descriptor of ") + operand +
                               " leads outside of all shared arrays");
                  }
                  right = right && reads.read({address, operand, row, col});
                });
}

namespace {

RawPlace place_of(const Product& product) {
  RawPlace place(product.file, product.line);
  place.call = product.pc;
  return place;
}

}  // namespace

void Warpgroups::start(const Product& product, void* const* registers) {
  const RawPlace place = place_of(product);
  need_group(place, WarpOp::Wgmma);
  const unsigned lane = worker_.lane();
  StartedProduct& started = next_product(product, place);
  std::copy(product.a_registers, product.a_registers + 4, started.a[lane]);
  if (started.sums == nullptr) {
    started.sums = &sums_of(product, registers);
    ++started.sums->products;
  }
  recorder_.log().multiplied_by_group(product.pc, product.form.cols, product.form.depth());
  take(*started.sums, product, registers);
  ++self().started;
  watch_sums();
}

// The sums of the warp's first lane: known ones, or new ones that replace old ones with the same variables.
Sums& Warpgroups::sums_of(const Product& product, void* const* registers) {
  auto& all = warp().sums;
  const unsigned lane = worker_.lane(), count = product.form.registers();
  for (const auto& sums : all) {
    if (sums->has_form(product.form) && sums->lanes[lane].registers.is(registers, count)) {
      return *sums;
    }
  }
  const Registers now(registers, count);
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const std::unique_ptr<Sums>& sums) {
                             return sums->products == 0 && sums->lanes[lane].registers.overlap(now);
                           }),
            all.end());
  all.push_back(std::make_unique<Sums>(product.form.cols, product.form.half_sums));
  return *all.back();
}

// From now on the running thread's part of the sums is in flight.
void Warpgroups::take(Sums& sums, const Product& product, void* const* registers) {
  const RawPlace place = place_of(product);
  const unsigned lane_number = worker_.lane(), count = product.form.registers();
  Sums::Lane& lane = sums.lanes[lane_number];
  const bool known = lane.registers.is(registers, count);
  if (lane.in_flight && known) {
    return;
  }
  const Registers now(registers, count);
  if (!recorder_.is_own(now.begin()) || !recorder_.is_own(now.end() - 1)) {
    refuse(ErrorKind::BadArgument, place,
           "passes registers to wgmma.mma_async that are not local variables");
  }
  for (const auto& other : warp().sums) {
    const Sums::Lane& theirs = other->lanes[lane_number];
    if (theirs.in_flight && theirs.registers.overlap(now)) {
      refuse(ErrorKind::AsyncNotWaited, place,
             "starts a wgmma.mma_async on registers of another one that has not been waited for, "
             "of another shape or in another order");
    }
  }
  if (!known) {
    lane.registers = now;
    lane.touched = RawPlace();
    for (const Touch& touch : self().touches) {
      if (now.contains(touch.address)) {
        lane.touched = RawPlace(touch.pc);
      }
    }
  }
  check_fence(lane, place);
  sums.take(lane_number);
}

void Warpgroups::check_fence(const Sums::Lane& lane, const RawPlace& place) {
  if (!self().fenced) {
    refuse(ErrorKind::AsyncNotWaited, place,
           "starts a wgmma.mma_async with no wgmma.fence before it: what was written to its "
           "registers need not be there");
  }
  if (lane.touched.pc != nullptr) {
    refuse(ErrorKind::AsyncNotWaited, place,
           "starts a wgmma.mma_async with no wgmma.fence since its registers have been used",
           lane.touched, worker_.running().id, "used one");
  }
}

void Warpgroups::fence(const RawPlace& place) {
  need_group(place, WarpOp::WgmmaFence);
  OfThread& me = self();
  me.fenced = true;
  me.touches.clear();
  for (const auto& sums : warp().sums) {
    sums->lanes[worker_.lane()].touched = RawPlace();
  }
  const uintptr_t top = reinterpret_cast<uintptr_t>(worker_.stacks().top(worker_.running().id));
  me.watched = {top - kStackBytes, kStackBytes};
  recorder_.watch(me.watched);
}

// Watches the range from the running thread's lowest accumulator to its highest.
void Warpgroups::watch_sums() {
  uintptr_t begin = ~uintptr_t(0), end = 0;
  for (const auto& sums : warp().sums) {
    const Registers& registers = sums->lanes[worker_.lane()].registers;
    if (registers.count() != 0) {
      begin = std::min(begin, registers.begin());
      end = std::max(end, registers.end());
    }
  }
  self().watched = {begin, end - begin};
  recorder_.watch(self().watched);
}

void Warpgroups::touch(uintptr_t address, Access access, const void* pc) {
  constexpr size_t kMostTouches = 1024;
  bool known = false;
  for (const auto& sums : warp().sums) {
    Sums::Lane& lane = sums->lanes[worker_.lane()];
    if (!lane.registers.contains(address)) {
      continue;
    }
    known = true;
    if (lane.in_flight) {
      const auto& products = warp().products;
      const auto product =
          std::find_if(products.begin(), products.end(),
                       [&](const StartedProduct& p) { return p.sums == sums.get(); });
      refuse(ErrorKind::AsyncNotWaited, RawPlace(pc),
             std::string(verb_of(access)) +
                 " a register of a wgmma.mma_async before wgmma.wait_group has waited for it",
             product->place, worker_.running().id, "started it");
    }
    lane.touched = RawPlace(pc);
  }
  if (!known && self().fenced && self().touches.size() < kMostTouches) {
    self().touches.push_back({address, pc});
  }
}

}  // namespace simt
