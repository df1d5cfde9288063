// Addresses, sizes and copies of variables in device memory.
#include "simt/api/symbols.h"

#include <string>

#include "device/device.h"
#include "host/host.h"
#include "memory/memory.h"
#include "reports/reports.h"
#include "simt/api/launch_config.h"

namespace {

using simt::remember;

// Returns the variable that begins at this address of the program; bytes == 0 if there is none.
simt::Allocation variable_at(const void* symbol) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(symbol);
  const uintptr_t mirror = simt::in_device_memory(address);
  const simt::Allocation found = simt::Arena::get().nearest(mirror);
  const bool known = simt::has_device_variables() && mirror != address && found.begin == mirror;
  return known ? found : simt::Allocation();
}

// Finds the address of `bytes` bytes at `offset` in a variable.
cudaError_t place_in(const char* function, const void* symbol, size_t bytes, size_t offset,
                     void** place) {
  const simt::Allocation variable = variable_at(symbol);
  if (variable.bytes == 0) {
    simt::tell_host_error(std::string(function) +
                          "() fails: its symbol is no variable of __device__, __constant__ or "
                          "__managed__ (or a constant, which needs no memory)");
    return cudaErrorInvalidSymbol;
  }
  if (offset > variable.bytes || bytes > variable.bytes - offset) {
    simt::tell_host_error(std::string(function) + "() fails: its symbol has " +
                          std::to_string(variable.bytes) + " bytes, but the call needs " +
                          std::to_string(bytes) + " from offset " + std::to_string(offset) + " on");
    return cudaErrorInvalidValue;
  }
  *place = reinterpret_cast<void*>(variable.begin + offset);
  return cudaSuccess;
}

bool waits(const std::string& function) {
  return function.find("Async") == std::string::npos;
}

}  // namespace

bool simt::is_device_variable(const void* address) {
  const VariableSection* const section = variable_section_at(reinterpret_cast<uintptr_t>(address));
  return section != nullptr && section->space < VariableSpace::kManaged;
}

cudaError_t simt::address_of_symbol(void** pointer, const void* symbol) {
  if (pointer == nullptr) return remember(cudaErrorInvalidValue);
  if (fails("cudaGetSymbolAddress")) return remember(cudaErrorInvalidSymbol);
  return remember(place_in("cudaGetSymbolAddress", symbol, 0, 0, pointer));
}

cudaError_t simt::size_of_symbol(size_t* bytes, const void* symbol) {
  if (bytes == nullptr) return remember(cudaErrorInvalidValue);
  *bytes = variable_at(symbol).bytes;
  return *bytes != 0 ? cudaSuccess : remember(cudaErrorInvalidSymbol);
}

cudaError_t simt::copy_to_symbol(const char* function, const void* symbol, const void* from,
                                 size_t bytes, size_t offset, cudaMemcpyKind kind,
                                 cudaStream_t stream) {
  void* place = nullptr;
  const cudaError_t status = place_in(function, symbol, bytes, offset, &place);
  if (status != cudaSuccess) return remember(status);
  if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost) {
    return remember(cudaErrorInvalidMemcpyDirection);
  }
  return waits(function) ? cudaMemcpy(place, from, bytes, kind)
                         : cudaMemcpyAsync(place, from, bytes, kind, stream);
}

cudaError_t simt::copy_from_symbol(const char* function, void* to, const void* symbol, size_t bytes,
                                   size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  void* place = nullptr;
  const cudaError_t status = place_in(function, symbol, bytes, offset, &place);
  if (status != cudaSuccess) return remember(status);
  if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice) {
    return remember(cudaErrorInvalidMemcpyDirection);
  }
  return waits(function) ? cudaMemcpy(to, place, bytes, kind)
                         : cudaMemcpyAsync(to, place, bytes, kind, stream);
}
