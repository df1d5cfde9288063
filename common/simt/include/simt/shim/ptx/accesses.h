// PTX loads, stores and atomic operations. Each is a single access, like one to the C++ type of its size.
#pragma once
#include "simt/api/cluster.h"
#include "simt/shim/ptx/registers.h"

namespace simt {
namespace ptx {

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

template <size_t BYTES>
struct WordOf;
template <>
struct WordOf<1> {
  typedef uint8_t Type;
};
template <>
struct WordOf<2> {
  typedef uint16_t __attribute__((may_alias)) Type;
};
template <>
struct WordOf<4> {
  typedef uint32_t __attribute__((may_alias)) Type;
};
template <>
struct WordOf<8> {
  typedef uint64_t __attribute__((may_alias)) Type;
};
template <>
struct WordOf<16> {
  typedef float Type __attribute__((vector_size(16), may_alias));
};

// Keeps a load whose value is unused, as asm volatile does.
template <typename Word>
__forceinline__ Word kept(Word word) {
  if constexpr (sizeof(Word) == 16) {
    __asm__ volatile("" : SIMT_FLOAT_REGISTER(word));
  } else {
    __asm__ volatile("" : "+r"(word));
  }
  return word;
}

// The order of an access. Every access but a plain one is a flag, which other threads may write concurrently.
template <bool FLAG, bool ACQUIRES, bool RELEASES>
struct Order {
  static constexpr bool acquires = ACQUIRES, releases = RELEASES;
  template <typename Word>
  __forceinline__ static Word load(const Word* from) {
    if constexpr (FLAG) {
      const Word value = *const_cast<const volatile Word*>(from);
      if constexpr (ACQUIRES) simt::fence();
      return value;
    } else {
      return kept(*from);
    }
  }
  template <typename Word>
  __forceinline__ static void store(Word* to, Word value) {
    if constexpr (RELEASES) simt::fence();
    if constexpr (FLAG) {
      *const_cast<volatile Word*>(to) = value;
    } else {
      *to = value;
    }
  }
};
using order_ = Order<false, false, false>;
using order_volatile = Order<true, false, false>;
using order_relaxed = Order<true, false, false>;
using order_acquire = Order<true, true, false>;
using order_release = Order<true, false, true>;
using order_acq_rel = Order<true, true, true>;

// The memory of an address.
struct Global {
  template <typename A>
  __forceinline__ static void* at(A address, const char* file, int line) {
    return global_address(reinterpret_cast<const void*>(get<uint64_t>(address)), file, line);
  }
};
struct Shared {
  template <typename A>
  __forceinline__ static void* at(A address, const char* file, int line) {
    return shared_pointer(uint32_t(get<uint64_t>(address)), file, line);
  }
};
struct Generic {
  template <typename A>
  __forceinline__ static void* at(A address, const char*, int) {
    return reinterpret_cast<void*>(get<uint64_t>(address));
  }
};

template <typename T, typename Ordered, typename Space>
class Load {
 public:
  __forceinline__ explicit Load(SIMT_PLACE) : file_(file), line_(line) {}

  template <typename R, typename A>
  __forceinline__ void operator()(R& r0, A address) const {
    const Values<1> v = all<1>(address);
    put<T>(r0, v.each[0]);
  }
  template <typename R, typename A>
  __forceinline__ void operator()(R& r0, R& r1, A address) const {
    const Values<2> v = all<2>(address);
    put<T>(r0, v.each[0]), put<T>(r1, v.each[1]);
  }
  template <typename R, typename A>
  __forceinline__ void operator()(R& r0, R& r1, R& r2, R& r3, A address) const {
    const Values<4> v = all<4>(address);
    put<T>(r0, v.each[0]), put<T>(r1, v.each[1]), put<T>(r2, v.each[2]), put<T>(r3, v.each[3]);
  }

 private:
  template <unsigned N>
  struct Values {
    T each[N];
  };
  template <unsigned N, typename A>
  __forceinline__ Values<N> all(A address) const {
    using Word = typename WordOf<sizeof(T) * N>::Type;
    const Word word = Ordered::load(static_cast<const Word*>(Space::at(address, file_, line_)));
    Values<N> values;
    __builtin_memcpy(&values, &word, sizeof word);
    return values;
  }

  const char* file_;
  int line_;
};

template <typename T, typename Ordered, typename Space>
class Store {
 public:
  __forceinline__ explicit Store(SIMT_PLACE) : file_(file), line_(line) {}

  template <typename A, typename... R>
  __forceinline__ void operator()(A address, R... r) const {
    using Word = typename WordOf<sizeof(T) * sizeof...(R)>::Type;
    const T values[] = {get<T>(r)...};
    Word word;
    __builtin_memcpy(&word, values, sizeof word);
    Ordered::store(static_cast<Word*>(Space::at(address, file_, line_)), word);
  }

 private:
  const char* file_;
  int line_;
};

// The bits of a register.
template <typename R>
__forceinline__ uint64_t bits_in(R r) {
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &r, sizeof r);
  return bits;
}

constexpr unsigned bits_of(AtomicType type) {
  return type == AtomicType::b16 || type == AtomicType::f16 || type == AtomicType::bf16 ? 16
         : type == AtomicType::b64 || type == AtomicType::u64 || type == AtomicType::s64 ||
                 type == AtomicType::f64
             ? 64
             : 32;
}

template <AtomicOp OP, AtomicType TYPE, typename Ordered, typename Space>
class Atom {
 public:
  __forceinline__ explicit Atom(SIMT_PLACE) : file_(file), line_(line) {}

  template <typename R, typename A, typename... V>
  __forceinline__ void operator()(R& old, A address, V... values) const {
    using Word = typename WordOf<bits_of(TYPE) / 8>::Type;
    uint64_t before = 0;
    run(address, &before, 1, values...);
    put<Word>(old, Word(before));
  }
  template <typename A, typename... V>
  __forceinline__ void reduce(A address, V... values) const {
    uint64_t before = 0;
    run(address, &before, 1, values...);
  }
  template <typename A, typename... V>
  __forceinline__ void reduce_all(A address, V... values) const {
    uint64_t before[sizeof...(V)];
    run(address, before, sizeof...(V), values...);
  }
  template <typename R, typename A>
  __forceinline__ void update_all(R& r0, R& r1, A address, R v0, R v1) const {
    uint64_t old[2];
    run(address, old, 2, v0, v1);
    set(r0, old[0]), set(r1, old[1]);
  }
  template <typename R, typename A>
  __forceinline__ void update_all(R& r0, R& r1, R& r2, R& r3, A address, R v0, R v1, R v2,
                                  R v3) const {
    uint64_t old[4];
    run(address, old, 4, v0, v1, v2, v3);
    set(r0, old[0]), set(r1, old[1]), set(r2, old[2]), set(r3, old[3]);
  }
  template <typename R, typename A>
  __forceinline__ void update_all(R& r0, R& r1, R& r2, R& r3, R& r4, R& r5, R& r6, R& r7, A address,
                                  R v0, R v1, R v2, R v3, R v4, R v5, R v6, R v7) const {
    uint64_t old[8];
    run(address, old, 8, v0, v1, v2, v3, v4, v5, v6, v7);
    set(r0, old[0]), set(r1, old[1]), set(r2, old[2]), set(r3, old[3]);
    set(r4, old[4]), set(r5, old[5]), set(r6, old[6]), set(r7, old[7]);
  }

 private:
  template <typename R>
  __forceinline__ static void set(R& to, uint64_t bits) {
    using Word = typename WordOf<bits_of(TYPE) / 8>::Type;
    put<Word>(to, Word(bits));
  }
  template <typename A, typename... V>
  __forceinline__ void run(A address, uint64_t* old, unsigned count, V... values) const {
    const uint64_t operands[] = {bits_in(values)...};
    ptx_atomic(Space::at(address, file_, line_), {OP, TYPE, Ordered::acquires, Ordered::releases},
               operands, old, count);
  }

  const char* file_;
  int line_;
};

// Generic addresses, and those of one memory.
template <typename R, typename A>
__forceinline__ void cvta_to_shared(R& to, A address, SIMT_PLACE) {
  put<uint64_t>(to,
                shared_address(reinterpret_cast<const void*>(get<uint64_t>(address)), file, line));
}
template <typename R, typename A>
__forceinline__ void cvta_shared(R& to, A address, SIMT_PLACE) {
  put<uint64_t>(to, uint64_t(reinterpret_cast<uintptr_t>(
                        shared_pointer(uint32_t(get<uint64_t>(address)), file, line))));
}
template <typename A>
__forceinline__ void isspacep_shared(bool& is, A address) {
  is = is_shared_address(reinterpret_cast<const void*>(get<uint64_t>(address)));
}
template <typename A>
__forceinline__ void isspacep_global(bool& is, A address) {
  is = is_global_address(reinterpret_cast<const void*>(get<uint64_t>(address)));
}
template <typename A>
__forceinline__ void isspacep_local(bool& is, A address) {
  is = is_local_address(reinterpret_cast<const void*>(get<uint64_t>(address)));
}
template <typename A>
__forceinline__ void isspacep_const(bool& is, A address) {
  is = is_constant_address(reinterpret_cast<const void*>(get<uint64_t>(address)));
}
template <typename R, typename A>
__forceinline__ void mapa_generic(R& to, A address, uint32_t rank, SIMT_PLACE) {
  put<uint64_t>(to, uint64_t(reinterpret_cast<uintptr_t>(map_shared(
                        reinterpret_cast<const void*>(get<uint64_t>(address)), rank, file, line))));
}
// The offset in shared memory of a generic address.
template <typename A>
__forceinline__ uint32_t offset_in_shared(A address, SIMT_PLACE) {
  return uint32_t(
      shared_address(reinterpret_cast<const void*>(get<uint64_t>(address)), file, line));
}
template <typename R>
__forceinline__ void getctarank(R& to, uint32_t address) {
  to = R(address >> 24);
}
#undef SIMT_PLACE

}  // namespace ptx
}  // namespace simt

// What a generic pointer points to. Addresses in global memory are generic addresses.
__forceinline__ unsigned __isShared(const void* pointer) {
  return simt::is_shared_address(pointer);
}
__forceinline__ unsigned __isGlobal(const void* pointer) {
  return simt::is_global_address(pointer);
}
__forceinline__ unsigned __isLocal(const void* pointer) {
  return simt::is_local_address(pointer);
}
__forceinline__ unsigned __isConstant(const void* pointer) {
  return simt::is_constant_address(pointer);
}
__forceinline__ size_t __cvta_generic_to_global(const void* pointer) {
  return reinterpret_cast<size_t>(pointer);
}
__forceinline__ void* __cvta_global_to_generic(size_t pointer) {
  return reinterpret_cast<void*>(pointer);
}
