#include "races/bulk/product_reads.h"

#include <algorithm>
#include <string>

#include "memory/memory.h"

namespace simt {

void ProductReads::end_block() {
  warps_.clear();
  boxes_.clear();
  boxes_of_.clear();
  shared_.set_products(nullptr);
}

// For the block's first product.
void ProductReads::begin() {
  const size_t units = shared_.size() / 16 + 1;
  readers_.assign(units, 0);
  warps_.resize((worker_.thread_count() + 31) / 32);
  shared_.set_products(this);
  if (!order_.has_vector_clocks()) {
    order_.keep_vector_clocks();
    shared_.keep_vector_clocks(order_.now(), worker_.thread_count());
  }
}

void ProductReads::start(uint32_t site, unsigned swizzle_a, unsigned swizzle_b) {
  if (warps_.empty()) {
    begin();
  }
  OfWarp& warp = warps_[order_.now().thread / 32];
  warp.reads.resize(readers_.size());
  ++warp.started;
  site_ = site;
  swizzles_[0] = swizzle_a;
  swizzles_[1] = swizzle_b;
  fits_.clear();
  settled_ = Settled();
}

bool ProductReads::read(const OperandUnit& unit) {
  const unsigned number = order_.now().thread / 32;
  readers_[unit.at / 16] |= 1u << number;
  warps_[number].reads[unit.at / 16] = {warps_[number].started, site_};
  return shared_.check_async(order_, unit.at, 16, site_, "wgmma", settled_) && fits(unit);
}

void ProductReads::complete(unsigned left) {
  OfWarp& warp = warps_[order_.now().thread / 32];
  warp.complete = warp.started - left;
  order_.complete_products(warp.complete + 1);
}

void ProductReads::write(const ThreadView& now, size_t offset, size_t size, uint32_t site) {
  for (size_t unit = offset / 16; unit <= (offset + size - 1) / 16; ++unit) {
    for (uint32_t warps = readers_[unit]; warps != 0; warps &= warps - 1) {
      const unsigned number = unsigned(__builtin_ctz(warps));
      const Read read = warps_[number].reads[unit];
      if (read.number < order_.known_products(now, number)) {
        readers_[unit] &= ~(1u << number);
        continue;
      }
      const bool waited = read.number <= warps_[number].complete;
      findings_.report_pair(
          ErrorKind::SharedRace, place_of(site),
          "writes " + shared_.name(unit * 16) +
              (waited ? ", which a wgmma.mma_async reads, with no __syncthreads() and no wait for "
                        "a phase since its warp waited for the product"
                      : ", which a wgmma.mma_async still reads: its warp has not waited for the "
                        "product"),
          place_of(read.site), number * 32, "started it",
          RawElement::shared(unit * 16, unsigned(size)));
      return;
    }
  }
}

void ProductReads::land(size_t offset, size_t size, size_t pitch, unsigned swizzle, uint32_t site) {
  boxes_of_.resize(shared_.size() / 16 + 1);
  const auto same = std::find_if(boxes_.begin(), boxes_.end(), [&](const Box& box) {
    return box.offset == offset && box.size == size && box.pitch == pitch &&
           box.swizzle == swizzle && box.site == site;
  });
  const auto number = uint16_t(same - boxes_.begin() + 1);
  if (same == boxes_.end()) {
    boxes_.push_back({offset, size, pitch, swizzle, site});
  }
  std::fill_n(boxes_of_.begin() + ptrdiff_t(offset / 16), size / 16, number);
}

// Neighbouring units of an operand must be neighbours in the box that TMA has loaded there.
bool ProductReads::fits(const OperandUnit& unit) {
  const uint16_t number = boxes_of_.empty() ? uint16_t(0) : boxes_of_[unit.at / 16];
  if (number == 0 || !shared_.is_copied(order_, unit.at)) {
    return true;
  }
  const Box& box = boxes_[number - 1u];
  const size_t in_box = swizzled(unit.at, box.swizzle) - box.offset;
  const int row = int(in_box / box.pitch), col = int(in_box % box.pitch / 16);
  const Fit here{number, unit.operand, row - int(unit.row), col - int(unit.col)};
  const auto known = std::find_if(fits_.rbegin(), fits_.rend(), [&](const Fit& fit) {
    return fit.box == number && fit.operand == unit.operand;
  });
  if (known == fits_.rend()) {
    fits_.push_back(here);
    return true;
  }
  if (known->rows == here.rows && known->cols == here.cols) {
    return true;
  }
  const unsigned swizzle = swizzles_[unit.operand - 'A'];
  const std::string operand = std::string("a descriptor of ") + unit.operand;
  const std::string what =
      swizzle != box.swizzle
          ? "passes " + operand + " with a swizzle of " + std::to_string(swizzle) +
                " bytes for a box that was copied with one of " + std::to_string(box.swizzle)
          : "passes " + operand + " that does not fit the box in " + shared_.name(box.offset) +
                ": row " + std::to_string(unit.row) + ", unit " + std::to_string(unit.col) +
                " of the operand is read from row " + std::to_string(row) + ", unit " +
                std::to_string(col) + " of the box, not from row " +
                std::to_string(known->rows + int(unit.row)) + ", unit " +
                std::to_string(known->cols + int(unit.col)) +
                "; start, offsets or base offset are wrong";
  findings_.report_pair(ErrorKind::BadArgument, place_of(site_), what, place_of(box.site), ~0u,
                        "copied the box");
  return false;
}

}  // namespace simt
