// Memory that the host shares with kernels, while something that it has not waited for may be at work there: closed, so
// that the host's accesses are seen.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace simt {

// Closes whole pages around these bytes to the host: to its stores (unless some page is closed already), or to its loads
// as well.
void close_shared(uintptr_t begin, size_t bytes, bool only_stores = false);
// Opens all of it: the host has waited.
void open_shared();
// For as long as the backend itself is at work there; nothing changes about what is closed.
void protect_shared(bool close);
// The host touches this address (`stores`: by a store, for sure): opens its page, if it was closed. What is wrong about
// that is said, with the line.
bool open_touched(uintptr_t address, bool stores);
// Says what is wrong about a touch; "" if nothing. `stores`: it is certainly a store.
void set_touch_check(std::string (*check)(uintptr_t address, bool stores));

}  // namespace simt
