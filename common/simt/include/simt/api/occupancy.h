// How many blocks of a kernel fit on a multiprocessor at a time, by threads and shared memory. The backend does not
// know a kernel's registers, so a GPU may have room for fewer.
#pragma once
#include <cstddef>

#include "simt/api/errors.h"
#include "simt/api/launch_config.h"

enum { cudaOccupancyDefault = 0, cudaOccupancyDisableCachingOverride = 1 };

namespace simt {

cudaError_t count_resident_blocks(int* blocks, const void* kernel, int threads, size_t dynamic);
cudaError_t count_resident_clusters(int* clusters, const void* kernel,
                                    const cudaLaunchConfig_t* config);
// The blocks that a cluster of the kernel may have.
cudaError_t find_largest_cluster(int* size, const void* kernel, const cudaLaunchConfig_t* config);
// The dynamic shared memory that each of so many blocks may have.
cudaError_t find_dynamic_shared(size_t* bytes, const void* kernel, int blocks, int threads);
// The most threads that a block of the kernel may have; 0 < limit: and no more than limit.
int most_threads_of(const void* kernel, int limit);
int multiprocessor_count();

}  // namespace simt
