// Copies to and from variables in device memory. The symbol is the variable itself.
#pragma once
#include "simt/api/symbols.h"

template <typename T>
cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return simt::address_of_symbol(pointer, (const void*)&symbol);
}
template <typename T>
cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
  return simt::size_of_symbol(bytes, (const void*)&symbol);
}
template <typename T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return simt::copy_to_symbol("cudaMemcpyToSymbol", (const void*)&symbol, from, bytes, offset, kind,
                              nullptr);
}
template <typename T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes,
                                    size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                    cudaStream_t stream = nullptr) {
  return simt::copy_to_symbol("cudaMemcpyToSymbolAsync", (const void*)&symbol, from, bytes, offset,
                              kind, stream);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return simt::copy_from_symbol("cudaMemcpyFromSymbol", to, (const void*)&symbol, bytes, offset,
                                kind, nullptr);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                      cudaStream_t stream = nullptr) {
  return simt::copy_from_symbol("cudaMemcpyFromSymbolAsync", to, (const void*)&symbol, bytes,
                                offset, kind, stream);
}
