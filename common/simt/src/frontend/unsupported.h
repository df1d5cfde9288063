// The names of CUDA features that the CPU backend refuses.
#pragma once
#include <map>
#include <string>

namespace simt {

// From an identifier to what it belongs to.
inline const std::map<std::string, std::string>& unsupported() {
  static const std::map<std::string, std::string> table = {
      {"cudaLaunchCooperativeKernel", "cooperative groups"},
      {"this_grid", "cooperative groups other than blocks and clusters"},
      {"tiled_partition", "cooperative groups other than blocks and clusters"},
      {"thread_block_tile", "cooperative groups other than blocks and clusters"},
      {"coalesced_threads", "cooperative groups other than blocks and clusters"},
      {"cudaTextureObject_t", "textures"},
      {"cudaSurfaceObject_t", "surfaces"},
      {"cudaGraph_t", "graphs"},
      {"cudaGraphExec_t", "graphs"},
      {"cudaStreamBeginCapture", "graphs"},
      {"cudaMallocArray", "CUDA arrays"},
      {"cudaMalloc3DArray", "CUDA arrays"},
      {"cudaMemcpyToArray", "CUDA arrays"},
      {"cudaMemcpy2DToArray", "CUDA arrays"},
      {"cudaIpcMemHandle_t", "memory that processes share"},
      {"cudaExternalMemory_t", "memory of other interfaces"},
      {"bmma_sync", "products of single bits"},
      {"__mbarrier_arrive_and_drop", "split barriers whose number of arrivals changes"},
      {"__mbarrier_token_pending_count", "what a split barrier's token holds"},
      {"__mbarrier_test_wait_parity", "split barriers waited for by parity, but in inline PTX"},
      {"__mbarrier_try_wait", "waits for split barriers with a time"},
      {"__mbarrier_try_wait_parity", "waits for split barriers with a time"},
  };
  return table;
}

}  // namespace simt
