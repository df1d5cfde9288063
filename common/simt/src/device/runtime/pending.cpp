// Work that the host has not waited for: launches that wrote managed memory, copies to pinned memory. Here it has
// finished, but on a GPU the host might access the memory too early.
#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "device/device.h"
#include "host/host.h"
#include "memory/memory.h"
#include "races/races.h"

namespace simt {
namespace {

constexpr uint32_t kTags = 256;  // owner tags hold a launch's serial number modulo kTags

struct PendingLaunch {
  uint32_t serial;
  const void* stream;
  uint64_t number;  // of the operation
  StreamOrder::Clock until;  // what is over when the launch is
};
struct PendingCopy {
  uintptr_t begin;
  size_t bytes;
  bool reads;  // it is the copy's source
  const void* stream;
  uint64_t number;  // of the operation
};
std::deque<PendingLaunch> pending_launches;  // the last kTags at most
std::vector<PendingCopy> pending_copies;

// True if a launch that the host has not waited for wrote the word at `address`.
bool is_written(uintptr_t address) {
  const uint64_t tag = Arena::get().owner(address)->load();
  if (tag == 0 || pending_launches.empty()) return false;
  // Tags of launches before this number have been cleared.
  const uint32_t first = pending_launches.back().serial / kTags * kTags;
  return std::any_of(
      pending_launches.begin(), pending_launches.end(),
      [&](const PendingLaunch& each) { return each.serial == first + OwnerTag::launch(tag); });
}

std::string check_touch(uintptr_t touched, bool stores) {
  const uintptr_t address = in_device_memory(touched);
  for (const PendingCopy& each : pending_copies) {
    if (address - each.begin < each.bytes && each.reads && stores) {
      return "host code writes to pinned memory before it has waited for the cudaMemcpyAsync() "
             "that reads it: cudaStreamSynchronize() is missing; on a GPU the copy may send the "
             "new value";
    }
    if (address - each.begin < each.bytes && !each.reads) {
      return "host code uses pinned memory before it has waited for the cudaMemcpyAsync() that "
             "writes it: cudaStreamSynchronize() is missing; here the copy has completed, on a GPU "
             "it may not have";
    }
  }
  if (!is_written(address)) return "";
  return "host code uses " + Names::get().of(address, 0) +
         " before it has waited for the kernel that writes it: cudaDeviceSynchronize() is "
         "missing; here the kernel has finished, on a GPU it may not have";
}

// Closes what pending work may have written, and before that what it reads.
void close_pending() {
  for (const PendingCopy& each : pending_copies) {
    if (each.reads) close_shared(each.begin, each.bytes, true);
  }
  constexpr size_t kMostClosed = 1000;  // allocations; each costs a system call
  const std::vector<Allocation> all = Arena::get().shared();
  if (!pending_launches.empty() && all.size() <= kMostClosed) {
    for (const Allocation& each : all) close_shared(each.begin, each.bytes);
    if (const VariableSection* const section = variable_section_of(VariableSpace::kManaged)) {
      close_shared(section->begin, section->size);
    }
  }
  for (const PendingCopy& each : pending_copies) {
    if (!each.reads) close_shared(each.begin, each.bytes);
  }
}

// The host has acquired what a launch has published.
void acquire(uint64_t launch) {
  const Turn turn;
  for (const PendingLaunch& each : pending_launches) {
    if (each.number != launch) continue;
    StreamOrder::get().host_waits_until(each.until);
    return end_pending_in_order();
  }
}

}  // namespace

void begin_pending_launch(uint32_t serial) {
  if (Arena::get().shared().empty() && variable_section_of(VariableSpace::kManaged) == nullptr) {
    return;
  }
  close_memory();  // also installs the fault handler
  set_touch_check(check_touch);
  const StreamOrder& order = StreamOrder::get();
  if (pending_launches.size() == kTags) pending_launches.pop_front();
  pending_launches.push_back(
      {serial, order.last().stream, order.last().number, order.until_last()});
  Publications::when_host_acquires(acquire);
  open_shared();
  close_pending();
}

void begin_pending_copy(const void* pinned, size_t bytes, bool reads) {
  close_memory();
  const Turn turn;
  set_touch_check(check_touch);
  const StreamOperation& copy = StreamOrder::get().last();
  pending_copies.push_back(
      {reinterpret_cast<uintptr_t>(pinned), bytes, reads, copy.stream, copy.number});
  close_shared(pending_copies.back().begin, bytes, reads);
}

void end_pending() {
  const Turn turn;
  if (pending_launches.empty() && pending_copies.empty()) return;
  open_shared();
  pending_launches.clear();
  pending_copies.clear();
  Publications::when_host_acquires(nullptr);
}

void end_pending_in_order() {
  const auto drop = [](auto& pending) {
    const size_t before = pending.size();
    pending.erase(std::remove_if(pending.begin(), pending.end(),
                                 [](const auto& each) {
                                   return StreamOrder::get().is_over(each.stream, each.number);
                                 }),
                  pending.end());
    return pending.size() != before;
  };
  const bool launches = drop(pending_launches), copies = drop(pending_copies);
  if (!launches && !copies) return;
  open_shared();
  close_pending();
}

}  // namespace simt
