// A file that compares its kernel with cuBLAS, as many do.
#pragma once

namespace blas {

// The largest difference between a kernel's C = 2 A B - C, row-major, and cublasSgemm()'s; negative if a call fails.
double difference(int M, int N, int K);

}  // namespace blas
