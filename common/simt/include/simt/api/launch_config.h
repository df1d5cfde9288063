// Kernel launches and their configuration.
#pragma once
#include <cstddef>

#include "simt/api/dim3.h"
#include "simt/api/errors.h"
#include "simt/api/events.h"

enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxL1 = 0,
  cudaSharedmemCarveoutMaxShared = 100
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeClusterDimMustBeSet = 10,
  cudaFuncAttributeRequiredClusterWidth = 11,
  cudaFuncAttributeRequiredClusterHeight = 12,
  cudaFuncAttributeRequiredClusterDepth = 13,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
  cudaFuncAttributeClusterSchedulingPolicyPreference = 15
};

// A kernel's attributes. A version is a compute capability (90: 9.0).
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion;
  int cacheModeCA, maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

// Numbers as in CUDA's driver_types.h.
enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeAccessPolicyWindow = 1,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeSynchronizationPolicy = 3,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributeProgrammaticEvent = 7,
  cudaLaunchAttributePriority = 8
};

enum cudaAccessProperty {
  cudaAccessPropertyNormal,
  cudaAccessPropertyStreaming,
  cudaAccessPropertyPersisting
};
struct cudaAccessPolicyWindow {
  void* base_ptr;
  size_t num_bytes;
  float hitRatio;
  cudaAccessProperty hitProp, missProp;
};

union cudaLaunchAttributeValue {
  char pad[64];
  cudaAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  struct {
    unsigned x, y, z;
  } clusterDim;
  int programmaticStreamSerializationAllowed;
  int priority;
};

// A stream's attributes are hints to caches, without an effect.
#define cudaStreamAttrValue cudaLaunchAttributeValue
#define cudaStreamAttrID cudaLaunchAttributeID
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue* value);

struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
};

struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};

namespace simt {

struct LaunchConfig {
  dim3 grid, block;
  size_t dynamic_shared;  // bytes per block
  cudaStream_t stream;
  const void* kernel;  // null if the compiler deduced its template arguments
  const char* name;  // the kernel's name if `kernel` is null
  bool early = false;  // a PDL launch: may begin before the previous one has ended
  dim3 cluster{};  // extent of a cluster in blocks
  // An argument that is the host's address of a variable in device memory, which a kernel cannot use.
  const void* wrong_argument = nullptr;
  bool cooperative = false;  // all blocks are resident at once, and can wait for each other
};

// Runs thread(arguments) once per thread of the grid and returns when all have exited. Returns an error of the
// configuration. The next cudaGetLastError() returns that error, or the one of the checks.
cudaError_t launch(LaunchConfig config, void (*thread)(void*), void* arguments);

// Whether a __device__ or __constant__ variable of the program has this host address.
bool is_device_variable(const void* address);

cudaError_t set_attribute(const void* kernel, cudaFuncAttribute attribute, int value);
// version: the compute capability for which the kernel's file is compiled.
cudaError_t get_attributes(cudaFuncAttributes* attributes, const void* kernel, int version);
// cudaErrorInvalidDeviceFunction for a null pointer.
cudaError_t check_kernel_pointer(const void* kernel);
// How to launch a kernel that the program passes as a pointer to void.
struct KernelPointer {
  size_t parameters;
  const size_t* sizes;  // of the parameters
  cudaError_t (*launch)(const LaunchConfig& config, void** arguments);
};
void add_kernel(const void* kernel, const KernelPointer& pointer);
// Null for a kernel that was not added. Says so on stderr, and leaves an error for cudaGetLastError().
const KernelPointer* find_kernel(const char* function, const void* kernel);
cudaError_t launch_pointer(const char* function, const LaunchConfig& config, void** arguments);

// Called before main() in a program with cooperative launches.
bool note_cooperative();

// Whether launches in this stream become nodes of a graph. capture_launch() adds one, and takes over the closure.
bool is_captured(cudaStream_t stream);
cudaError_t capture_launch(const LaunchConfig& config, void (*thread)(void*), void* closure,
                           void (*destroy)(void*));
// The configuration that <<<>>> would have. cudaErrorNotSupported for any attribute but clusters and programmatic
// stream serialization, cudaErrorInvalidValue for a null pointer.
cudaError_t read_config(const cudaLaunchConfig_t* config, const void* kernel, LaunchConfig* out);

}  // namespace simt
