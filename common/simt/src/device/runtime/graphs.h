// Work that streams capture instead of running it.
#pragma once
#include <functional>

#include "simt/api/graphs.h"

namespace simt {

using GraphWork = std::function<cudaError_t()>;

// True if the stream is being captured: `work` is then a new node, which a launch of the graph runs.
bool capture(cudaStream_t stream, cudaGraphNodeType type, GraphWork work);
// A call that waits for a stream which is being captured makes the capture invalid. True if it does.
bool end_capture(cudaStream_t stream);
// A stream records an event, or waits for one: the capture then spreads to it. True if a capture is concerned.
bool capture_record(cudaEvent_t event, cudaStream_t stream);
bool capture_wait(cudaStream_t stream, cudaEvent_t event);

}  // namespace simt
