// Attributes of kernels: cudaFuncSetAttribute() and cudaFuncGetAttributes().
#include <map>
#include <set>
#include <string>
#include <utility>

#include "device/device.h"
#include "execution/execution.h"
#include "host/host.h"
#include "program/program.h"
#include "reports/reports.h"
#include "simt/api/launch_config.h"
#include "simt/report.h"

namespace simt {
namespace {

// Limits of dynamic shared memory in bytes by device and kernel, as set by cudaFuncSetAttribute().
std::map<std::pair<int, const void*>, size_t>& dynamic_limits() {
  static std::map<std::pair<int, const void*>, size_t> all;
  return all;
}

// Kernels with cudaFuncAttributeNonPortableClusterSizeAllowed.
std::set<const void*>& non_portable() {
  static std::set<const void*> all;
  return all;
}

std::map<const void*, KernelPointer>& kernel_pointers() {
  static std::map<const void*, KernelPointer> all;
  return all;
}

}  // namespace

unsigned most_in_cluster(const void* kernel) {
  return non_portable().count(kernel) == 0 ? Cluster::kMost : Cluster::kMostNonPortable;
}

const size_t* dynamic_limit_of(const void* kernel) {
  const auto found = dynamic_limits().find({current_device(), kernel});
  return found == dynamic_limits().end() ? nullptr : &found->second;
}

cudaError_t set_attribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
    return cudaSuccess;  // a hint
  }
  if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed && (value == 0 || value == 1)) {
    if (value != 0) non_portable().insert(kernel);
    if (value == 0) non_portable().erase(kernel);
    return cudaSuccess;
  }
  if (fails("cudaFuncSetAttribute") || attribute != cudaFuncAttributeMaxDynamicSharedMemorySize ||
      value < 0) {
    return remember(cudaErrorInvalidValue);
  }
  if (!is_code(kernel)) {
    tell_host_error(
        "cudaFuncSetAttribute() fails: its first argument must be a kernel, without & or quotes");
    return remember(cudaErrorInvalidDeviceFunction);
  }
  const size_t own = limits_of(kernel).static_shared;
  if (own + size_t(value) > shared_limit()) {
    tell_host_error("cudaFuncSetAttribute() fails: " + std::to_string(value) +
                    " bytes of dynamic and " + std::to_string(own) +
                    " of static shared memory, but a block has at most " +
                    std::to_string(shared_limit()));
    return remember(cudaErrorInvalidValue);
  }
  dynamic_limits()[{current_device(), kernel}] = size_t(value);
  return cudaSuccess;
}

cudaError_t get_attributes(cudaFuncAttributes* attributes, const void* kernel, int version) {
  if (fails("cudaFuncGetAttributes") || attributes == nullptr || kernel == nullptr) {
    return remember(cudaErrorInvalidValue);
  }
  const KernelLimits limits = limits_of(kernel);
  const size_t* const opted_in = dynamic_limit_of(kernel);
  *attributes = {};
  attributes->sharedSizeBytes = limits.static_shared;
  attributes->maxThreadsPerBlock = limits.most_threads != 0 ? int(limits.most_threads) : 1024;
  attributes->ptxVersion = attributes->binaryVersion = version;
  attributes->maxDynamicSharedSizeBytes =
      int(opted_in != nullptr ? *opted_in : kStaticSharedLimit - limits.static_shared);
  return cudaSuccess;
}

cudaError_t check_kernel_pointer(const void* kernel) {
  return kernel != nullptr ? cudaSuccess : remember(cudaErrorInvalidDeviceFunction);
}

void add_kernel(const void* kernel, const KernelPointer& pointer) {
  const Turn turn;
  kernel_pointers()[kernel] = pointer;
}

const KernelPointer* find_kernel(const char* function, const void* kernel) {
  const Turn turn;
  const auto found = kernel_pointers().find(kernel);
  if (found != kernel_pointers().end()) return &found->second;
  const std::string name = kernel == nullptr ? "" : function_at(kernel).name;
  tell_host_error(
      std::string(function) + "() is refused: the CPU backend does not know the kernel " +
      (name.empty() ? "" : name + " ") + "by this pointer; cast the kernel itself: (void*)kernel");
  remember(kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaErrorNotSupported);
  return nullptr;
}

cudaError_t launch_pointer(const char* function, const LaunchConfig& config, void** arguments) {
  const KernelPointer* const kernel = find_kernel(function, config.kernel);
  if (kernel == nullptr) return last_error();
  if (kernel->parameters > 0 && arguments == nullptr) return remember(cudaErrorInvalidValue);
  return kernel->launch(config, arguments);
}

}  // namespace simt
