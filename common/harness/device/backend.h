// The interface between the harness and the place where kernels run. It has two implementations: common/harness/gpu for
// the GPU and common/harness/cpu for the CPU backend.
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

// False on the CPU backend, which has no meaningful times and no baseline.
bool is_gpu();

// Whether tensor cores cut sums of products off: on a GPU, and on the CPU backend with SIMT_TENSOR_SUMS=hopper.
bool cuts_sums();

// Selects the device with this number. Throws DeviceError if there is no GPU, no device with this number, or a driver
// that is older than this program's CUDA runtime.
void select_device(int number);

// The current device. On the CPU backend, only its name is set.
Device query_device();

// Names a row-major matrix in device memory, so that error messages can refer to it. element: the size of an element in
// bytes.
void name_matrix(const char* name, const void* begin, int rows, int cols, int64_t ld,
                 size_t element);

// A kernel launch. A field is 0 where the backend does not know it (registers and blocks_per_sm on the CPU).
struct Launch {
  bool known = false;
  dim3 grid, block;
  int registers = 0;  // per thread
  size_t shared_bytes = 0;  // per block, static and dynamic
  int blocks_per_sm = 0;  // resident blocks
  bool endless =
      false;  // the backend stopped a kernel that made no progress; a GPU would run it forever
};

// The last kernel launch of this process; known == false if there was none.
Launch last_launch();

// Whether CUDA refused the last recorded launch.
bool refused_launch();

// The number of kernels launched so far, and whether the calling thread is running one at the moment.
struct Launches {
  uint64_t begun = 0;
  bool running = false;
};
Launches launches();

// The innermost line of gemm.cu on a stack of return addresses, such as "02_coalesced/gemm.cu:60"; "" if unknown.
std::string host_line(void* const* frames, int count);

// Reports on stderr what gemm() does wrong, with its line on this stack.
void tell_fault(void* const* frames, int count, const std::string& what);

// Calls `callback` after each message of the CPU backend about an error of a kernel or of host code, or about a launch
// that may be a mistake (a doubt).
void after_errors(void (*callback)(const std::string& message, bool doubt));

// Whether this stack belongs to a host thread that waits for the GPU.
bool waits_for_device(void* const* frames, int count);

// Enclose a call of a lesson's gemm(). In between, the CPU backend reports the line of host code that crashes.
void begin_call();
void end_call();

// Call this after a wrong result. It prints anything suspicious about the launch and returns the reason why the result
// cannot be right; "" if there is none known.
std::string why_wrong();

// The program that lessons are compared with: cuBLAS on the same problem.
struct Baseline {
  std::string name;  // the cuBLAS function; empty if there is no baseline
  std::function<void()> run;  // asynchronous, default stream; throws DeviceError
  std::vector<std::function<void()>> others;  // further kernels of cuBLAS, in the order it prefers
};

// The baseline for this problem, already warmed up by a first run. It is cuBLAS for FP32 (without TF32), for double,
// and for half inputs with FP32 accumulation and output; cublasLt for half output with an epilogue, and for e4m3 inputs
// with scales and FP32 or BF16 output. There is none for int or on the CPU backend.
template <typename T, typename Acc, typename Out>
Baseline make_baseline(const Gemm<T, Acc, Out>& problem);

}  // namespace backend
