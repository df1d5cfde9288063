// More PTX of asynchronous copies (see ptx_async.h): to shared memory of other blocks, reductions, arrivals of copies.
#pragma once
#include "simt/shim/ptx/accesses.h"
#include "simt/shim/ptx_async.h"

namespace simt {
namespace ptx {

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

// cp.async that reads nothing and writes zeros if the predicate holds.
template <typename Address>
__forceinline__ void cp_async_unless(uint32_t to, Address address, uint32_t size, bool ignores,
                                     SIMT_PLACE) {
  copy_async(shared_pointer(to, file, line), pointer_in(address), size, ignores ? size : 0, file,
             line);
}
template <bool NOINC>
__forceinline__ void cp_async_arrive(uint32_t barrier, SIMT_PLACE) {
  arrive_with_copies(barrier, NOINC, file, line);
}

template <bool RELAXED>
__forceinline__ void mbarrier_arrive_drop(uint32_t barrier, SIMT_PLACE) {
  ptx_arrive(barrier, {1, 0, RELAXED, true}, file, line);
}
template <bool RELAXED>
__forceinline__ void mbarrier_arrive_drop(uint32_t barrier, uint32_t count, SIMT_PLACE) {
  ptx_arrive(barrier, {count, 0, RELAXED, true}, file, line);
}
template <bool RELAXED, typename State>
__forceinline__ void mbarrier_arrive_drop_state(State& state, uint32_t barrier, SIMT_PLACE) {
  state = State(ptx_arrive(barrier, {1, 0, RELAXED, true}, file, line));
}
template <bool RELAXED, typename State>
__forceinline__ void mbarrier_arrive_drop_state(State& state, uint32_t barrier, uint32_t count,
                                                SIMT_PLACE) {
  state = State(ptx_arrive(barrier, {count, 0, RELAXED, true}, file, line));
}
__forceinline__ void fence_all() {
  simt::fence();
  fence_arrivals();
}

template <typename T>
class SendStore {
 public:
  __forceinline__ explicit SendStore(SIMT_PLACE) : file_(file), line_(line) {}
  template <typename R>
  __forceinline__ void operator()(uint32_t to, R a, uint32_t barrier) const {
    const T values[] = {get<T>(a)};
    store_async(to, values, sizeof values, barrier, file_, line_);
  }
  template <typename R>
  __forceinline__ void operator()(uint32_t to, R a, R b, uint32_t barrier) const {
    const T values[] = {get<T>(a), get<T>(b)};
    store_async(to, values, sizeof values, barrier, file_, line_);
  }
  template <typename R>
  __forceinline__ void operator()(uint32_t to, R a, R b, R c, R d, uint32_t barrier) const {
    const T values[] = {get<T>(a), get<T>(b), get<T>(c), get<T>(d)};
    store_async(to, values, sizeof values, barrier, file_, line_);
  }

 private:
  const char* file_;
  int line_;
};

__forceinline__ void bulk_send(uint32_t to, uint32_t from, uint32_t bytes, uint32_t barrier,
                               SIMT_PLACE) {
  simt::bulk_send(to, from, bytes, barrier, file, line);
}

template <AtomicOp OP>
class BulkReduce {
 public:
  __forceinline__ explicit BulkReduce(SIMT_PLACE) : file_(file), line_(line) {}

  template <AtomicType TYPE, typename Address>
  __forceinline__ void row(Address to, uint32_t from, uint32_t bytes) const {
    bulk_reduce({nullptr, {}, 0, pointer_in(to), bytes, file_, line_}, from, OP, TYPE);
  }
  template <typename Map>
  __forceinline__ void box(Map map, int32_t a, uint32_t from) const {
    bulk_reduce(box_of(pointer_in(map), file_, line_, a), from, OP, AtomicType::b32);
  }
  template <typename Map>
  __forceinline__ void box(Map map, int32_t a, int32_t b, uint32_t from) const {
    bulk_reduce(box_of(pointer_in(map), file_, line_, a, b), from, OP, AtomicType::b32);
  }
  template <typename Map>
  __forceinline__ void box(Map map, int32_t a, int32_t b, int32_t c, uint32_t from) const {
    bulk_reduce(box_of(pointer_in(map), file_, line_, a, b, c), from, OP, AtomicType::b32);
  }
  template <typename Map>
  __forceinline__ void box(Map map, int32_t a, int32_t b, int32_t c, int32_t d,
                           uint32_t from) const {
    bulk_reduce(box_of(pointer_in(map), file_, line_, a, b, c, d), from, OP, AtomicType::b32);
  }
  template <typename Map>
  __forceinline__ void box(Map map, int32_t a, int32_t b, int32_t c, int32_t d, int32_t e,
                           uint32_t from) const {
    bulk_reduce(box_of(pointer_in(map), file_, line_, a, b, c, d, e), from, OP, AtomicType::b32);
  }

 private:
  const char* file_;
  int line_;
};
#undef SIMT_PLACE

}  // namespace ptx
}  // namespace simt
