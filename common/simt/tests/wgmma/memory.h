// Products of tiles that TMA or threads bring to shared memory, all but a few of them wrong (memory.cu).
#pragma once
#include <cuda_fp16.h>

#include <vector>

#include "simt/report.h"

namespace wgmma {

constexpr int M = 64, N = 16, K = 384;

// A is M x K, row-major, B is N x K, row-major; out = A times the transposed B.
struct Memory {
  void (*run)(half* A, half* B, float* out);
  simt::ErrorKind kind;
  const char *line, *other;  // marks of the lines of both parties
  const char* text;  // in the message
};

void run_ring(half* A, half* B, float* out);
void run_threads(half* A, half* B, float* out);
const std::vector<Memory>& memory_mistakes();

}  // namespace wgmma
