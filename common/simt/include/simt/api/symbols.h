// Variables in device memory, by name. cudaMemcpyToSymbol() and the like call these functions.
#pragma once
#include <cstddef>

#include "simt/api/errors.h"
#include "simt/api/memory.h"

namespace simt {

// The device address of the variable whose host address is `symbol`. cudaErrorInvalidSymbol unless it is __device__,
// __constant__ or __managed__.
cudaError_t address_of_symbol(void** pointer, const void* symbol);
cudaError_t size_of_symbol(size_t* bytes, const void* symbol);
// function: the name of the CUDA function, for messages.
cudaError_t copy_to_symbol(const char* function, const void* symbol, const void* from, size_t bytes,
                           size_t offset, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t copy_from_symbol(const char* function, void* to, const void* symbol, size_t bytes,
                             size_t offset, cudaMemcpyKind kind, cudaStream_t stream);

}  // namespace simt
