// Waits for a warp's products, which do the multiplication; and the checks at the end of a block.
#include <algorithm>
#include <string>
#include <utility>

#include "matrices/descriptors.h"
#include "matrices/warpgroups.h"

namespace simt {
namespace {

struct Wait {
  unsigned latest;
  uint64_t started;
  uint32_t groups;
  RawPlace place;
  unsigned other;  // a lane with another instruction; 32 if there is none
  uint64_t other_started;
  uint32_t other_groups;
  bool overwritten;  // the lane has written to registers in flight
};

// d += a * b, or d = a * b, for the rows of warp `warp` of the four.
void multiply(const StartedProduct& started, unsigned warp, const SharedShadow& shared) {
  const Product& product = started.product;
  const ProductForm& form = product.form;
  const unsigned depth = form.depth(), per_unit = depth / 2;
  const Descriptor a(product.a), b(product.b);
  Operands operands;
  float unit[16];
  for (unsigned i = 0; i < 32 && !form.a_in_registers; ++i) {
    if (form.transposed_a) {
      const unsigned k = i / 2, row = i % 2 * 8;
      widen(form.a, shared.pointer(a.across(k, warp * 2 + i % 2)), unit);
      for (unsigned j = 0; j < 8; ++j) operands.a[row + j][k] = unit[j];
    } else {
      const unsigned row = i / 2, k = i % 2 * per_unit;
      widen(form.a, shared.pointer(a.along(warp * 16 + row, i % 2)), &operands.a[row][k]);
    }
  }
  if (form.a_in_registers) {
    widen_registers(form.a, started.a, operands);
  }
  for (unsigned i = 0; i < form.cols * 2u; ++i) {
    if (form.transposed_b) {
      const unsigned k = i % depth, col = i / depth;
      widen(form.b, shared.pointer(b.across(k, col)), &operands.b[k][size_t(col) * 8]);
    } else {
      const unsigned col = i / 2, k = i % 2 * per_unit;
      widen(form.b, shared.pointer(b.along(col, i % 2)), unit);
      for (unsigned j = 0; j < per_unit; ++j) operands.b[k + j][col] = unit[j];
    }
  }
  const float sign = float(form.sign_a * form.sign_b);
  for (unsigned i = 0; i < 16 * kMostDepth && sign < 0; ++i) {
    operands.a[i / kMostDepth][i % kMostDepth] *= sign;
  }
  Sums& sums = *started.sums;
  if (!product.add) {
    std::fill(std::begin(sums.d), std::end(sums.d), 0.0f);
  }
  if (form.integers()) {
    multiply_add_integers(sums.d, operands, form.cols, depth);
  } else if (!sums_are_cut()) {
    multiply_add(sums.d, operands, form.cols, depth);
  } else {
    Cut cut{form.a, form.b};
    if (bytes_of(form.a) == 1) cut.kept = 13;
    if (bytes_of(form.a) == 1 && !form.half_sums) cut.result = 13;
    multiply_add_cut(sums.d, operands, form.cols, depth, cut);
  }
  if (form.half_sums) {
    sums.round_to_halves();
  }
}

}  // namespace

// All lanes of the warp must come here.
void Warpgroups::wait(unsigned latest, const RawPlace& place) {
  need_group(place, WarpOp::WgmmaWait);
  Wait argument{latest, self().started, self().groups, place, 32, 0, 0, false};
  worker_.warp_op(WarpOp::WgmmaWait, ~0u, place, &argument, [](void* const arguments[32]) {
    const auto of = [&](unsigned lane) -> Wait& { return *static_cast<Wait*>(arguments[lane]); };
    Wait& self = of(Worker::current()->lane());
    for (unsigned lane = 0; lane < 32; ++lane) {
      const Wait& other = of(lane);
      if (other.latest != self.latest || other.started != self.started ||
          other.groups != self.groups) {
        self.other = lane;  // this lane continues first, and ends the block
        self.other_started = other.started;
        self.other_groups = other.groups;
        return;
      }
    }
    const uint32_t written = get().complete(self.latest, self.place);
    for (unsigned lane = 0; lane < 32; ++lane) {
      of(lane).overwritten = (written >> lane & 1) != 0;
    }
  });
  if (argument.other != 32) {
    refuse(ErrorKind::WarpDivergence, place,
           "waits for wgmma.mma_async after " + std::to_string(argument.started) + " of them in " +
               std::to_string(argument.groups) + " groups, where lane " +
               std::to_string(argument.other) + " of its warp has started " +
               std::to_string(argument.other_started) + " in " +
               std::to_string(argument.other_groups) + " groups, or waits for others");
  }
  if (argument.overwritten) {
    refuse(ErrorKind::AsyncNotWaited, place,
           "waits for a wgmma.mma_async, but has written to one of its registers meanwhile");
  }
}

// Multiplies the products that the running thread's warp waits for. Returns the lanes that have written to registers in
// flight.
uint32_t Warpgroups::complete(unsigned latest, const RawPlace& place) {
  OfWarp& warp = this->warp();
  const unsigned number = worker_.running().id / 32;
  call({WarpOp::WgmmaWait, place, worker_.running().id, latest, 0, false});
  const uint32_t groups = self().groups;
  const uint64_t before = warp.first;
  while (!warp.products.empty() && uint64_t(warp.products.front().group) + latest < groups) {
    multiply(warp.products.front(), number % 4, recorder_.shared());
    --warp.products.front().sums->products;
    warp.products.pop_front();
    ++warp.first;
  }
  if (warp.first + warp.products.size() != 0) {
    recorder_.products().complete(unsigned(warp.products.size()));
  }
  if (Watch* const watch = Watch::of(worker_.block())) {
    watch->step(
        {"products", number, place.line, place.call, {{"left", latest}, {"done", warp.first}}});
  }
  if (recorder_.log().uses() != nullptr) {
    recorder_.log().uses()->end_products(warp.first - before);
  }
  uint32_t written = 0;
  for (const auto& sums : warp.sums) {
    for (unsigned lane = 0; lane < 32 && sums->products == 0; ++lane) {
      if (!sums->lanes[lane].in_flight) {
        continue;
      }
      if (!sums->is_untouched(lane)) {
        written |= 1u << lane;
        sums->lanes[lane].in_flight = false;
      } else {
        sums->give_back(lane);
      }
    }
  }
  return written;
}

void Warpgroups::set_registers(bool more, unsigned count, const RawPlace& place) {
  need_group(place, WarpOp::SetRegisters);
  if (count < 24 || count > 256 || count % 8 != 0) {
    refuse(ErrorKind::BadArgument, place,
           "passes " + std::to_string(count) +
               " to setmaxnreg, which takes multiples of 8 from 24 to 256");
  }
  struct Change {
    unsigned count;
    bool more;
    RawPlace place;
  } argument{count, more, place};
  worker_.warp_op(WarpOp::SetRegisters, ~0u, place, &argument, [](void* const arguments[32]) {
    const Change& change = *static_cast<Change*>(arguments[Worker::current()->lane()]);
    get().change_registers(change.more, change.count, change.place);
  });
}

void Warpgroups::change_registers(bool more, unsigned count, const RawPlace& place) {
  OfWarp& warp = this->warp();
  call({WarpOp::SetRegisters, place, worker_.running().id, count, more, false});
  if (warp.registers != 0 && more != (count > warp.registers) && count != warp.registers) {
    refuse(ErrorKind::BadArgument, place,
           std::string("executes setmaxnreg.") + (more ? "inc to " : "dec to ") +
               std::to_string(count) + " registers, of which its warp has " +
               std::to_string(warp.registers));
  }
  warp.registers = count;
  warp.registers_place = place;
}

void Warpgroups::report(ErrorKind kind, unsigned thread, const RawPlace& place,
                        const std::string& what) {
  ErrorList& errors = recorder_.findings().list();
  if (errors.is_new(kind, place, RawPlace())) {
    RawError error;
    error.kind = kind;
    error.what = what;
    error.here = {place, thread, worker_.block()};
    errors.add(std::move(error));
  }
}

void Warpgroups::end_block(bool finished) {
  if (!finished) {
    return;  // a stopped thread may have left its part undone
  }
  for (unsigned warp = 0; warp < warps_.size(); ++warp) {
    const OfGroup& group = groups_[warp / 4];
    const uint64_t missing = warps_[warp].calls - group.first;
    if (missing < group.calls.size()) {
      const Call& call = group.calls[missing];
      report(ErrorKind::WarpDivergence, call.thread, call.place,
             std::string("executes ") + name_of(call.op) + ", but threads " +
                 std::to_string(warp * 32) + " to " + std::to_string(warp * 32 + 31) +
                 " of its warpgroup never do");
      return;
    }
    if (!warps_[warp].products.empty()) {
      const StartedProduct& product = warps_[warp].products.front();
      report(ErrorKind::AsyncNotWaited, product.thread, product.place,
             "starts a wgmma.mma_async and exits without a wgmma.wait_group that waits for it");
      return;
    }
  }
  check_registers();
}

// A block's registers are divided among its threads when it starts. From then on, a warp can only get registers that
// others have released, and setmaxnreg.inc waits for that.
void Warpgroups::check_registers() {
  constexpr unsigned kFile = 65536;
  const unsigned threads = worker_.thread_count(), at_first = kFile / threads / 8 * 8;
  unsigned wanted = 0;
  const OfWarp* most = nullptr;
  for (const OfWarp& warp : warps_) {
    wanted += 32 * (warp.registers != 0 ? warp.registers : std::min(at_first, 255u));
    if (warp.registers != 0 && (most == nullptr || warp.registers > most->registers)) {
      most = &warp;
    }
  }
  const unsigned all = at_first * threads;
  if (most != nullptr && most->registers > at_first && wanted > all) {
    report(ErrorKind::BadArgument, unsigned(most - warps_.data()) * 32, most->registers_place,
           "waits for " + std::to_string(most->registers) +
               " registers for ever: the block has at most " + std::to_string(all) +
               ", and its warps would need " + std::to_string(wanted) + " together");
  }
}

}  // namespace simt
