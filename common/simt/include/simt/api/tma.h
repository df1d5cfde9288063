// TMA and mbarriers, for inline PTX. Addresses of shared memory are PTX addresses: see shared_address().
#pragma once
#include <cstddef>
#include <cstdint>

namespace simt {

// `count` arrivals at an mbarrier, whose phase then also waits for `bytes` bytes of copies. relaxed: the arrival does
// not release the thread's writes to threads that wait.
struct Arrival {
  uint32_t count = 1, bytes = 0;
  bool relaxed = false;
  bool drops = false;  // later phases need `count` fewer arrivals
};
uint64_t ptx_arrive(uint32_t barrier, const Arrival& arrival, const char* file, int line);
void ptx_expect(uint32_t barrier, uint32_t bytes, const char* file, int line);
void ptx_complete(uint32_t barrier, uint32_t bytes, const char* file, int line);
void ptx_init(uint32_t barrier, uint32_t count, const char* file, int line);
void ptx_inval(uint32_t barrier, const char* file, int line);
bool ptx_test(uint32_t barrier, uint64_t token, const char* file, int line);

// A box of a tensor (`rank` coordinates, the innermost first), or bytes at an address.
struct BulkRequest {
  const void* map = nullptr;  // a CUtensorMap
  int32_t at[5] = {};
  unsigned rank = 0;  // 0: no tensor, but the next two
  const void* address = nullptr;
  size_t bytes = 0;
  const char* file;
  int line;
};
// blocks: the receiving blocks of the cluster, as bits; 0: the one of the address.
void bulk_load(const BulkRequest& from, uint32_t to, uint32_t barrier, uint16_t blocks);
void bulk_store(const BulkRequest& to, uint32_t from);
void bulk_commit();
void bulk_wait(unsigned prior, bool only_read);

// The running kernel's parameter is __grid_constant__: TMA may read its bytes.
void grid_constant(const void* parameter, size_t bytes);

// fence.proxy.async, fence.mbarrier_init
void fence_proxy();
// From now on the thread's relaxed arrivals release its initialised mbarriers, or all its earlier accesses.
void fence_inits();
void fence_arrivals();

}  // namespace simt
