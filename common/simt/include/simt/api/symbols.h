// Variables in device memory, by name: what cudaMemcpyToSymbol() and its kin are made of.
#pragma once
#include <cstddef>

#include "simt/api/errors.h"
#include "simt/api/memory.h"

namespace simt {

// The device's address of the variable that the program has at `symbol`. cudaErrorInvalidSymbol if it is none of
// __device__, __constant__ and __managed__.
cudaError_t address_of_symbol(void** pointer, const void* symbol);
cudaError_t size_of_symbol(size_t* bytes, const void* symbol);
// function: its name, for those who are told of it.
cudaError_t copy_to_symbol(const char* function, const void* symbol, const void* from, size_t bytes,
                           size_t offset, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t copy_from_symbol(const char* function, void* to, const void* symbol, size_t bytes,
                             size_t offset, cudaMemcpyKind kind, cudaStream_t stream);

}  // namespace simt
