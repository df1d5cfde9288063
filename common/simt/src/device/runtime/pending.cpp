// Work that the host has not waited for: launches that wrote managed memory, copies to pinned memory. Here it has
// finished, but on a GPU the host might access the memory too early.
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "device/device.h"
#include "host/host.h"
#include "memory/memory.h"
#include "races/races.h"

namespace simt {
namespace {

struct PendingCopy {
  uintptr_t begin;
  size_t bytes;
  const void* stream;
  uint64_t number;  // of the operation
  bool before_launch = false;  // happens before the last launch
};
std::vector<PendingCopy> pending_copies;
uint32_t first_pending = 0, last_pending = 0;  // serial numbers of launches; 0 for none

// True if a launch that the host has not waited for wrote the word at `address`.
bool is_written(uintptr_t address) {
  if (first_pending == 0) return false;
  const uint64_t tag = Arena::get().owner(address)->load();
  const uint32_t age = (last_pending - OwnerTag::launch(tag)) & 0xff;
  return tag != 0 && age <= last_pending - first_pending;
}

std::string check_touch(uintptr_t touched) {
  const uintptr_t address = in_device_memory(touched);
  for (const PendingCopy& each : pending_copies) {
    if (address - each.begin < each.bytes) {
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

// The launches are over, and so are all copies but these.
void end_pending_but(std::vector<PendingCopy> left) {
  end_pending();
  pending_copies = std::move(left);
  for (const PendingCopy& each : pending_copies) {
    close_shared(each.begin, each.bytes);
  }
}

// The host has acquired what the last launch has published.
void end_pending_launches() {
  const Turn turn;
  std::vector<PendingCopy> left;
  std::copy_if(pending_copies.begin(), pending_copies.end(), std::back_inserter(left),
               [](const PendingCopy& each) { return !each.before_launch; });
  end_pending_but(std::move(left));
}

}  // namespace

void begin_pending_launch(uint32_t serial) {
  constexpr size_t kMostClosed = 1000;  // allocations; each costs a system call
  const std::vector<Allocation> all = Arena::get().shared();
  const bool has_variables = variable_section_of(VariableSpace::kManaged) != nullptr;
  if ((all.empty() && !has_variables) || all.size() > kMostClosed) return;
  close_memory();  // also installs the fault handler
  set_touch_check(check_touch);
  open_shared();
  first_pending = first_pending == 0 ? serial : first_pending;
  last_pending = serial;
  Publications::when_host_acquires(end_pending_launches);
  for (const Allocation& each : all) {
    close_shared(each.begin, each.bytes);
  }
  for (PendingCopy& each : pending_copies) {
    each.before_launch = StreamOrder::get().is_before_last(each.stream, each.number);
    close_shared(each.begin, each.bytes);
  }
  if (has_variables) {
    const VariableSection& section = *variable_section_of(VariableSpace::kManaged);
    close_shared(section.begin, section.size);
  }
}

void begin_pending_copy(const void* to, size_t bytes) {
  close_memory();
  const Turn turn;
  set_touch_check(check_touch);
  const StreamOperation& copy = StreamOrder::get().last();
  pending_copies.push_back(
      {reinterpret_cast<uintptr_t>(to), bytes, copy.stream, copy.number, false});
  close_shared(pending_copies.back().begin, bytes);
}

void end_pending() {
  const Turn turn;
  if (first_pending == 0 && pending_copies.empty()) return;
  open_shared();
  pending_copies.clear();
  first_pending = last_pending = 0;
  Publications::when_host_acquires(nullptr);
}

void end_pending_in_order() {
  const StreamOrder& order = StreamOrder::get();
  std::vector<PendingCopy> left;
  std::copy_if(pending_copies.begin(), pending_copies.end(), std::back_inserter(left),
               [&](const PendingCopy& each) { return !order.is_over(each.stream, each.number); });
  end_pending_but(std::move(left));
}

}  // namespace simt
