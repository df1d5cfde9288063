#include "memory/windows.h"

#include <algorithm>

namespace simt {

Windows& Windows::get() {
  static Windows windows;
  return windows;
}

void Windows::set(const std::vector<Window>& windows) {
  clear();
  const Arena& arena = Arena::get();
  for (const Window& window : windows) {
    const uintptr_t begin = reinterpret_cast<uintptr_t>(window.data);
    const Allocation allocation = arena.nearest(begin);
    const size_t last = window.rows == 0 ? 0 : (window.rows - 1) * window.pitch + window.row_bytes;
    if (allocation.bytes != 0 && arena.inside_one(window.data, last)) {
      windows_.push_back({window, begin, allocation});
      if (!window.reads) {
        hide(windows_.back(), kInitialized, kHidden);
      }
    }
  }
}

void Windows::clear() {
  for (const Watched& watched : windows_) {
    if (!watched.window.reads) {
      hide(watched, kHidden, kInitialized);
    }
  }
  windows_.clear();
}

void Windows::hide(const Watched& watched, ByteState from, ByteState to) const {
  for (size_t row = 0; row < watched.window.rows; ++row) {
    uint8_t* const states = Arena::get().state(watched.begin + row * watched.window.pitch);
    std::replace(states, states + watched.window.row_bytes, uint8_t(from), uint8_t(to));
  }
}

bool Windows::may_write(uintptr_t address, size_t size) const {
  bool watched = false;
  for (const Watched& w : windows_) {
    if (address - w.allocation.begin >= w.allocation.bytes) {
      continue;
    }
    watched = true;
    const size_t offset = address - w.begin;
    const size_t pitch = std::max<size_t>(w.window.pitch, 1);
    if (w.window.writes && address >= w.begin && offset / pitch < w.window.rows &&
        offset % pitch + size <= w.window.row_bytes) {
      return true;
    }
  }
  return !watched;
}

std::string Windows::describe(uintptr_t address) const {
  for (const Watched& w : windows_) {
    if (address - w.allocation.begin >= w.allocation.bytes || !w.window.writes ||
        w.window.rows == 0) {
      continue;
    }
    if (address < w.begin) {
      return std::to_string(w.begin - address) + " bytes before its beginning";
    }
    const size_t offset = address - w.begin, pitch = std::max<size_t>(w.window.pitch, 1);
    const size_t row = std::min(offset / pitch, w.window.rows - 1);
    return "at byte " + std::to_string(offset - row * pitch) + " of row " + std::to_string(row) +
           ", which has " + std::to_string(w.window.row_bytes);
  }
  return "in one that may only be read";
}

}  // namespace simt
