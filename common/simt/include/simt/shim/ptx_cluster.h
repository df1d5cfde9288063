// PTX of clusters, named barriers, registers and shared memory. simtcc turns the instructions into these calls.
#pragma once
#include "simt/api/cluster.h"
#include "simt/shim/ptx.h"

namespace simt {
namespace ptx {

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

template <bool RELAXED>
__forceinline__ void barrier_cluster_arrive(SIMT_PLACE) {
  cluster_arrive(RELAXED, file, line);
}
__forceinline__ void barrier_cluster_wait(SIMT_PLACE) {
  cluster_wait(file, line);
}
template <typename R>
__forceinline__ void mapa_shared(R& to, uint32_t address, uint32_t rank, SIMT_PLACE) {
  to = R(map_shared(address, rank, file, line));
}

__forceinline__ void bar_sync(uint32_t number, SIMT_PLACE) {
  named_barrier(number, blockDim.x * blockDim.y * blockDim.z, true, file, line);
}
__forceinline__ void bar_sync(uint32_t number, uint32_t threads, SIMT_PLACE) {
  named_barrier(number, threads, true, file, line);
}
__forceinline__ void bar_arrive(uint32_t number, uint32_t threads, SIMT_PLACE) {
  named_barrier(number, threads, false, file, line);
}

// Copies the bits between registers of one size.
template <typename R, typename T>
__forceinline__ void mov(R& to, T from) {
  static_assert(sizeof(R) == sizeof(T), "mov: both registers must have the same size");
  __builtin_memcpy(&to, &from, sizeof to);
}

// ld.shared and st.shared. V: the registers as one vector.
template <typename V, typename... R>
__forceinline__ void ld_shared_all(uint32_t address, const char* file, int line, R&... to) {
  const V value = *static_cast<const V*>(shared_pointer(address, file, line));
  const char* from = reinterpret_cast<const char*>(&value);
  ((__builtin_memcpy(&to, from, sizeof to), from += sizeof to), ...);
}
template <typename V, typename... R>
__forceinline__ void st_shared_all(uint32_t address, const char* file, int line, R... from) {
  V value;
  char* to = reinterpret_cast<char*>(&value);
  ((__builtin_memcpy(to, &from, sizeof from), to += sizeof from), ...);
  *static_cast<V*>(shared_pointer(address, file, line)) = value;
}
template <typename R>
__forceinline__ void ld_shared(R& a, uint32_t address, SIMT_PLACE) {
  ld_shared_all<R>(address, file, line, a);
}
template <typename V, typename R>
__forceinline__ void ld_shared_v2(R& a, R& b, uint32_t address, SIMT_PLACE) {
  ld_shared_all<V>(address, file, line, a, b);
}
template <typename V, typename R>
__forceinline__ void ld_shared_v4(R& a, R& b, R& c, R& d, uint32_t address, SIMT_PLACE) {
  ld_shared_all<V>(address, file, line, a, b, c, d);
}
template <typename R>
__forceinline__ void st_shared(uint32_t address, R a, SIMT_PLACE) {
  st_shared_all<R>(address, file, line, a);
}
template <typename V, typename R>
__forceinline__ void st_shared_v2(uint32_t address, R a, R b, SIMT_PLACE) {
  st_shared_all<V>(address, file, line, a, b);
}
template <typename V, typename R>
__forceinline__ void st_shared_v4(uint32_t address, R a, R b, R c, R d, SIMT_PLACE) {
  st_shared_all<V>(address, file, line, a, b, c, d);
}

// Special registers.
#define SIMT_INDEX(name, index)                   \
  __forceinline__ uint32_t special_##name##_x() { \
    return (index).x;                             \
  }                                               \
  __forceinline__ uint32_t special_##name##_y() { \
    return (index).y;                             \
  }                                               \
  __forceinline__ uint32_t special_##name##_z() { \
    return (index).z;                             \
  }
SIMT_INDEX(tid, threadIdx)
SIMT_INDEX(ntid, blockDim)
SIMT_INDEX(ctaid, blockIdx)
SIMT_INDEX(nctaid, gridDim)
SIMT_INDEX(cluster_nctaid, cluster_extent())
SIMT_INDEX(cluster_ctaid, index_in_cluster())
#undef SIMT_INDEX
#define SIMT_OF_CLUSTERS(d)                           \
  __forceinline__ uint32_t special_clusterid_##d() {  \
    return blockIdx.d / cluster_extent().d;           \
  }                                                   \
  __forceinline__ uint32_t special_nclusterid_##d() { \
    return gridDim.d / cluster_extent().d;            \
  }
SIMT_OF_CLUSTERS(x)
SIMT_OF_CLUSTERS(y)
SIMT_OF_CLUSTERS(z)
#undef SIMT_OF_CLUSTERS
__forceinline__ uint32_t special_cluster_ctarank() {
  return rank_in_cluster();
}
__forceinline__ uint32_t special_cluster_nctarank() {
  const uint3 extent = cluster_extent();
  return extent.x * extent.y * extent.z;
}
__forceinline__ uint32_t thread_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__forceinline__ uint32_t special_laneid() {
  return thread_in_block() % 32;
}
__forceinline__ uint32_t special_warpid() {
  return thread_in_block() / 32;
}
__forceinline__ uint32_t special_nwarpid() {
  return (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
}

}  // namespace ptx
}  // namespace simt
#undef SIMT_PLACE
