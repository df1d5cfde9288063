// Windows: the elements of matrices in device memory that kernels may read and write, as the caller declares them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "memory/arena.h"
#include "simt/report.h"
#include "simt/testing.h"

namespace simt {

// The declared windows. They change only between launches.
class Windows {
 public:
  static Windows& get();

  // Replaces all windows. Kernels may not read the bytes of windows without `reads`.
  void set(const std::vector<Window>& windows);
  void clear();
  bool empty() const { return windows_.empty(); }

  // True if a kernel may write these bytes. Allocations without a window may be written anywhere.
  bool may_write(uintptr_t address, size_t size) const;
  // Describes an address that must not be written, relative to the window of its allocation.
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
