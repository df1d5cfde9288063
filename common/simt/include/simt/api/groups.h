// Functions for cooperative groups: meetings of a warp's lanes, and of all blocks of a launch.
#pragma once

namespace simt {

// The lanes in mask meet. Calls the function once, with the argument of each lane, and null for other lanes.
void meet_lanes(unsigned mask, void* argument, void (*function)(void* const arguments[32]),
                const char* file, int line);
// The lanes in mask meet, which orders their accesses.
void sync_lanes(unsigned mask, const char* file, int line);

// All threads of a cooperative launch meet, which orders their accesses.
void sync_grid(const char* file, int line);
// Whether the launch is cooperative.
bool is_cooperative();

}  // namespace simt
