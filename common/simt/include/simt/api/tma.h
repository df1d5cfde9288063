// What a running thread asks of TMA and of mbarriers by PTX. Addresses of shared memory are those
// of PTX: see shared_address().
#pragma once
#include <cstddef>
#include <cstdint>

namespace simt {

// So many arrivals at an mbarrier, whose phase also waits for that many bytes of copies. relaxed: what the thread
// wrote is not there for who waits.
struct Arrival {
  uint32_t count = 1, bytes = 0;
  bool relaxed = false;
  bool drops = false;  // later phases wait for so many arrivals less
};
uint64_t ptx_arrive(uint32_t barrier, const Arrival& arrival, const char* file, int line);
void ptx_expect(uint32_t barrier, uint32_t bytes, const char* file, int line);
void ptx_init(uint32_t barrier, uint32_t count, const char* file, int line);
void ptx_inval(uint32_t barrier, const char* file, int line);
bool ptx_test(uint32_t barrier, uint64_t token, const char* file, int line);

// A box of a tensor (rank coordinates, the innermost first), or bytes at an address.
struct BulkRequest {
  const void* map = nullptr;  // a CUtensorMap
  int32_t at[5] = {};
  unsigned rank = 0;  // 0: no tensor, but
  const void* address = nullptr;
  size_t bytes = 0;
  const char* file;
  int line;
};
// blocks: bits of those of the cluster that get it; 0: the one of the address.
void bulk_load(const BulkRequest& from, uint32_t to, uint32_t barrier, uint16_t blocks);
void bulk_store(const BulkRequest& to, uint32_t from);
void bulk_commit();
void bulk_wait(unsigned prior, bool only_read);

// The running kernel's parameter is __grid_constant__: one for all threads, whose address, or that of a part of it, the
// TMA may be given.
void grid_constant(const void* parameter, size_t bytes);

// fence.proxy.async, fence.mbarrier_init
void fence_proxy();
// What the thread's relaxed arrivals release from now on: the mbarriers that it has initialised, or all that it
// has done.
void fence_inits();
void fence_arrivals();

}  // namespace simt
