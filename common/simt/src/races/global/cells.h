// The cells of GlobalRaces: the last writer of each word of device memory, and one reader.
#pragma once
#include <cstdint>

#include "memory/memory.h"

namespace simt {

// A cell: the launch (5 bits), the worker (5) and its interval (24), then the thread (10), flags (4) and the
// instruction (16). Copies have cells, too: a launch number and nothing else.
constexpr unsigned kCellLaunch = 59, kCellWorker = 54, kCellWhen = 30, kCellThread = 20;
// The flags of a writer's cell: the bytes of the word that it has written.
constexpr unsigned kCellBytes = 16;

// The number of a launch in cells and pages; 0 stands for none.
inline uint8_t launch_number(uint32_t serial) {
  return uint8_t(1 + serial % Arena::kLaunches);
}
inline unsigned launch_of(uint64_t cell) {
  return unsigned(cell >> kCellLaunch);
}
inline unsigned thread_of(uint64_t cell) {
  return unsigned(cell >> kCellThread) & 0x3ff;
}
inline uint32_t site_of(uint64_t cell) {
  return uint32_t(cell) & 0xffff;
}
inline uint64_t bytes_of(uint64_t cell) {
  return cell >> kCellBytes & 15;
}

}  // namespace simt
