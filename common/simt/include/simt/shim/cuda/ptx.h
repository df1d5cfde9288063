// cuda::ptx. Names and arguments are those of the PTX manual. Tags select the form of the instruction.
#pragma once
#include <cstdint>

#include "simt/api/tensor_map.h"
#include "simt/shim/cuda/scopes.h"
#include "simt/shim/ptx_async.h"
#include "simt/shim/ptx_cluster.h"

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace cuda {
namespace ptx {

#define SIMT_TAG(name) \
  struct name##_t {};  \
  inline constexpr name##_t name {}
SIMT_TAG(sem_relaxed);
SIMT_TAG(sem_acquire);
SIMT_TAG(sem_release);
SIMT_TAG(sem_acq_rel);
SIMT_TAG(sem_sc);
SIMT_TAG(scope_cta);
SIMT_TAG(scope_cluster);
SIMT_TAG(scope_gpu);
SIMT_TAG(scope_sys);
SIMT_TAG(space_global);
SIMT_TAG(space_shared);
SIMT_TAG(space_cluster);
#undef SIMT_TAG
template <int N>
struct n32_t {
  static constexpr int value = N;
};
template <int N>
inline constexpr n32_t<N> n32{};

// The PTX address of shared memory, of this block or another one of its cluster.
__forceinline__ ::std::uint32_t shared(const void* pointer, const char* file, int line) {
  return simt::shared_address(pointer, file, line);
}
template <typename Semantics>
constexpr bool is_relaxed = false;
template <>
inline constexpr bool is_relaxed<sem_relaxed_t> = true;

// Mbarriers.
__forceinline__ void mbarrier_init(::std::uint64_t* b, ::std::uint32_t count, SIMT_PLACE) {
  simt::ptx_init(shared(b, file, line), count, file, line);
}
__forceinline__ void mbarrier_inval(::std::uint64_t* b, SIMT_PLACE) {
  simt::ptx_inval(shared(b, file, line), file, line);
}
__forceinline__ ::std::uint64_t mbarrier_arrive(::std::uint64_t* b, SIMT_PLACE) {
  return simt::ptx_arrive(shared(b, file, line), {}, file, line);
}
__forceinline__ ::std::uint64_t mbarrier_arrive(::std::uint64_t* b, ::std::uint32_t count,
                                                SIMT_PLACE) {
  return simt::ptx_arrive(shared(b, file, line), {count, 0, false}, file, line);
}
template <typename Semantics, typename Scope>
__forceinline__ ::std::uint64_t mbarrier_arrive(Semantics, Scope, space_shared_t,
                                                ::std::uint64_t* b, SIMT_PLACE) {
  return simt::ptx_arrive(shared(b, file, line), {1, 0, is_relaxed<Semantics>}, file, line);
}
template <typename Semantics, typename Scope>
__forceinline__ ::std::uint64_t mbarrier_arrive(Semantics, Scope, space_shared_t,
                                                ::std::uint64_t* b, ::std::uint32_t count,
                                                SIMT_PLACE) {
  return simt::ptx_arrive(shared(b, file, line), {count, 0, is_relaxed<Semantics>}, file, line);
}
template <typename Semantics, typename Scope>
__forceinline__ void mbarrier_arrive(Semantics, Scope, space_cluster_t, ::std::uint64_t* b,
                                     SIMT_PLACE) {
  simt::ptx_arrive(shared(b, file, line), {1, 0, is_relaxed<Semantics>}, file, line);
}
template <typename Semantics, typename Scope>
__forceinline__ void mbarrier_arrive(Semantics, Scope, space_cluster_t, ::std::uint64_t* b,
                                     ::std::uint32_t count, SIMT_PLACE) {
  simt::ptx_arrive(shared(b, file, line), {count, 0, is_relaxed<Semantics>}, file, line);
}
template <typename Semantics, typename Scope>
__forceinline__ ::std::uint64_t mbarrier_arrive_expect_tx(Semantics, Scope, space_shared_t,
                                                          ::std::uint64_t* b, ::std::uint32_t bytes,
                                                          SIMT_PLACE) {
  return simt::ptx_arrive(shared(b, file, line), {1, bytes, is_relaxed<Semantics>}, file, line);
}
template <typename Semantics, typename Scope>
__forceinline__ void mbarrier_arrive_expect_tx(Semantics, Scope, space_cluster_t,
                                               ::std::uint64_t* b, ::std::uint32_t bytes,
                                               SIMT_PLACE) {
  simt::ptx_arrive(shared(b, file, line), {1, bytes, is_relaxed<Semantics>}, file, line);
}
template <typename Scope, typename Space>
__forceinline__ void mbarrier_expect_tx(sem_relaxed_t, Scope, Space, ::std::uint64_t* b,
                                        ::std::uint32_t bytes, SIMT_PLACE) {
  simt::ptx_expect(shared(b, file, line), bytes, file, line);
}

// Waits. try_wait ignores its time.
#define SIMT_WAIT(name, type, test)                                                              \
  __forceinline__ bool mbarrier_test_##name(::std::uint64_t* b, const type& which, SIMT_PLACE) { \
    return simt::test(shared(b, file, line), which, file, line);                                 \
  }                                                                                              \
  __forceinline__ bool mbarrier_try_##name(::std::uint64_t* b, const type& which, SIMT_PLACE) {  \
    return simt::test(shared(b, file, line), which, file, line);                                 \
  }                                                                                              \
  __forceinline__ bool mbarrier_try_##name(::std::uint64_t* b, const type& which,                \
                                           const ::std::uint32_t&, SIMT_PLACE) {                 \
    return simt::test(shared(b, file, line), which, file, line);                                 \
  }                                                                                              \
  template <typename Semantics, typename Scope>                                                  \
  __forceinline__ bool mbarrier_test_##name(Semantics, Scope, ::std::uint64_t* b,                \
                                            const type& which, SIMT_PLACE) {                     \
    return simt::test(shared(b, file, line), which, file, line);                                 \
  }                                                                                              \
  template <typename Semantics, typename Scope>                                                  \
  __forceinline__ bool mbarrier_try_##name(Semantics, Scope, ::std::uint64_t* b,                 \
                                           const type& which, SIMT_PLACE) {                      \
    return simt::test(shared(b, file, line), which, file, line);                                 \
  }                                                                                              \
  template <typename Semantics, typename Scope>                                                  \
  __forceinline__ bool mbarrier_try_##name(Semantics, Scope, ::std::uint64_t* b,                 \
                                           const type& which, const ::std::uint32_t&,            \
                                           SIMT_PLACE) {                                         \
    return simt::test(shared(b, file, line), which, file, line);                                 \
  }
SIMT_WAIT(wait, ::std::uint64_t, ptx_test)
SIMT_WAIT(wait_parity, ::std::uint32_t, mbarrier_test_parity)
#undef SIMT_WAIT

// TMA: rows of bytes, and boxes of tensors.
template <typename Space>
__forceinline__ void cp_async_bulk(Space, space_global_t, void* to, const void* from,
                                   ::std::uint32_t bytes, ::std::uint64_t* b, SIMT_PLACE) {
  simt::bulk_load({nullptr, {}, 0, from, bytes, file, line}, shared(to, file, line),
                  shared(b, file, line), 0);
}
__forceinline__ void cp_async_bulk(space_cluster_t, space_global_t, void* to, const void* from,
                                   ::std::uint32_t bytes, ::std::uint64_t* b,
                                   ::std::uint16_t blocks, SIMT_PLACE) {
  simt::bulk_load({nullptr, {}, 0, from, bytes, file, line}, shared(to, file, line),
                  shared(b, file, line), blocks);
}
__forceinline__ void cp_async_bulk(space_global_t, space_shared_t, void* to, const void* from,
                                   ::std::uint32_t bytes, SIMT_PLACE) {
  simt::bulk_store({nullptr, {}, 0, to, bytes, file, line}, shared(from, file, line));
}
template <int RANK>
__forceinline__ simt::BulkRequest box_of(const void* map, const ::std::int32_t (&at)[RANK],
                                         const char* file, int line) {
  static_assert(RANK <= 5, "a tensor has at most five dimensions");
  simt::BulkRequest box{map, {}, RANK, nullptr, 0, file, line};
  for (int i = 0; i < RANK; ++i) box.at[i] = at[i];
  return box;
}
template <typename Space, int RANK>
__forceinline__ void cp_async_bulk_tensor(Space, space_global_t, void* to, const void* map,
                                          const ::std::int32_t (&at)[RANK], ::std::uint64_t* b,
                                          SIMT_PLACE) {
  simt::bulk_load(box_of(map, at, file, line), shared(to, file, line), shared(b, file, line), 0);
}
template <int RANK>
__forceinline__ void cp_async_bulk_tensor(space_cluster_t, space_global_t, void* to,
                                          const void* map, const ::std::int32_t (&at)[RANK],
                                          ::std::uint64_t* b, ::std::uint16_t blocks, SIMT_PLACE) {
  simt::bulk_load(box_of(map, at, file, line), shared(to, file, line), shared(b, file, line),
                  blocks);
}
template <int RANK>
__forceinline__ void cp_async_bulk_tensor(space_global_t, space_shared_t, const void* map,
                                          const ::std::int32_t (&at)[RANK], const void* from,
                                          SIMT_PLACE) {
  simt::bulk_store(box_of(map, at, file, line), shared(from, file, line));
}
__forceinline__ void cp_async_bulk_commit_group() {
  simt::bulk_commit();
}
template <int N>
__forceinline__ void cp_async_bulk_wait_group(n32_t<N>) {
  simt::bulk_wait(N, false);
}
template <int N>
__forceinline__ void cp_async_bulk_wait_group_read(n32_t<N>) {
  simt::bulk_wait(N, true);
}

// Fences, and barriers of the cluster.
__forceinline__ void fence_proxy_async() {
  simt::fence_proxy();
}
template <typename Space>
__forceinline__ void fence_proxy_async(Space) {
  simt::fence_proxy();
}
__forceinline__ void fence_mbarrier_init(sem_release_t, scope_cluster_t) {
  simt::ptx::fence_mbarrier_init();
}
template <typename Semantics, typename Scope>
__forceinline__ void fence(Semantics, Scope) {
  simt::fence();
  simt::fence_arrivals();
}
__forceinline__ void barrier_cluster_arrive(SIMT_PLACE) {
  simt::cluster_arrive(false, file, line);
}
template <typename Semantics>
__forceinline__ void barrier_cluster_arrive(Semantics, SIMT_PLACE) {
  simt::cluster_arrive(is_relaxed<Semantics>, file, line);
}
__forceinline__ void barrier_cluster_wait(SIMT_PLACE) {
  simt::cluster_wait(file, line);
}
__forceinline__ void barrier_cluster_wait(sem_acquire_t, SIMT_PLACE) {
  simt::cluster_wait(file, line);
}
template <typename T>
__forceinline__ T* mapa(space_cluster_t, T* pointer, ::std::uint32_t rank, SIMT_PLACE) {
  return static_cast<T*>(const_cast<void*>(simt::map_shared(pointer, rank, file, line)));
}

// Special registers.
#define SIMT_REGISTER(name)                           \
  __forceinline__ ::std::uint32_t get_sreg_##name() { \
    return simt::ptx::special_##name();               \
  }
#define SIMT_REGISTERS(name) SIMT_REGISTER(name##_x) SIMT_REGISTER(name##_y) SIMT_REGISTER(name##_z)
SIMT_REGISTERS(tid)
SIMT_REGISTERS(ntid)
SIMT_REGISTERS(ctaid)
SIMT_REGISTERS(nctaid)
SIMT_REGISTERS(clusterid)
SIMT_REGISTERS(nclusterid)
SIMT_REGISTERS(cluster_ctaid)
SIMT_REGISTERS(cluster_nctaid)
SIMT_REGISTER(cluster_ctarank)
SIMT_REGISTER(cluster_nctarank)
SIMT_REGISTER(laneid)
SIMT_REGISTER(warpid)
SIMT_REGISTER(nwarpid)
#undef SIMT_REGISTERS
#undef SIMT_REGISTER

}  // namespace ptx
}  // namespace cuda
#undef SIMT_PLACE
