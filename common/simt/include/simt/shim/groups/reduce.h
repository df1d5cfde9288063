// Reductions and scans of the lanes of a group.
#pragma once
#include <atomic>
#include <limits>
#include <type_traits>

#include "simt/shim/groups/tiles.h"

namespace cooperative_groups {

// The operators. none() is the neutral first value.
#define SIMT_OPERATOR(name, expression, start)                        \
  template <typename T>                                               \
  struct name {                                                       \
    T operator()(const T& a, const T& b) const { return expression; } \
    static T none() { return start; }                                 \
  };
SIMT_OPERATOR(plus, T(a + b), T())
SIMT_OPERATOR(less, b < a ? b : a, ::std::numeric_limits<T>::max())
SIMT_OPERATOR(greater, a < b ? b : a, ::std::numeric_limits<T>::lowest())
SIMT_OPERATOR(bit_and, T(a& b), T(~T()))
SIMT_OPERATOR(bit_or, T(a | b), T())
SIMT_OPERATOR(bit_xor, T(a ^ b), T())
#undef SIMT_OPERATOR

}  // namespace cooperative_groups

namespace simt {

// A lane's input to a reduction or scan, and its result.
template <typename T, typename Op>
struct Reduced {
  const T* mine;
  T* result;
  const Op* op;
  static_assert(kCopiedByBytes<T>, "groups reduce what can be copied by bytes");

  SIMT_UNCHECKED static void set(T& to, const T& from) {
    __builtin_memcpy(static_cast<void*>(&to), &from, sizeof(T));
  }

  // Combines halves of the group, then halves of these, in the order of xor shuffles.
  SIMT_UNCHECKED static void all(void* const arguments[32]) {
    alignas(T) char memory[32 * sizeof(T)];
    T* const values = reinterpret_cast<T*>(memory);
    const Op* op = nullptr;
    unsigned count = 0;
    for_lanes<Reduced>(arguments, [&](unsigned, const Reduced& from) SIMT_UNCHECKED {
      set(values[count++], *from.mine);
      op = from.op;
    });
    for (unsigned half = 16; half > 0; half /= 2) {
      for (unsigned i = 0; i < half && i + half < count; ++i) {
        const T sum = (*op)(values[i], values[i + half]);
        set(values[i], sum);
      }
      count = count < half ? count : half;
    }
    for_lanes<Reduced>(
        arguments, [&](unsigned, const Reduced& to) SIMT_UNCHECKED { set(*to.result, values[0]); });
  }

  // EXCLUSIVE: without the lane's own value. Then the first lane's result does not change.
  template <bool EXCLUSIVE>
  SIMT_UNCHECKED static void up_to(void* const arguments[32]) {
    alignas(T) char memory[2 * sizeof(T)];
    T* const before = reinterpret_cast<T*>(memory);
    T* const own = before + 1;
    bool first = true;
    for_lanes<Reduced>(arguments, [&](unsigned, const Reduced& lane) SIMT_UNCHECKED {
      set(*own, *lane.mine);
      if (!first) {
        const T sum = (*lane.op)(*before, *lane.mine);
        set(*own, sum);
      }
      if (!EXCLUSIVE || !first) {
        set(*lane.result, EXCLUSIVE ? *before : *own);
      }
      set(*before, *own);
      first = false;
    });
  }
};

// The first result of an exclusive scan.
template <typename T, typename Op, typename = void>
struct ScanStart {
  static T value() { return T(); }
};
template <typename T, typename Op>
struct ScanStart<T, Op, std::void_t<decltype(Op::none())>> {
  static T value() { return Op::none(); }
};

}  // namespace simt

namespace cooperative_groups {

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

// All lanes get the result. The order in which values are combined is unspecified.
template <typename Group, typename T, typename Op>
__forceinline__ ::std::decay_t<T> reduce(const Group& group, T&& value, Op&& op, SIMT_PLACE) {
  using V = ::std::decay_t<T>;
  using R = simt::Reduced<V, ::std::remove_reference_t<Op>>;
  V mine = value, result = value;
  R reduced{&mine, &result, &op};
  simt::meet_lanes(group.lanes().mask(), &reduced, R::all, file, line);
  return result;
}
// One lane stores the result, or combines a cuda::atomic with it.
template <typename Group, typename To, typename T, typename Op>
__forceinline__ void reduce_store_async(const Group& group, To* to, T&& value, Op&& op,
                                        SIMT_PLACE) {
  const auto result = reduce(group, value, op, file, line);
  if (group.thread_rank() == 0) {
    *to = result;
  }
}
template <typename Group, typename Atomic, typename T, typename Op>
__forceinline__ void reduce_update_async(const Group& group, Atomic& to, T&& value, Op&& op,
                                         SIMT_PLACE) {
  const auto result = reduce(group, value, op, file, line);
  if (group.thread_rank() == 0) {
    auto old = to.load(::std::memory_order_relaxed);
    while (!to.compare_exchange_weak(old, op(old, result), ::std::memory_order_relaxed)) {
    }
  }
}
// Scan of the values up to this lane's.
template <typename Group, typename T, typename Op>
__forceinline__ ::std::decay_t<T> inclusive_scan(const Group& group, T&& value, Op&& op,
                                                 SIMT_PLACE) {
  using V = ::std::decay_t<T>;
  using R = simt::Reduced<V, ::std::remove_reference_t<Op>>;
  V mine = value, result = value;
  R reduced{&mine, &result, &op};
  simt::meet_lanes(group.lanes().mask(), &reduced, R::template up_to<false>, file, line);
  return result;
}
template <typename Group, typename T>
__forceinline__ ::std::decay_t<T> inclusive_scan(const Group& group, T&& value, SIMT_PLACE) {
  return inclusive_scan(group, value, plus<::std::decay_t<T>>(), file, line);
}
// Scan of the values before this lane's.
template <typename Group, typename T, typename Op>
__forceinline__ ::std::decay_t<T> exclusive_scan(const Group& group, T&& value, Op&& op,
                                                 SIMT_PLACE) {
  using V = ::std::decay_t<T>;
  using R = simt::Reduced<V, ::std::remove_reference_t<Op>>;
  V mine = value, result = simt::ScanStart<V, ::std::decay_t<Op>>::value();
  R reduced{&mine, &result, &op};
  simt::meet_lanes(group.lanes().mask(), &reduced, R::template up_to<true>, file, line);
  return result;
}
template <typename Group, typename T>
__forceinline__ ::std::decay_t<T> exclusive_scan(const Group& group, T&& value, SIMT_PLACE) {
  return exclusive_scan(group, value, plus<::std::decay_t<T>>(), file, line);
}

}  // namespace cooperative_groups
#undef SIMT_PLACE
