// What the harness asks of the place where kernels run, and all that differs between the two: the GPU, common/harness/gpu,
// or the CPU backend, common/harness/cpu.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/gemm.h"
#include "common/harness/device/device.h"

namespace backend {

// False where kernels run on the CPU backend: times are then not a GPU's, and there is no baseline.
bool is_gpu();

// Makes device number the current one. Throws DeviceError if there is no GPU, no
// device of that number, or a driver older than this program's CUDA runtime.
void select_device(int number);

// The current device; on the CPU backend only its name is set.
Device query_device();

// A row-major matrix in device memory, as errors in kernels may call it. element: bytes of one.
void name_matrix(const char* name, const void* begin, int rows, int cols, int64_t ld,
                 size_t element);

// A kernel launch. Fields that the backend cannot know are 0 (registers and blocks_per_sm on the CPU).
struct Launch {
  bool known = false;
  dim3 grid, block;
  int registers = 0;  // per thread
  size_t shared_bytes = 0;  // per block, static and dynamic
  int blocks_per_sm = 0;  // resident at once
  bool endless = false;  // stopped, for want of progress; a GPU would still be at it
};

// The last kernel launch of this process; known == false if none was seen.
Launch last_launch();

// Whether CUDA has refused the last launch that was seen.
bool refused_launch();

// Kernels that have been launched so far, and whether one runs in the calling thread's place.
struct Launches {
  uint64_t begun = 0;
  bool running = false;
};
Launches launches();

// The innermost line of gemm.cu on a stack of return addresses, as in "02_coalesced/gemm.cu:60"; "" if none is known.
std::string host_line(void* const* frames, int count);

// Whether such a stack is that of a host that waits for the GPU.
bool waits_for_device(void* const* frames, int count);

// Around a call of a lesson's gemm(): the CPU backend tells host code that crashes with its line.
void begin_call();
void end_call();

// gemm() has come to a wrong result: says what looked odd in its launch, if anything did. Returns why there can be no
// right one; empty where that is not known.
std::string why_wrong();

// What lessons are compared with: cuBLAS on the same problem.
struct Baseline {
  std::string name;  // the cuBLAS function; empty if there is no baseline
  std::function<void()> run;  // asynchronous, default stream; throws DeviceError
  std::vector<std::function<void()>> others;  // further kernels of cuBLAS, in the order it prefers
};

// The baseline for this problem, its handle created and warmed up by a first run: FP32 without TF32, double,
// or half inputs with FP32 sums and output; cublasLt for half output with an epilogue. None for int and on the
// CPU backend.
template <typename T, typename Acc, typename Out>
Baseline make_baseline(const Gemm<T, Acc, Out>& problem);

}  // namespace backend
