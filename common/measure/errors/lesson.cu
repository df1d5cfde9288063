// Measures the lesson or variant LADDER_NAME, which has inputs of type LADDER_INPUT and may have errors up to
// LADDER_MOST.
#include <cuda_fp16.h>

#include "common/measure/errors/ways.h"

void gemm(const Gemm<LADDER_INPUT, float>&);

bool measure_ways() {
  return measure_way<LADDER_INPUT>(LADDER_NAME, gemm, LADDER_MOST);
}
