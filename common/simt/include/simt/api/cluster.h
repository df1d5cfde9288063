// Clusters and named barriers, for a running thread. Addresses are PTX addresses: see shared_address().
#pragma once
#include <cstdint>

#include "simt/api/dim3.h"

namespace simt {

void cluster_arrive(bool relaxed, const char* file, int line);
void cluster_wait(const char* file, int line);
// The extent of a cluster in blocks; the position of this block in it.
uint3 cluster_extent();
uint3 index_in_cluster();
unsigned rank_in_cluster();

// The address of the same place in the shared memory of the block of that rank.
uint32_t map_shared(uint32_t address, uint32_t rank, const char* file, int line);
const void* map_shared(const void* pointer, uint32_t rank, const char* file, int line);
// A pointer to that address, in shared memory of the thread's block or of another block of the cluster.
void* shared_pointer(uint32_t address, const char* file, int line);

// bar.sync, or bar.arrive, which does not wait.
void named_barrier(uint32_t number, uint32_t threads, bool waits, const char* file, int line);
// A barrier of all threads of the block in two parts: the arrival, which returns the phase's number, and the wait.
uint32_t arrive_in_block(const char* file, int line);
void wait_in_block(uint32_t phase, const char* file, int line);

}  // namespace simt
