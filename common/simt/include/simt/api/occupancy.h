// Occupancy: resident blocks of a kernel per multiprocessor, by threads and shared memory. The backend does not know a
// kernel's registers, so a GPU may hold fewer.
#pragma once
#include <cstddef>

#include "simt/api/errors.h"
#include "simt/api/launch_config.h"

enum { cudaOccupancyDefault = 0, cudaOccupancyDisableCachingOverride = 1 };

namespace simt {

cudaError_t count_resident_blocks(int* blocks, const void* kernel, int threads, size_t dynamic);
cudaError_t count_resident_clusters(int* clusters, const void* kernel,
                                    const cudaLaunchConfig_t* config);
// The largest number of blocks in a cluster of the kernel.
cudaError_t find_largest_cluster(int* size, const void* kernel, const cudaLaunchConfig_t* config);
// The dynamic shared memory available to each of `blocks` resident blocks.
cudaError_t find_dynamic_shared(size_t* bytes, const void* kernel, int blocks, int threads);
// The most threads in a block of the kernel, and at most `limit` if that is positive.
int most_threads_of(const void* kernel, int limit);
int multiprocessor_count();

}  // namespace simt
