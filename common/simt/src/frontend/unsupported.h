// The names of CUDA features that the CPU backend refuses.
#pragma once
#include <map>
#include <string>

namespace simt {

// Maps an identifier to its feature, which the message names.
inline const std::map<std::string, std::string>& unsupported() {
  static const std::map<std::string, std::string> table = {
      {"cudaTextureObject_t", "textures"},
      {"cudaSurfaceObject_t", "surfaces"},
      {"cudaGraphAddMemAllocNode", "nodes of graphs that allocate memory"},
      {"cudaGraphConditionalHandle", "conditional nodes of graphs"},
      {"cudaMallocArray", "CUDA arrays"},
      {"cudaMalloc3DArray", "CUDA arrays"},
      {"cudaMemcpyToArray", "CUDA arrays"},
      {"cudaMemcpy2DToArray", "CUDA arrays"},
      {"cudaIpcMemHandle_t", "memory that processes share"},
      {"cudaExternalMemory_t", "memory of other interfaces"},
      {"CUcontext", "contexts of the driver API"},
      {"CUdevice", "devices of the driver API"},
      {"CUfunction", "functions of the driver API"},
      {"CUmodule", "modules of the driver API"},
      {"block_tile_memory", "tiles of more than 32 threads"},
      {"bmma_sync", "products of single bits"},
      {"__mbarrier_token_pending_count", "the pending count of an mbarrier"},
      {"cudaLaunchCooperativeKernelMultiDevice", "launches on several devices"},
  };
  return table;
}

// Maps the start of names to a library. A capital letter follows it.
inline const std::map<std::string, std::string>& unsupported_libraries() {
  static const std::map<std::string, std::string> table = {
      {"cublasLt", "cublasLt"}, {"cublasXt", "cublasXt"}, {"cudnn", "cuDNN"},
      {"cufft", "cuFFT"},       {"cusolver", "cuSOLVER"}, {"cusparse", "cuSPARSE"},
      {"nccl", "NCCL"},         {"nvml", "NVML"},         {"nvrtc", "NVRTC"},
  };
  return table;
}

}  // namespace simt
