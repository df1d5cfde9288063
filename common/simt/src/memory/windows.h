// What a caller has declared about matrices in device memory: which elements may be read and written.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "memory/arena.h"
#include "simt/report.h"
#include "simt/testing.h"

namespace simt {

// Changed between launches only.
class Windows {
 public:
  static Windows& get();

  void set(const std::vector<Window>& windows);
  void clear();
  bool empty() const { return windows_.empty(); }

  // Whether a kernel may write these bytes. True for allocations without a window.
  bool may_write(uintptr_t address, size_t size) const;
  // Where an address lies that must not be written, for a message.
  std::string describe(uintptr_t address) const;

 private:
  struct Watched {
    Window window;
    uintptr_t begin;
    Allocation allocation;
  };
  void hide(const Watched& watched, ByteState from, ByteState to) const;

  std::vector<Watched> windows_;
};

}  // namespace simt
