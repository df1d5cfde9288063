// The results of each kernel launch: errors, and counters by source line, array and barrier. See also trace.h (the
// accesses of a few warps), probe.h (accesses by element of an array) and testing.h (for tests of host code).
#pragma once
#include "simt/names/begin.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "simt/api/dim3.h"

namespace simt {

// A source line. line == 0 if the debug information has none.
struct Place {
  std::string file;  // as on the compiler's command line
  int line = 0;
};

enum class ErrorKind {
  SharedRace,  // two threads of a block access a word without a barrier between, and one of them writes
  // Not all threads of a block reach the same __syncthreads(), or not enough arrive at an mbarrier.
  BarrierDivergence,
  WarpDivergence,  // not all lanes of the mask reach the same warp operation
  UninitializedShared,
  UninitializedGlobal,
  GlobalOutOfBounds,
  SharedOutOfBounds,
  IndexOutOfBounds,  // of an array whose type has bounds
  Misaligned,
  GlobalRace,  // the same of global memory
  BlockConflict,  // a block of the launch writes a word that another one writes or reads
  StreamConflict,  // a launch accesses a word that an operation of another stream writes, or writes one that it reads
  AsyncNotWaited,  // an access to the data of an asynchronous copy before the wait for it
  InvalidAddress,  // neither device memory, nor shared memory, nor the thread's own
  BadArgument,  // wrong use of a warp operation, an asynchronous copy or an mbarrier
  Endless,  // a thread makes no progress
  OutsideWindow,  // a write that begin_watch() does not allow
  HiddenRead,  // a read that begin_watch() does not allow
  EarlyAccess,  // an access to global memory before cudaGridDependencySynchronize()
  // Written by threads, and used by TMA or wgmma with no fence.proxy.async between, or published for other blocks with
  // no __threadfence() between.
  MissingFence,
  UnsetLocal,  // a store of a variable that has no value
  FailedAssert,  // assert()
  Fault,  // of the machine: division by zero, full stack, abort()
  Host,  // of the host: a launch or call that is refused, or memory that it must not touch
  Other  // a note about a kernel or the program as a whole
};

// The memory that an error is about.
struct ArrayElement {
  std::string space;  // "shared" or "global"; empty if the error is about no memory
  std::string array;  // its name; empty for an allocation that has none
  uint64_t offset = 0;  // bytes from the array's first one, or from the allocation's
  unsigned bytes = 0;  // of the access
  std::vector<uint64_t> index;  // one for each known dimension: {3, 17} for As[3][17]
};

// One of the two sides of an error.
struct Party {
  Place place;
  Place call;  // for inline PTX in a __device__ function: its call in the kernel; else line == 0
  uint3 thread{}, block{};
  std::string access;  // "reads", "writes" or "updates"; empty if it is no access
};

struct Error {
  ErrorKind kind;
  std::string kernel;  // as in gemm_kernel<true>
  std::string text;  // the sentence without the places that it begins with
  std::string message;  // the whole sentence, with all that follows
  Party here;  // the thread that the message is about
  bool has_other = false;
  Party other;  // the other access, barrier or block
  bool other_known = false;  // whether its thread is known
  ArrayElement element;  // the memory that the error is about
  uint64_t count = 1;  // errors between these two lines
  bool note = false;  // no error: equal values are stored, or nvcc happens to align an array
};

// Requests of warps to global memory. bytes: those that the lanes access; 32 * sectors move. ideal: sectors that would
// hold the distinct words of each request. lines: cache lines of 128 bytes, of threads' loads and stores only.
struct GlobalTraffic {
  uint64_t requests = 0, sectors = 0, ideal = 0, bytes = 0, lines = 0;

  GlobalTraffic& operator+=(const GlobalTraffic& other);
};

// Requests of warps to shared memory. A wavefront is what the 32 banks serve in one cycle. ideal: wavefronts for the
// distinct words of the requests in the best banks, by accesses of any width.
struct SharedTraffic {
  uint64_t requests = 0, wavefronts = 0, ideal = 0, bytes = 0;
};

struct Counters {
  GlobalTraffic global_load, global_store;  // LDG, STG
  GlobalTraffic global_atomic;  // ATOMG, RED
  GlobalTraffic async_load;  // LDGSTS, its read of global memory
  SharedTraffic async_store;  // LDGSTS, its write to shared memory
  GlobalTraffic bulk_load, bulk_store;  // of TMA: a request is a box or a row of bytes
  uint64_t bulk_filled =
      0;  // bytes that bulk_load writes to shared memory, with zeros, in each block
  uint64_t async_lookups = 0;  // of sectors in the L1 cache, by LDGSTS
  SharedTraffic shared_load, shared_store;  // LDS, STS: each access as the source has it
  SharedTraffic shared_atomic;  // ATOMS; wavefronts is a lower bound
  SharedTraffic matrix_load;  // LDSM: ldmatrix, and wmma fragments from shared memory
  // LDS and STS after fusion: a thread's scalar accesses to neighbouring addresses between two barriers count as one of
  // up to 16 bytes if all lanes are aligned, as in nvcc's unrolled loops.
  SharedTraffic fused_load, fused_store;
  uint64_t fma = 0, fma64 = 0;  // fused multiply-adds of threads, float and double
  uint64_t tensor_instructions = 0;  // HMMA.16816 of warps: mma.sync; two for each wmma::mma_sync
  uint64_t tensor_fma = 0;  // multiply-adds of tensor_instructions
  uint64_t group_products = 0;  // of tensor_instructions, those of wgmma.mma_async: four make one

  Counters& operator+=(const Counters& other);
};

struct LineCounters {
  Place place;
  Counters counters;
};

// The counters of one line, one array and one access size.
struct ArrayCounters {
  Place place;
  std::string array;  // the shared array's name; empty for global memory
  const void* allocation = nullptr;  // of global memory: what cudaMalloc returned
  unsigned size = 0;  // bytes per thread and access
  Counters counters;  // no multiply-adds
};

// Counters of the mbarriers that one line initialises, over all blocks.
struct BarrierCounters {
  struct Waits {  // at one line
    Place place;
    uint64_t count = 0;  // of threads, that found the phase complete
    uint32_t warps = 0;  // the warps in their blocks, as bits
  };
  Place place;
  uint64_t barriers = 0, phases = 0;  // phases that are complete
  uint64_t arrivals = 0, bytes = 0;  // in complete phases: arrivals, and bytes of copies
  std::vector<Waits> waits;  // sorted by file and line
};

struct LaunchReport {
  std::string kernel;
  dim3 grid, block;
  size_t static_shared = 0, dynamic_shared = 0;  // bytes per block
  uint64_t barriers = 0;  // __syncthreads() of all blocks together
  uint64_t arrivals = 0;  // __mbarrier_arrive() of all threads together
  uint64_t blocks = 0;
  bool counted = false;  // false for an UNCHECKED kernel
  bool fma_known = false;  // false without objdump
  Counters total;
  std::vector<LineCounters> lines;  // sorted by file and line
  std::vector<ArrayCounters> arrays;  // sorted by file, line and array
  std::vector<BarrierCounters> split_barriers;  // sorted by file and line
  std::vector<Error> errors;  // at most ten distinct ones, in the order of blocks
};

// The launches since the last reset_reports(), oldest first; at most the newest 64. The first call after a launch reads
// debug information (addr2line, objdump) and can take a second.
const std::vector<LaunchReport>& launch_reports();
void reset_reports();

// The last launch; an empty report if there was none.
const LaunchReport& last_report();

// Errors of the last launch, without counters and without the cost of finding lines for them.
const std::vector<Error>& last_errors();

// The number of the last launch's errors beyond the ten of last_errors().
size_t more_errors();

// Notes of the last launch, at most ten.
const std::vector<Error>& last_notes();

// A row of the table of counters. JSON uses the name, text the label.
struct CounterInfo {
  const char* name;  // as in global_load.sectors
  const char* label;  // as in "sectors of global loads"
  const char* unit;  // requests, sectors, wavefronts, bytes, lines or multiply-adds
  const char* space;  // global, shared or none
  uint64_t (*value)(const Counters& counters);
};
const std::vector<CounterInfo>& counter_table();

// All launches of one kernel since start_summary().
struct KernelSummary {
  std::string kernel;
  uint64_t launches = 0, blocks = 0;
  dim3 grid, block;  // of the last launch
  bool counted = false;
  Counters total;
  std::vector<LineCounters> lines;  // sorted by file and line
  std::vector<Error> errors;  // the first hundred with different messages
};

// From now on the summary adds up launches by kernel, and launch_reports() holds only those that it has not added yet.
void start_summary();
// In the order of first launches.
const std::vector<KernelSummary>& summary();
// The summary as text: the counters of each line, with the fewest that its accesses allow.
std::string summary_text();
// The same as JSON, version 1. docs/report.md describes each field.
std::string summary_json();

// The number of launches with errors in this process, and of mistakes in host code.
uint64_t errors_found();

// Called after each error of a kernel or of the host, and after a doubt about a launch, which is a note.
void after_errors(void (*callback)(const Error& error));

// Whether the last launch was refused and the program has not read the error since.
bool refusal_is_unread();

// Called once, when the first launch of this process has ended or was refused.
void after_first_launch(void (*callback)());

// Whether a launch with errors ends the process with exit code 1, after is_last(). Off by default.
void stop_on_errors(bool stop, void (*is_last)());

// The number of OS threads that run blocks; 0: one per core. The environment variable SIMT_THREADS sets it, too. No
// result and no count depends on it.
void set_threads(int threads);

// The widest access in bytes that fused_load and fused_store assume: 16 (the default), 8 or 4. nvcc fuses as far as it
// unrolls the loop. Call it while no kernel runs.
void set_fusion(unsigned bytes);
// The same for the loads of one shared array, by its name. "dynamic shared memory" is such a name.
void set_fusion(const std::string& array, unsigned bytes);

// Whether errors are also printed on stderr after a launch (the default).
void set_printing(bool print);

}  // namespace simt

#include "simt/names/end.h"
