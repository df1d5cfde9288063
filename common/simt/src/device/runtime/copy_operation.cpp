#include "device/runtime/copy_operation.h"

#include <atomic>
#include <string>
#include <utility>

#include "device/device.h"
#include "host/host.h"
#include "memory/memory.h"
#include "program/program.h"
#include "races/races.h"
#include "reports/reports.h"

namespace simt {
namespace {

using Cell = std::atomic<uint64_t>;

// Visits the whole words.
template <typename Visit>
void for_each_word(const void* begin, size_t bytes, Visit visit) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(begin);
  if (!Arena::get().contains(address)) return;
  for (uintptr_t at = (address + 3) & ~uintptr_t(3); at + 4 <= address + bytes; at += 4) {
    visit(*Arena::get().writer(at), *Arena::get().reader(at), at);
  }
}

bool overlaps(uint64_t cell) {
  return (StreamOrder::get().overlapping() >> launch_of(cell) & 1) != 0;
}

}  // namespace

CopyOperation::CopyOperation(const char* function, const void* stream) {
  StreamOrder& order = StreamOrder::get();
  const bool recorded = order.has_streams();
  order.begin({stream, 0, nullptr, std::string(function) + "()",
               recorded ? line_of(host_frames()) : Place()});
  if (!recorded) return;
  const uint32_t serial = next_serial();
  order.set_serial(serial);
  cell_ = uint64_t(launch_number(serial)) << kCellLaunch | uint64_t(15) << kCellBytes;
}

void CopyOperation::report(uintptr_t address, const char* does, uint64_t cell,
                           const char* other_does) {
  if (std::exchange(reported_, true)) return;
  const StreamOrder& order = StreamOrder::get();
  count_error();
  const Place place = site_of(cell) == 0 ? order.place_of(launch_of(cell))
                                         : lines_of({place_of(site_of(cell)).pc}).front();
  tell_host_error(order.last().name + " " + does + " " + Names::get().of(address, 4) + "; " +
                  order.name_of(launch_of(cell)) + " " + other_does + " it at " +
                  place_text(place) + kNothingOrders);
}

void CopyOperation::read(const void* begin, size_t bytes) {
  if (cell_ == 0) return;
  for_each_word(begin, bytes, [&](Cell& writer, Cell& reader, uintptr_t at) {
    const uint64_t written = writer.load(std::memory_order_relaxed);
    if (overlaps(written)) report(at, "reads", written, "writes");
    reader.store(cell_, std::memory_order_relaxed);
  });
}

void CopyOperation::write(const void* begin, size_t bytes) {
  if (cell_ == 0) return;
  for_each_word(begin, bytes, [&](Cell& writer, Cell& reader, uintptr_t at) {
    const uint64_t written = writer.load(std::memory_order_relaxed);
    const uint64_t read = reader.load(std::memory_order_relaxed);
    if (overlaps(written)) report(at, "writes", written, "writes");
    if (overlaps(read)) report(at, "writes", read, "reads");
    writer.store(cell_, std::memory_order_relaxed);
  });
}

void forget_uses(const void* begin, size_t bytes) {
  for_each_word(begin, bytes, [](Cell& writer, Cell& reader, uintptr_t) {
    for (Cell* cell : {&writer, &reader}) {  // writing zeros would take memory
      if (cell->load(std::memory_order_relaxed) != 0) cell->store(0, std::memory_order_relaxed);
    }
  });
}

}  // namespace simt
