// Memory that the host shares with kernels, while something that it has not waited for may be at work there: closed, so
// that the host's accesses are seen.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace simt {

// Closes whole pages around these bytes to the host.
void close_shared(uintptr_t begin, size_t bytes);
// Opens all of it: the host has waited.
void open_shared();
// For as long as the backend itself is at work there; nothing changes about what is closed.
void protect_shared(bool close);
// The host touches this address: opens its page, if it was closed. What is wrong about that is said, with the line.
bool open_touched(uintptr_t address);
// Says what is wrong about a touch; "" if nothing.
void set_touch_check(std::string (*check)(uintptr_t address));

}  // namespace simt
