#include "matrices/registers.h"

#include <algorithm>
#include <cstring>

#include "simt/api/half.h"

namespace simt {
namespace {

constexpr uint32_t kInFlight = 0x7fa1d05e;  // a signalling NaN as a float

bool are_neighbours(void* const* each, unsigned count) {
  bool result = true;
  for (unsigned i = 1; i < count; ++i) {
    result = result && static_cast<char*>(each[i]) == static_cast<char*>(each[0]) + size_t(i) * 4;
  }
  return result;
}

}  // namespace

Registers::Registers(void* const* each, unsigned count)
    : count_(count), first_(static_cast<uint32_t*>(each[0])) {
  if (!are_neighbours(each, count)) {
    each_.assign(each, each + count);
  }
  const auto [low, high] = std::minmax_element(each, each + count);
  begin_ = reinterpret_cast<uintptr_t>(*low);
  end_ = reinterpret_cast<uintptr_t>(*high) + 4;
}

bool Registers::is(void* const* each, unsigned count) const {
  return count == count_ && each[0] == at(0) &&
         (each_.empty() ? are_neighbours(each, count)
                        : std::equal(each_.begin(), each_.end(), each));
}

bool Registers::contains(uintptr_t address) const {
  return address - begin_ < end_ - begin_ &&
         (each_.empty() || std::any_of(each_.begin(), each_.end(), [=](const void* each) {
            return address - reinterpret_cast<uintptr_t>(each) < 4;
          }));
}

// As in the PTX manual ("Register Fragments" of wgmma): two neighbours of a row, two of the row 8 below, then the same
// 8 columns to the right.
float& Sums::element(unsigned lane, unsigned reg, unsigned i) {
  const unsigned number = halves_ ? reg * 2 + i : reg;
  const unsigned row = lane / 4 + number / 2 % 2 * 8;
  return d[row * kMostCols + number / 4 * 8 + lane % 4 * 2 + number % 2];
}

void Sums::take(unsigned lane) {
  const Registers& registers = lanes[lane].registers;
  for (unsigned i = 0; i < registers.count(); ++i) {
    uint32_t* const at = registers.at(i);
    if (halves_) {
      element(lane, i, 0) = half_value(uint16_t(*at));
      element(lane, i, 1) = half_value(uint16_t(*at >> 16));
    } else {
      std::memcpy(&element(lane, i, 0), at, 4);
    }
    *at = kInFlight;
  }
  lanes[lane].in_flight = true;
}

bool Sums::is_untouched(unsigned lane) const {
  const Registers& registers = lanes[lane].registers;
  bool result = true;
  for (unsigned i = 0; i < registers.count(); ++i) {
    result = result && *registers.at(i) == kInFlight;
  }
  return result;
}

void Sums::give_back(unsigned lane) {
  const Registers& registers = lanes[lane].registers;
  for (unsigned i = 0; i < registers.count(); ++i) {
    if (halves_) {
      *registers.at(i) = half_bits(element(lane, i, 0)) | half_bits(element(lane, i, 1)) << 16;
    } else {
      std::memcpy(registers.at(i), &element(lane, i, 0), 4);
    }
  }
  lanes[lane].in_flight = false;
}

void Sums::round_to_halves() {
  for (float& value : d) {
    value = half_value(half_bits(value));
  }
}

}  // namespace simt
