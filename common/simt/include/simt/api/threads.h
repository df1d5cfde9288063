// The backend's functions for a running thread. Every error message has the file and line of the call.
#pragma once
#include <cstddef>
#include <cstdint>

namespace simt {

void barrier(const char* file, int line);
void sync_warp(unsigned mask, const char* file, int line);

// The same barrier. Returns the number of threads whose predicate holds.
unsigned barrier_count(bool predicate, const char* file, int line);
// The lanes that make this call together.
unsigned active_mask(const char* file, int line);

enum class Vote { All, Any, Ballot };
// The lanes of the mask that exist, and the lanes among them whose predicate holds.
struct Votes {
  unsigned voters, holds;
};
Votes vote(unsigned mask, bool predicate, Vote kind, const char* file, int line);
// The lanes of the mask that have the same bits.
unsigned match_any(unsigned mask, uint64_t bits, const char* file, int line);
// The mask if all its lanes have the same bits, else 0.
unsigned match_all(unsigned mask, uint64_t bits, const char* file, int line);
enum class Reduction { Add, Min, Max, SignedMin, SignedMax, And, Or, Xor };
unsigned reduce(unsigned mask, unsigned value, Reduction kind, const char* file, int line);

// Nanoseconds since some moment, for clock64() and the like.
uint64_t now_in_nanoseconds();
// For __trap(): an error at the line of the call.
[[noreturn]] void trap(const char* file, int line);

enum class Shuffle { Index, Up, Down, Xor };
// The bits of the other lane; the own bits if this group of `width` lanes has no such lane.
uint64_t shuffle(unsigned mask, uint64_t bits, Shuffle kind, int lane, int width, const char* file,
                 int line);

void copy_async(void* shared, const void* global, size_t size, size_t zfill, const char* file,
                int line);
void pipeline_commit();
void pipeline_wait(size_t prior);

void mbarrier_init(uint64_t* barrier, uint32_t count, const char* file, int line);
void mbarrier_inval(uint64_t* barrier, const char* file, int line);
uint64_t mbarrier_arrive(uint64_t* barrier, const char* file, int line);
bool mbarrier_test(uint64_t* barrier, uint64_t token, const char* file, int line);
// Whether the phase of this parity (0: the first, third, ...) is complete at the mbarrier at that address.
bool mbarrier_test_parity(uint32_t address, uint32_t parity, const char* file, int line);

// The PTX address of a pointer to shared memory: bytes from the begin of shared memory.
uint32_t shared_address(const void* pointer, const char* file, int line);
// Loads one to four 8 x 8 matrices of 16-bit elements. Lane 8 i + j passes the address of row j of matrix i.
void load_matrices(uint32_t* to, unsigned count, bool transposed, uint32_t address,
                   const char* file, int line);
// Stores registers to such rows.
void store_matrices(const uint32_t* from, unsigned count, bool transposed, uint32_t address,
                    const char* file, int line);
// d = a * b + c for 16 x 16 by 16 x 8 halves; the lane's 4, 2, 4 and 4 registers.
void multiply_matrices(float* d, const uint32_t* a, const uint32_t* b, const float* c,
                       const char* file, int line);

// This block's dynamic shared memory, aligned to 128 bytes. The kernel's source asks for alignment.
void* dynamic_shared(size_t alignment);

// Memory that kernels allocate, within cudaLimitMallocHeapSize; null if there is not enough.
bool runs_kernel();
bool in_heap(const void* block);
void* heap_allocate(size_t bytes);
void heap_free(void* block, const char* file, int line);

// For __threadfence().
void fence();

// For cudaGridDependencySynchronize(): waits until the previous launch has ended.
void wait_for_launch();

// At the head of host operators and lambdas: reports an error if a thread of a kernel runs it.
void only_on_host(const char* file = __builtin_FILE(), int line = __builtin_LINE());

// Replaces printf(). A kernel's output appears on stdout when the launch ends, block after block, and within a block in
// the order in which its threads ran. A block keeps at most 1 MB.
__attribute__((format(printf, 1, 2))) int print(const char* format, ...);

}  // namespace simt
