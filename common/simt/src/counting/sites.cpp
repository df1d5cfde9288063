#include "counting/sites.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>

#include "program/program.h"

namespace simt {

Sites& Sites::get() {
  static Sites sites;
  return sites;
}

Sites::Sites() : sites_(kMost + 1) {
  void* memory = mmap(nullptr, (text_size() + 8) * sizeof(*map_), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw std::bad_alloc();
  }
  map_ = static_cast<std::atomic<uint16_t>*>(memory);
}

uint32_t Sites::find(const char* pc) const {
  const size_t at = size_t(pc - text_begin());
  return at < text_size() ? map_[at].load(std::memory_order_acquire) : 0;
}

uint32_t Sites::number(const char* pc, unsigned variant, Access access, unsigned size,
                       bool is_volatile) {
  // No other call can return so close to this one, so the next bytes are free for variants.
  if (const uint32_t known = find(pc + variant)) return known;
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  if (const uint32_t known = find(pc + variant)) return known;
  const size_t at = size_t(pc + variant - text_begin());
  const uint32_t next = count_;
  if (at >= text_size() || next > kMost) {
    std::fprintf(stderr, "the CPU backend: %s\n",
                 next > kMost ? "more than 65535 memory instructions"
                              : "a kernel lies in a shared library, which is not supported");
    std::_Exit(3);
  }
  sites_[next] = {pc, access, uint8_t(size), is_volatile};
  count_.store(next + 1, std::memory_order_release);
  map_[at].store(uint16_t(next), std::memory_order_release);
  return next;
}

}  // namespace simt
