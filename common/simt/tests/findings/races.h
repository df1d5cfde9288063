// Kernels whose threads or blocks touch the same global memory (races.cu). Each gets 4096 zeros.
#pragma once

namespace races {

using Run = void (*)(int* x);

struct Kernel {
  const char* name;
  Run run;
};

// Each has the mistake that its name says; in races.cu, ERROR and the name mark the line that must be told.
extern const Kernel wrong[6];
// Nothing must be told of these, and x[0] is 1 where they have done right.
extern const Kernel right[11];
// Nothing but a note.
extern const Kernel equal[3];

extern const Run waits_for_ever, diverges, many_mistakes;

}  // namespace races
