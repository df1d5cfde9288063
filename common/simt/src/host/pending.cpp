#include "host/pending.h"

#include <sys/mman.h>

#include <algorithm>
#include <vector>

#include "host/host.h"
#include "memory/memory.h"
#include "reports/reports.h"

namespace simt {
namespace {

constexpr uintptr_t kPageBytes = 4096;
constexpr size_t kMostTold = 10;  // messages

struct ClosedPages {
  uintptr_t begin, end;
  int access;  // what is left to the host
};
std::vector<ClosedPages> closed_pages;
std::string (*touch_check)(uintptr_t, bool) = nullptr;

void set_access(const ClosedPages& pages, int access) {
  mprotect(reinterpret_cast<void*>(pages.begin), pages.end - pages.begin, access);
}

}  // namespace

void close_shared(uintptr_t begin, size_t bytes, bool only_stores) {
  const ClosedPages pages = {begin / kPageBytes * kPageBytes,
                             (begin + bytes + kPageBytes - 1) / kPageBytes * kPageBytes,
                             only_stores ? PROT_READ : PROT_NONE};
  const auto closed = [&](const ClosedPages& each) {
    return each.access == PROT_NONE && each.begin < pages.end && pages.begin < each.end;
  };
  if (only_stores && std::any_of(closed_pages.begin(), closed_pages.end(), closed)) return;
  closed_pages.push_back(pages);
  set_access(pages, pages.access);
}

void open_shared() {
  protect_shared(false);
  closed_pages.clear();
}

void protect_shared(bool close) {
  for (const ClosedPages& each : closed_pages) {
    set_access(each, close ? each.access : PROT_READ | PROT_WRITE);
  }
}

void set_touch_check(std::string (*check)(uintptr_t address, bool stores)) {
  touch_check = check;
}

bool open_touched(uintptr_t address, bool stores) {
  const Turn turn;
  const uintptr_t page = address / kPageBytes * kPageBytes;
  bool found = false, readable = true;
  std::vector<ClosedPages> left;
  for (const ClosedPages& each : closed_pages) {
    if (page < each.begin || page >= each.end) {
      left.push_back(each);
      continue;
    }
    found = true;
    readable &= each.access == PROT_READ;
    if (each.begin < page) left.push_back({each.begin, page, each.access});
    if (page + kPageBytes < each.end) {
      left.push_back({page + kPageBytes, each.end, each.access});
    }
  }
  if (!found) {  // another thread of the host may have opened it since
    const Pages pages = Arena::get().pages_of(address);
    return pages == Pages::kManaged || pages == Pages::kPinned;
  }
  closed_pages = left;
  set_access({page, page + kPageBytes, 0}, PROT_READ | PROT_WRITE);
  const std::string what = touch_check != nullptr ? touch_check(address, stores || readable) : "";
  static size_t told = 0;
  if (what.empty()) return true;
  count_error();
  if (told++ < kMostTold) tell_host_error(what);
  return true;
}

}  // namespace simt
