// Kernels that use wgmma, all but a few of them wrong in one way (mistakes.cu).
#pragma once
#include <vector>

#include "simt/report.h"

namespace wgmma {

// out: of 64 x 8 floats.
struct Mistake {
  void (*run)(float* out);
  simt::ErrorKind kind;
  const char *line, *other;  // marks of the lines of both parties; null where it is no matter
  const char* text;  // in the message
};

const std::vector<Mistake>& mistakes();
void run_right(float* out);
void run_right_registers(float* out);

}  // namespace wgmma
