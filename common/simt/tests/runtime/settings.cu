#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>
#include <math_constants.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>

#include "tests/runtime/settings.h"

namespace runtime {

__global__ void __launch_bounds__(96) bounded_kernel(float* x) {
  __shared__ float values[1024];
  values[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = values[(threadIdx.x + 1) % 96] * CUDART_PI_F;
}

__global__ void plain_kernel(float* x) {
  x[threadIdx.x] = 1;
}

std::string describe_device() {
  int count = 0, device = -1;
  cudaGetDeviceCount(&count);
  cudaSetDevice(0);
  cudaGetDevice(&device);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, device);
  char text[512];
  snprintf(text, sizeof text,
           "%d: %d.%d, %d SMs, warp %d, threads %d (%d, %d, %d), grid (%d, %d, %d), shared %zu, "
           "const %zu, regs %d, memory %d, bus %d, pci %d %d %d",
           count, prop.major, prop.minor, prop.multiProcessorCount, prop.warpSize,
           prop.maxThreadsPerBlock, prop.maxThreadsDim[0], prop.maxThreadsDim[1],
           prop.maxThreadsDim[2], prop.maxGridSize[0], prop.maxGridSize[1], prop.maxGridSize[2],
           prop.sharedMemPerBlock, prop.totalConstMem, prop.regsPerBlock,
           prop.totalGlobalMem > (1u << 20), prop.memoryBusWidth, prop.pciBusID, prop.pciDeviceID,
           prop.pciDomainID);
  return text;
}

int compare_attributes() {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  const struct {
    cudaDeviceAttr attribute;
    long long expected;
  } all[] = {{cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
             {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
             {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
             {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
             {cudaDevAttrMaxSharedMemoryPerBlock, (long long)p.sharedMemPerBlock},
             {cudaDevAttrMaxSharedMemoryPerBlockOptin, (long long)p.sharedMemPerBlockOptin},
             {cudaDevAttrMaxSharedMemoryPerMultiprocessor, (long long)p.sharedMemPerMultiprocessor},
             {cudaDevAttrTotalConstantMemory, (long long)p.totalConstMem},
             {cudaDevAttrWarpSize, p.warpSize},
             {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
             {cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor},
             {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
             {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
             {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
             {cudaDevAttrComputeCapabilityMajor, p.major},
             {cudaDevAttrComputeCapabilityMinor, p.minor},
             {cudaDevAttrL2CacheSize, p.l2CacheSize},
             {cudaDevAttrManagedMemory, p.managedMemory},
             {cudaDevAttrConcurrentManagedAccess, p.concurrentManagedAccess},
             {cudaDevAttrUnifiedAddressing, p.unifiedAddressing}};
  int differ = 0;
  for (const auto& each : all) {
    int value = -1;
    differ += cudaDeviceGetAttribute(&value, each.attribute, 0) != cudaSuccess;
    differ += value != each.expected;
  }
  return differ;
}

template <typename Kernel>
static Occupancy occupancy(Kernel kernel, int threads, size_t dynamic) {
  Occupancy o = {};
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&o.blocks, kernel, threads, dynamic);
  cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&o.with_flags, kernel, threads, dynamic,
                                                         cudaOccupancyDefault);
  cudaOccupancyMaxPotentialBlockSize(&o.grid, &o.block, kernel, dynamic, 0);
  int grid = 0;
  cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &o.limited, kernel, dynamic, 80,
                                              cudaOccupancyDefault);
  const auto bytes_of = [](int block) -> size_t { return block * 256; };
  cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &o.variable, kernel, bytes_of);
  cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&grid, &o.variable, kernel, bytes_of, 0,
                                                          cudaOccupancyDefault);
  cudaOccupancyAvailableDynamicSMemPerBlock(&o.dynamic, kernel, 2, 64);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(64);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = dynamic;
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaOccupancyMaxActiveClusters(&o.clusters, kernel, &config);
  return o;
}

Occupancy occupancy_of(bool bounded, int threads, size_t dynamic) {
  return bounded ? occupancy(bounded_kernel, threads, dynamic)
                 : occupancy(plain_kernel, threads, dynamic);
}

#define RETURN_IF_FAILS(call)                                   \
  do {                                                          \
    const cudaError_t status = (call);                          \
    if (status != cudaSuccess) return cudaGetErrorName(status); \
  } while (0)

// Hints without an effect.
static const char* give_hints() {
  cudaLaunchAttributeValue window = {};
  window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  RETURN_IF_FAILS(cudaStreamSetAttribute(nullptr, cudaStreamAttributeAccessPolicyWindow, &window));
  RETURN_IF_FAILS(cudaCtxResetPersistingL2Cache());
  RETURN_IF_FAILS(cudaFuncSetCacheConfig(bounded_kernel, cudaFuncCachePreferShared));
  RETURN_IF_FAILS(cudaFuncSetAttribute(bounded_kernel,
                                       cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxShared));
  cudaMemPool_t pool;
  const cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0},
                                    cudaMemAccessFlagsProtReadWrite};
  RETURN_IF_FAILS(cudaDeviceGetDefaultMemPool(&pool, 0));
  RETURN_IF_FAILS(cudaMemPoolSetAccess(pool, &access, 1));
  return "";
}

static bool knows_devices() {
  char id[32];
  int same = -1, atomics = -1;
  const bool known =
      cudaDeviceGetPCIBusId(id, sizeof id, 0) == cudaSuccess &&
      cudaDeviceGetByPCIBusId(&same, id) == cudaSuccess && same == 0 && strlen(id) == 12 &&
      cudaDeviceGetByPCIBusId(&same, "gpu") == cudaErrorInvalidValue &&
      cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, 0, 0) ==
          cudaErrorInvalidDevice;
  cudaGetLastError();
  return known;
}

std::string prepare_device() {
  nvtxRangePushA("prepare");
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.colorType = NVTX_COLOR_ARGB;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "settings";
  nvtxRangePushEx(&event);
  const nvtxRangeId_t range = nvtxRangeStartA("all");
  const nvtxRangeId_t other = nvtxRangeStartEx(&event);
  nvtxMarkA("here");
  nvtxMarkEx(&event);
  nvtxNameOsThreadA(1, "host");
  nvtxNameCategoryA(1, "runtime");
  nvtxNameCudaDeviceA(0, "device");
  nvtxNameCudaStreamA(0, "default");
  const nvtxDomainHandle_t domain = nvtxDomainCreateA("tests");
  nvtxDomainRangePushEx(domain, &event);
  nvtxDomainRangePop(domain);
  nvtxDomainDestroy(domain);
  cudaEvent_t point;
  RETURN_IF_FAILS(cudaEventCreate(&point));
  nvtxNameCudaEventA(point, "point");
  RETURN_IF_FAILS(cudaEventDestroy(point));
  RETURN_IF_FAILS(cudaProfilerStart());
  int runtime_version = 0, driver_version = 0, least = 0, greatest = 0, can = 1;
  RETURN_IF_FAILS(cudaRuntimeGetVersion(&runtime_version));
  RETURN_IF_FAILS(cudaDriverGetVersion(&driver_version));
  RETURN_IF_FAILS(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync | cudaDeviceMapHost));
  unsigned flags = 0;
  RETURN_IF_FAILS(cudaGetDeviceFlags(&flags));
  size_t stack = 0, free_bytes = 0, total = 0;
  RETURN_IF_FAILS(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  RETURN_IF_FAILS(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
  RETURN_IF_FAILS(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  cudaFuncCache config;
  RETURN_IF_FAILS(cudaDeviceGetCacheConfig(&config));
  RETURN_IF_FAILS(cudaMemGetInfo(&free_bytes, &total));
  RETURN_IF_FAILS(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  RETURN_IF_FAILS(cudaDeviceCanAccessPeer(&can, 0, 0));
  const char* const refused = give_hints();
  if (*refused != 0) return refused;
  if (!knows_devices()) return "identifiers of devices";
  cudaDeviceProp wanted = {};
  int chosen = -1;
  RETURN_IF_FAILS(cudaChooseDevice(&chosen, &wanted));
  RETURN_IF_FAILS(cudaProfilerStop());
  RETURN_IF_FAILS(cudaDeviceReset());
  nvtxRangeEnd(other);
  nvtxRangeEnd(range);
  nvtxRangePop();
  nvtxRangePop();
  const bool right = runtime_version == CUDART_VERSION && driver_version >= runtime_version &&
                     stack == 4096 && config == cudaFuncCachePreferL1 && free_bytes <= total &&
                     greatest <= least && can == 0 && chosen == 0 &&
                     (flags & cudaDeviceScheduleMask) == cudaDeviceScheduleBlockingSync;
  return right ? "" : "wrong values";
}

// As public repositories have it.
#define gpuErrchk(ans) gpuAssert((ans), __LINE__)
static std::string gpuAssert(cudaError_t code, int line) {
  if (code == cudaSuccess) return "";
  return std::to_string(line) + ": " + cudaGetErrorName(code) + ", " + cudaGetErrorString(code);
}

std::string check_failing_call() {
  const std::string said = gpuErrchk(cudaSetDevice(1000));
  cudaGetLastError();
  return said.substr(said.find(':'));
}

cudaError_t attributes_of(cudaFuncAttributes* attributes) {
  return cudaFuncGetAttributes(attributes, (const void*)bounded_kernel);
}

}  // namespace runtime
