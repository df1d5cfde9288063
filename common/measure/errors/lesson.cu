// The way of a lesson, or of a variant of one: LADDER_NAME, with LADDER_INPUT for inputs and at most LADDER_MOST as
// error.
#include <cuda_fp16.h>

#include "common/measure/errors/ways.h"

void gemm(const Gemm<LADDER_INPUT, float>&);

bool measure_ways() {
  return measure_way<LADDER_INPUT>(LADDER_NAME, gemm, LADDER_MOST);
}
