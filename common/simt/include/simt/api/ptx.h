// What inline PTX asks of the backend beside what CUDA's functions ask: atomic operations, lanes, 16-bit and 8-bit
// floats, products of a warp.
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
// At each of `count` elements that lie behind one another; operands: their bits, of a cas a second value behind them.
// old gets what was there.
void ptx_atomic(void* address, const Atomic& what, const uint64_t* operands, uint64_t* old,
                unsigned count);

// The address if it may be one in global memory: shared memory and a thread's own are none.
void* global_address(const void* address, const char* file, int line);
bool is_shared_address(const void* address);
bool is_global_address(const void* address);

// bar.red: how many threads have a predicate that holds. Only barrier 0 has it, for all threads; 0 stands for all.
unsigned counting_barrier(unsigned number, unsigned threads, bool predicate, const char* file,
                          int line);
[[noreturn]] void ptx_trap(const char* file, int line);

enum class SpecialNumber { Clock, Nanoseconds, Multiprocessor, Multiprocessors, DynamicShared };
uint64_t special_number(SpecialNumber which);

enum class HalfOp { add, sub, mul, fma, min, max, min_nan, max_nan, neg, abs, ex2, tanh };
// Of halves, or else of bfloat16, by their bits; rounded once, to nearest.
__attribute__((const)) uint16_t half_arithmetic(HalfOp op, bool bfloat, uint16_t a, uint16_t b,
                                                uint16_t c);

__attribute__((const)) float narrow(long double value, Rounding to);
__attribute__((const)) uint16_t narrow_half(double value, bool bfloat, Rounding to);

// The elements of products of a warp.
enum class Fragment : uint8_t { f16, bf16, tf32, f32, f64, s32, s8, u8, e4m3, e5m2 };
// A number as a float of 8 bits, e4m3 or e5m2, to nearest; what is too large is the largest. And back.
__attribute__((const)) uint8_t byte_float_bits(Fragment type, double value);
__attribute__((const)) float byte_float_value(Fragment type, uint8_t bits);

// d = a * b + c, m x k by k x 8. Integers: saturate keeps sums in their range.
struct MmaForm {
  uint8_t m, k;
  Fragment sum, a, b;
  bool saturate;
};
// The lane's registers of A, of B and of C; the sums become D.
void multiply_fragments(const MmaForm& form, const uint64_t* a, const uint64_t* b, uint64_t* sums,
                        const char* file, int line);
uint32_t transpose_matrix(uint32_t elements, const char* file, int line);

// cp.async.mbarrier.arrive: the thread's copies by cp.async so far belong to the running phase; counts: they also are
// an arrival.
void arrive_with_copies(uint32_t barrier, bool counts, const char* file, int line);
// st.async: so many bytes to a block's shared memory, for the phase of an mbarrier of the same block.
void store_async(uint32_t to, const void* bytes, unsigned size, uint32_t barrier, const char* file,
                 int line);
// cp.async.bulk between the shared memories of two blocks.
void bulk_send(uint32_t to, uint32_t from, uint32_t bytes, uint32_t barrier, const char* file,
               int line);
// What such a reduction does with each element of a row.
void reduce_elements(void* to, const void* from, size_t bytes, AtomicOp op, AtomicType type);
// cp.reduce.async.bulk: the operation with each element. Of a box, its map tells their type.
void bulk_reduce(const BulkRequest& to, uint32_t from, AtomicOp op, AtomicType type);

}  // namespace simt
