// PTX atomic operations, and queries of an address's memory space.
#include <algorithm>
#include <cstring>

#include "execution/execution.h"
#include "memory/memory.h"
#include "races/races.h"
#include "simt/api/bfloat16.h"
#include "simt/api/half.h"
#include "simt/api/ptx.h"

namespace simt {
namespace {

unsigned bytes_of(AtomicType type) {
  switch (type) {
    case AtomicType::b16:
    case AtomicType::f16:
    case AtomicType::bf16:
      return 2;
    case AtomicType::b64:
    case AtomicType::u64:
    case AtomicType::s64:
    case AtomicType::f64:
      return 8;
    default:
      return 4;
  }
}

template <typename T>
T number_in(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <typename T>
uint64_t word_of(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <typename T>
uint64_t compute_numbers(AtomicOp op, uint64_t old_bits, uint64_t operand) {
  const T old = number_in<T>(old_bits), value = number_in<T>(operand);
  if constexpr (std::is_integral_v<T>) {
    switch (op) {
      case AtomicOp::op_add:
        return word_of(T(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(value)));
      case AtomicOp::op_and:
        return word_of(T(old & value));
      case AtomicOp::op_or:
        return word_of(T(old | value));
      case AtomicOp::op_xor:
        return word_of(T(old ^ value));
      case AtomicOp::op_inc:
        return word_of(old >= value ? T(0) : T(old + 1));
      case AtomicOp::op_dec:
        return word_of(old == 0 || old > value ? value : T(old - 1));
      default:
        break;
    }
  }
  switch (op) {
    case AtomicOp::op_add:
      return word_of(T(old + value));
    case AtomicOp::op_min:
      return word_of(value < old ? value : old);
    case AtomicOp::op_max:
      return word_of(value > old ? value : old);
    default:
      return operand;
  }
}

uint64_t compute_half(AtomicOp op, bool bfloat, uint64_t old, uint64_t operand) {
  const HalfOp which = op == AtomicOp::op_add   ? HalfOp::add
                       : op == AtomicOp::op_min ? HalfOp::min
                                                : HalfOp::max;
  return half_arithmetic(which, bfloat, uint16_t(old), uint16_t(operand), 0);
}

uint64_t computed(AtomicOp op, AtomicType type, uint64_t old, uint64_t operand) {
  if (op == AtomicOp::op_exch) return operand;
  switch (type) {
    case AtomicType::s32:
      return compute_numbers<int32_t>(op, old, operand);
    case AtomicType::s64:
      return compute_numbers<int64_t>(op, old, operand);
    case AtomicType::u64:
    case AtomicType::b64:
      return compute_numbers<uint64_t>(op, old, operand);
    case AtomicType::f32:
      return compute_numbers<float>(op, old, operand);
    case AtomicType::f64:
      return compute_numbers<double>(op, old, operand);
    case AtomicType::f16:
    case AtomicType::bf16:
      return compute_half(op, type == AtomicType::bf16, old, operand);
    case AtomicType::f16x2:
    case AtomicType::bf16x2: {
      const bool bfloat = type == AtomicType::bf16x2;
      return compute_half(op, bfloat, old >> 16, operand >> 16) << 16 |
             compute_half(op, bfloat, old, operand);
    }
    default:
      return compute_numbers<uint32_t>(op, old, operand);
  }
}

// Updates a word atomically and returns its old value. Sets `changed` if the value is different now.
template <typename Word>
uint64_t update(void* address, const Atomic& what, uint64_t operand, uint64_t other,
                bool& changed) {
  Word* const word = static_cast<Word*>(address);
  Word old = __atomic_load_n(word, __ATOMIC_RELAXED), next;
  do {
    next = what.op == AtomicOp::op_cas ? (old == Word(operand) ? Word(other) : old)
                                       : Word(computed(what.op, what.type, old, operand));
  } while (
      !__atomic_compare_exchange_n(word, &old, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  changed = changed || next != old;
  return old;
}

}  // namespace

__attribute__((noinline)) void ptx_atomic(void* address, const Atomic& what,
                                          const uint64_t* operands, uint64_t* old, unsigned count) {
  Recorder& recorder = *Recorder::running;
  const unsigned size = bytes_of(what.type);
  if (what.releases) recorder.fence();
  if (what.acquires || what.releases || what.op == AtomicOp::op_exch ||
      what.op == AtomicOp::op_cas) {
    recorder.lock();
  }
  recorder.use_atomic(address, size * count, __builtin_return_address(0), true);
  bool changed = false;
  for (unsigned i = 0; i < count; ++i) {
    void* const at = static_cast<char*>(address) + size_t(i) * size;
    const uint64_t other = what.op == AtomicOp::op_cas ? operands[1] : 0;
    old[i] = size == 2   ? update<uint16_t>(at, what, operands[i], other, changed)
             : size == 4 ? update<uint32_t>(at, what, operands[i], other, changed)
                         : update<uint64_t>(at, what, operands[i], other, changed);
  }
  if (changed) recorder.log().changed();
  if (what.acquires) recorder.fence();
}

// Applies a reduction by TMA to each element.
void reduce_elements(void* to, const void* from, size_t bytes, AtomicOp op, AtomicType type) {
  const unsigned size = bytes_of(type);
  bool changed = false;
  for (size_t at = 0; at + size <= bytes; at += size) {
    uint64_t operand = 0;
    std::memcpy(&operand, static_cast<const char*>(from) + at, size);
    void* const place = static_cast<char*>(to) + at;
    const Atomic what{op, type, false, false};
    size == 2   ? update<uint16_t>(place, what, operand, 0, changed)
    : size == 4 ? update<uint32_t>(place, what, operand, 0, changed)
                : update<uint64_t>(place, what, operand, 0, changed);
  }
}

bool is_shared_address(const void* address) {
  return Recorder::running->shared().contains(address);
}

bool is_global_address(const void* address) {
  const uintptr_t at = in_device_memory(reinterpret_cast<uintptr_t>(address));
  return Arena::get().contains(at) && !is_constant_address(address);
}

bool is_local_address(const void* address) {
  return !is_shared_address(address) &&
         Recorder::running->is_own(reinterpret_cast<uintptr_t>(address));
}

bool is_constant_address(const void* address) {
  const VariableSection* const section = variable_section_at(reinterpret_cast<uintptr_t>(address));
  return section != nullptr && section->space == VariableSpace::kConstant;
}

void* global_address(const void* address, const char* file, int line) {
  Recorder& recorder = *Recorder::running;
  if (recorder.shared().contains(address) ||
      recorder.is_own(reinterpret_cast<uintptr_t>(address))) {
    recorder.findings().report_and_abandon(
        ErrorKind::InvalidAddress, {file, line},
        "passes an address of shared memory or of its own to an access of global memory");
  }
  return const_cast<void*>(address);
}

}  // namespace simt
