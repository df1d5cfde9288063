// The names of CUDA features that the CPU backend refuses.
#pragma once
#include <map>
#include <string>

namespace simt {

// From an identifier to what it belongs to.
inline const std::map<std::string, std::string>& unsupported() {
  static const std::map<std::string, std::string> table = {
      {"__constant__", "__constant__ memory"},
      {"__managed__", "managed memory"},
      {"cudaMallocManaged", "managed memory"},
      {"__nv_fp8_e4m3", "8-bit floats"},
      {"__nv_fp8_e5m2", "8-bit floats"},
      {"cudaTextureObject_t", "textures"},
      {"cudaSurfaceObject_t", "surfaces"},
      {"cudaMemcpyToSymbol", "__device__ and __constant__ variables"},
      {"cudaMemcpyFromSymbol", "__device__ and __constant__ variables"},
      {"cudaStreamCreate", "streams other than the default one"},
      {"cudaStreamCreateWithFlags", "streams other than the default one"},
      {"cudaGraph_t", "graphs"},
      {"__ballot_sync", "warp votes"},
      {"__any_sync", "warp votes"},
      {"__all_sync", "warp votes"},
      {"__activemask", "warp votes"},
      {"__match_any_sync", "warp votes"},
      {"__match_all_sync", "warp votes"},
      {"__reduce_add_sync", "warp reductions"},
      {"__syncthreads_count", "barriers that count"},
      {"__syncthreads_and", "barriers that count"},
      {"__syncthreads_or", "barriers that count"},
      {"__mbarrier_token_pending_count", "what a split barrier's token holds"},
      {"cudaLaunchCooperativeKernelMultiDevice", "launches on several devices"},
      {"clock64", "the clock"},
  };
  return table;
}

}  // namespace simt
