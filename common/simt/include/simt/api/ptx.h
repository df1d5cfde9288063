// Functions for inline PTX, beside those for CUDA's functions: atomic operations, lanes, 16-bit and 8-bit floats,
// products of a warp.
#pragma once
#include <cstdint>

#include "simt/api/rounding.h"
#include "simt/api/tma.h"

namespace simt {

enum class AtomicOp : uint8_t {
  op_add,
  op_min,
  op_max,
  op_and,
  op_or,
  op_xor,
  op_exch,
  op_inc,
  op_dec,
  op_cas
};
enum class AtomicType : uint8_t {
  b16,
  b32,
  b64,
  u32,
  u64,
  s32,
  s64,
  f16,
  bf16,
  f32,
  f64,
  f16x2,
  bf16x2
};
struct Atomic {
  AtomicOp op;
  AtomicType type;
  bool acquires, releases;
};
// The operation on `count` neighbouring elements. operands: the bits of their operands; a cas has its second values
// after them. old: gets the old values.
void ptx_atomic(void* address, const Atomic& what, const uint64_t* operands, uint64_t* old,
                unsigned count);

// The pointer, unless it points to shared memory or to the thread's own memory.
void* global_address(const void* address, const char* file, int line);
bool is_shared_address(const void* address);
bool is_global_address(const void* address);
bool is_local_address(const void* address);
bool is_constant_address(const void* address);

// bar.red: the number of threads whose predicate holds, of `threads` threads; 0 means all.
unsigned counting_barrier(unsigned number, unsigned threads, bool predicate, const char* file,
                          int line);
// The carry that the thread's last asm with .cc left.
bool kept_carry();
void keep_carry(bool carry);
[[noreturn]] void ptx_trap(const char* file, int line);
[[noreturn]] void ptx_exit();

enum class SpecialNumber { Clock, Nanoseconds, Multiprocessor, Multiprocessors, DynamicShared };
uint64_t special_number(SpecialNumber which);

enum class HalfOp { add, sub, mul, fma, min, max, min_nan, max_nan, neg, abs, ex2, tanh };
// Arithmetic of halves or bfloat16, passed as bits. Rounds once, to nearest.
__attribute__((const)) uint16_t half_arithmetic(HalfOp op, bool bfloat, uint16_t a, uint16_t b,
                                                uint16_t c);

__attribute__((const)) float narrow(long double value, Rounding to);
__attribute__((const)) uint16_t narrow_half(double value, bool bfloat, Rounding to);

// Element types of a warp's products.
enum class Fragment : uint8_t { f16, bf16, tf32, f32, f64, s32, s8, u8, e4m3, e5m2 };
// Converts to an 8-bit float, e4m3 or e5m2, and back. Rounds to nearest and saturates.
__attribute__((const)) uint8_t byte_float_bits(Fragment type, double value);
__attribute__((const)) float byte_float_value(Fragment type, uint8_t bits);

// d = a * b + c, m x k by k x 8. saturate: integer sums are clamped.
struct MmaForm {
  uint8_t m, k;
  Fragment sum, a, b;
  bool saturate;
};
// a, b: the lane's registers of A and B. sums: those of C, which become D.
void multiply_fragments(const MmaForm& form, const uint64_t* a, const uint64_t* b, uint64_t* sums,
                        const char* file, int line);
uint32_t transpose_matrix(uint32_t elements, const char* file, int line);

// cp.async.mbarrier.arrive: the running phase waits for the thread's earlier cp.async copies. counts: their completion
// also counts as an arrival.
void arrive_with_copies(uint32_t barrier, bool counts, const char* file, int line);
// st.async: stores `size` bytes to a block's shared memory, for the phase of an mbarrier of the same block.
void store_async(uint32_t to, const void* bytes, unsigned size, uint32_t barrier, const char* file,
                 int line);
// cp.async.bulk between the shared memories of two blocks.
void bulk_send(uint32_t to, uint32_t from, uint32_t bytes, uint32_t barrier, const char* file,
               int line);
// Applies such a reduction to the elements of a row.
void reduce_elements(void* to, const void* from, size_t bytes, AtomicOp op, AtomicType type);
// cp.reduce.async.bulk. The element type of a box is that of its map.
void bulk_reduce(const BulkRequest& to, uint32_t from, AtomicOp op, AtomicType type);

}  // namespace simt
