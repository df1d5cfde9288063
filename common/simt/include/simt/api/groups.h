// What cooperative groups ask of the backend: lanes of a warp that meet, and all blocks of a launch.
#pragma once

namespace simt {

// The lanes in mask meet. The function is called once, with each one's argument, and null for the others.
void meet_lanes(unsigned mask, void* argument, void (*function)(void* const arguments[32]),
                const char* file, int line);
// They meet, and what they did is in order.
void sync_lanes(unsigned mask, const char* file, int line);

// All threads of a cooperative launch meet, and what they did is in order.
void sync_grid(const char* file, int line);
// Whether they can.
bool is_cooperative();

}  // namespace simt
