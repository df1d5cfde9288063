// Streams. Everything runs synchronously, in the order of the host's calls. CUDA allows that order, so a missing event
// between two streams is not found.
#pragma once
#include "simt/api/errors.h"
#include "simt/api/events.h"

enum { cudaStreamNonBlocking = 1 };
enum { cudaEventWaitDefault = 0, cudaEventWaitExternal = 1 };

// Other names of the default stream, and the stream of the calling host thread.
#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(1))
#define cudaStreamPerThread (reinterpret_cast<cudaStream_t>(2))

#define CUDART_CB
typedef void (*cudaHostFn_t)(void* data);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void* data);

cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
// A priority beyond the range of cudaDeviceGetStreamPriorityRange() is clamped to it.
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id);

// cudaErrorInvalidResourceHandle for a stream that does not exist or has been destroyed.
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
// The function runs at once, because all earlier work is done.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags);

namespace simt {
// The status of a launch or copy on this stream: cudaSuccess, or cudaErrorInvalidResourceHandle.
cudaError_t check_stream(cudaStream_t stream);
}  // namespace simt
