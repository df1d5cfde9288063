// PTX of mbarriers, TMA and fences. simtcc turns the instructions into these calls.
#pragma once
#include "simt/api/cluster.h"
#include "simt/api/tma.h"
#include "simt/shim/ptx.h"

namespace simt {
namespace ptx {

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

__forceinline__ void mbarrier_init(uint32_t barrier, uint32_t count, SIMT_PLACE) {
  ptx_init(barrier, count, file, line);
}
__forceinline__ void mbarrier_inval(uint32_t barrier, SIMT_PLACE) {
  ptx_inval(barrier, file, line);
}
template <bool RELAXED>
__forceinline__ void mbarrier_arrive(uint32_t barrier, SIMT_PLACE) {
  ptx_arrive(barrier, {1, 0, RELAXED}, file, line);
}
template <bool RELAXED>
__forceinline__ void mbarrier_arrive_count(uint32_t barrier, uint32_t count, SIMT_PLACE) {
  ptx_arrive(barrier, {count, 0, RELAXED}, file, line);
}
template <bool RELAXED>
__forceinline__ void mbarrier_arrive_expect_tx(uint32_t barrier, uint32_t bytes, SIMT_PLACE) {
  ptx_arrive(barrier, {1, bytes, RELAXED}, file, line);
}
__forceinline__ void mbarrier_expect_tx(uint32_t barrier, uint32_t bytes, SIMT_PLACE) {
  ptx_expect(barrier, bytes, file, line);
}
__forceinline__ void mbarrier_complete_tx(uint32_t barrier, uint32_t bytes, SIMT_PLACE) {
  ptx_complete(barrier, bytes, file, line);
}
// The same with the state of the phase, which a wait can test.
template <bool RELAXED, typename State>
__forceinline__ void mbarrier_arrive_state(State& state, uint32_t barrier, SIMT_PLACE) {
  state = State(ptx_arrive(barrier, {1, 0, RELAXED}, file, line));
}
template <bool RELAXED, typename State>
__forceinline__ void mbarrier_arrive_count_state(State& state, uint32_t barrier, uint32_t count,
                                                 SIMT_PLACE) {
  state = State(ptx_arrive(barrier, {count, 0, RELAXED}, file, line));
}
template <bool RELAXED, typename State>
__forceinline__ void mbarrier_arrive_expect_tx_state(State& state, uint32_t barrier, uint32_t bytes,
                                                     SIMT_PLACE) {
  state = State(ptx_arrive(barrier, {1, bytes, RELAXED}, file, line));
}
__forceinline__ void mbarrier_test_wait(bool& ended, uint32_t barrier, uint64_t state, SIMT_PLACE) {
  ended = ptx_test(barrier, state, file, line);
}

// An "l" register that holds an address.
template <typename T>
__forceinline__ const void* pointer_in(T* address) {
  return const_cast<const void*>(static_cast<const volatile void*>(address));
}
__forceinline__ const void* pointer_in(uint64_t address) {
  return reinterpret_cast<const void*>(address);
}

// cp.async of `size` bytes. All but the first `from` are zeros.
template <typename Global>
__forceinline__ void cp_async(uint32_t to, Global address, uint32_t size, uint32_t from,
                              SIMT_PLACE) {
  copy_async(shared_pointer(to, file, line), pointer_in(address), size,
             from < size ? size - from : 0, file, line);
}
template <typename Global>
__forceinline__ void cp_async(uint32_t to, Global address, uint32_t size, SIMT_PLACE) {
  copy_async(shared_pointer(to, file, line), pointer_in(address), size, 0, file, line);
}
__forceinline__ void cp_async_commit_group() {
  pipeline_commit();
}
__forceinline__ void cp_async_wait_group(uint32_t newer) {
  pipeline_wait(newer);
}
__forceinline__ void cp_async_wait_all() {
  pipeline_commit();
  pipeline_wait(0);
}

template <typename... At>
__forceinline__ BulkRequest box_of(const void* map, const char* file, int line, At... at) {
  return {map, {int32_t(at)...}, sizeof...(At), nullptr, 0, file, line};
}

// One for each number of coordinates: default arguments cannot follow a parameter pack.
#define SIMT_BOX(PARAMETERS, ...)                                                                \
  template <typename Map>                                                                        \
  __forceinline__ void bulk_load_tensor(uint32_t to, Map map, PARAMETERS, uint32_t barrier,      \
                                        SIMT_PLACE) {                                            \
    bulk_load(box_of(pointer_in(map), file, line, __VA_ARGS__), to, barrier, 0);                 \
  }                                                                                              \
  template <typename Map>                                                                        \
  __forceinline__ void bulk_multicast_tensor(uint32_t to, Map map, PARAMETERS, uint32_t barrier, \
                                             uint16_t blocks, SIMT_PLACE) {                      \
    bulk_load(box_of(pointer_in(map), file, line, __VA_ARGS__), to, barrier, blocks);            \
  }                                                                                              \
  template <typename Map>                                                                        \
  __forceinline__ void bulk_store_tensor(Map map, PARAMETERS, uint32_t from, SIMT_PLACE) {       \
    bulk_store(box_of(pointer_in(map), file, line, __VA_ARGS__), from);                          \
  }
#define SIMT_AND ,
SIMT_BOX(int32_t a, a)
SIMT_BOX(int32_t a SIMT_AND int32_t b, a, b)
SIMT_BOX(int32_t a SIMT_AND int32_t b SIMT_AND int32_t c, a, b, c)
SIMT_BOX(int32_t a SIMT_AND int32_t b SIMT_AND int32_t c SIMT_AND int32_t d, a, b, c, d)
SIMT_BOX(int32_t a SIMT_AND int32_t b SIMT_AND int32_t c SIMT_AND int32_t d SIMT_AND int32_t e, a,
         b, c, d, e)
#undef SIMT_AND
#undef SIMT_BOX

template <typename Address>
__forceinline__ void bulk_load_row(uint32_t to, Address from, uint32_t bytes, uint32_t barrier,
                                   SIMT_PLACE) {
  bulk_load({nullptr, {}, 0, pointer_in(from), bytes, file, line}, to, barrier, 0);
}
template <typename Address>
__forceinline__ void bulk_multicast_row(uint32_t to, Address from, uint32_t bytes, uint32_t barrier,
                                        uint16_t blocks, SIMT_PLACE) {
  bulk_load({nullptr, {}, 0, pointer_in(from), bytes, file, line}, to, barrier, blocks);
}
template <typename Address>
__forceinline__ void bulk_store_row(Address to, uint32_t from, uint32_t bytes, SIMT_PLACE) {
  bulk_store({nullptr, {}, 0, pointer_in(to), bytes, file, line}, from);
}
__forceinline__ void bulk_commit_group() {
  bulk_commit();
}
// READ: waits only until shared memory has been read.
template <bool READ>
__forceinline__ void bulk_wait_group(unsigned prior) {
  bulk_wait(prior, READ);
}
// Affects only speed.
template <typename Map>
__forceinline__ void prefetch_tensormap(Map) {}

__forceinline__ void fence_proxy_async() {
  fence_proxy();
}
__forceinline__ void fence_mbarrier_init() {
  fence_proxy();
  fence_inits();
}
// No effect: all writes are visible at once here.
__forceinline__ void fence() {}
__forceinline__ void fence_release() {
  fence_arrivals();
}

__forceinline__ void griddepcontrol_wait() {
  wait_for_launch();
}
__forceinline__ void griddepcontrol_launch_dependents() {}

}  // namespace ptx
}  // namespace simt
#undef SIMT_PLACE
