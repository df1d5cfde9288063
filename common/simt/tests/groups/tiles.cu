#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cuda/atomic>
#include <cuda/barrier>

#include "tests/groups/tiles.h"

namespace tiles {
namespace {

namespace cg = cooperative_groups;

// Functions of the host with names of cooperative groups.
[[maybe_unused]] int reduce(const int* numbers, int count) {
  return count == 0 ? 0 : numbers[0] + reduce(numbers + 1, count - 1);
}

struct Out {
  int* to;
  int row = 0;
  __device__ explicit Out(int* out) : to(out) {}
  template <typename T>
  __device__ void operator()(T value) {
    to[row++ * THREADS + threadIdx.x] = int(value);
  }
};

__global__ void shuffles_kernel(const int* in, int* to) {
  Out out(to);
  const int v = in[threadIdx.x];
  cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  out(tile.shfl(v, 3));
  out(tile.shfl_up(v, 2));
  out(tile.shfl_down(v, 5));
  out(tile.shfl_xor(v, 7));
  const cg::thread_block_tile<4> small = cg::tiled_partition<4>(tile);
  out(small.shfl(double(v), 1));
  struct Pair {
    int a[5];
  } pair = {{v, 1, 2, 3, v + 1}};
  out(small.shfl_xor(pair, 2).a[4]);
  out(cg::tiled_partition<1>(block).shfl(v, 0));
}

// float4 and the like, and a structure that has one.
__global__ void vectors_kernel(const int* in, int* to) {
  Out out(to);
  const int v = in[threadIdx.x];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  out(tile.shfl_xor(make_float2(0, v), 7).y);
  out(tile.shfl_xor(make_uint4(0, 0, 0, v), 7).w);
  out(__half2float(tile.shfl_xor(__float2half(v % 100), 7)));
  struct Sum {
    float4 total;
    int parts;
  } sum = {make_float4(0, 0, 0, v), 1};
  out(tile.shfl_xor(sum, 7).total.w);
  const auto most = [](float4 a, float4 b) { return a.w > b.w ? a : b; };
  out(cg::reduce(tile, make_float4(0, 0, 0, v), most).w);
  out(cg::inclusive_scan(tile, make_float4(0, 0, 0, v), most).w);
}

__global__ void votes_kernel(const int* in, int* to) {
  Out out(to);
  const int v = in[threadIdx.x];
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  out(tile.any(v > 990));
  out(tile.all(v > 90));
  out(tile.ballot(v % 2));
  out(tile.match_any(v % 3));
  int same = -1;
  const unsigned all = tile.match_all(v > 200, same);
  out(all);
  out(same);
}

__global__ void reductions_kernel(const int* in, int* to) {
  Out out(to);
  const int v = in[threadIdx.x];
  auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  out(cg::reduce(tile, v, cg::plus<int>()));
  out(cg::reduce(tile, v, cg::less<int>()));
  out(cg::reduce(tile, v, cg::greater<int>()));
  out(cg::reduce(tile, v, cg::bit_and<int>()));
  out(cg::reduce(tile, v, cg::bit_or<int>()));
  out(cg::reduce(tile, v, cg::bit_xor<int>()));
  out(cg::reduce(cg::tiled_partition<2>(block), v * 0.5, cg::plus<double>()));
  out(cg::reduce(tile, v, [](int a, int b) { return a % 10 > b % 10 ? a : b; }) % 10);
}

__global__ void stored_kernel(const int* in, int* out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> most;
  if (threadIdx.x == 0) most.store(-1);
  __syncthreads();
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  cg::reduce_store_async(tile, out + threadIdx.x / 16, in[threadIdx.x], cg::plus<int>());
  cg::reduce_update_async(tile, most, in[threadIdx.x], cg::greater<int>());
  __syncthreads();
  if (threadIdx.x == 0) out[16] = most.load();
}

__global__ void scans_kernel(const int* in, int* to) {
  Out out(to);
  const int v = in[threadIdx.x];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  out(cg::inclusive_scan(tile, v));
  out(cg::exclusive_scan(tile, v));
  out(cg::inclusive_scan(tile, v, cg::greater<int>()));
  out(cg::exclusive_scan(tile, v, cg::bit_or<int>()));
}

__global__ void ranks_kernel(int* to) {
  Out out(to);
  auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto tile = cg::tiled_partition<8>(warp);
  out(block.thread_rank() + block.size() + block.num_threads() + block.dim_threads().x);
  out(warp.meta_group_rank() * 100 + warp.meta_group_size());
  out(tile.meta_group_rank() * 100 + tile.meta_group_size());
  out(tile.thread_rank() * 100 + tile.size() + tile.num_threads());
  out(cg::thread_rank(tile) + cg::thread_block::size());
  int calls = 0;
  cg::invoke_one(tile, [&] { calls = 1; });
  out(calls);
  out(cg::invoke_one_broadcast(tile, [&] { return int(threadIdx.x); }));
}

__global__ void coalesced_kernel(const int* in, int* to) {
  Out out(to);
  const int v = in[threadIdx.x];
  if (v % 3 == 0) {
    cg::coalesced_group group = cg::coalesced_threads();
    out(group.size());
    out(group.thread_rank());
    out(group.shfl(v, 1));
    out(group.shfl_down(v, 1));
    out(group.ballot(v % 2));
    out(cg::reduce(group, v, cg::plus<int>()));
    out(cg::exclusive_scan(group, 1));
    group.sync();
    out(cg::tiled_partition(group, 2).size());
  }
}

__global__ void partitions_kernel(const int* in, int* to) {
  Out out(to);
  const int v = in[threadIdx.x];
  const auto warp = cg::tiled_partition<16>(cg::this_thread_block());
  const cg::coalesced_group same = cg::labeled_partition(warp, v % 5);
  out(same.size());
  out(cg::reduce(same, v, cg::plus<int>()));
  out(same.meta_group_size());
  const cg::coalesced_group odd = cg::binary_partition(warp, v % 2 != 0);
  out(odd.num_threads());
  out(odd.thread_rank());
}

// A group of any kind, as older programs have it.
__device__ int sum_group(cg::thread_group group, int* numbers, int v) {
  const int rank = group.thread_rank();
  for (int i = group.size() / 2; i > 0; i /= 2) {
    numbers[rank] = v;
    group.sync();
    if (rank < i) v += numbers[rank + i];
    cg::sync(group);
  }
  return v;
}
template <unsigned SIZE>
__device__ int sum_tile(const cg::thread_block_tile<SIZE>& thread_block_tile, int v) {
  for (int i = thread_block_tile.size() / 2; i > 0; i /= 2) {
    v += thread_block_tile.shfl_down(v, i);
  }
  return v;
}
__global__ void generic_kernel(const int* in, int* to) {
  __shared__ int numbers[64];
  Out out(to);
  const int t = threadIdx.x, v = in[t];
  cg::thread_block tiled_partition = cg::this_thread_block();  // a name of one's own
  out(sum_group(tiled_partition, numbers, v));
  out(sum_group(cg::tiled_partition(tiled_partition, 16), numbers + t / 16 * 16, v));
  out(sum_tile<8>(cg::tiled_partition<8>(tiled_partition), v));
}

__global__ void copies_kernel(const int* in, int* out, bool waits) {
  __shared__ int numbers[256];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, numbers, in, sizeof(int) * 256);  // COPY group
  if (waits) cg::wait(block);
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    out[i] = numbers[255 - i];  // ERROR copy
  }
}

__global__ void stages_kernel(const int* in, int* out, bool all) {
  __shared__ int numbers[2][64];
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  cg::memcpy_async(tile, numbers[0], 64, in, 100);
  cg::memcpy_async(tile, numbers[1], cuda::aligned_size_t<4>(64), in + 64,
                   cuda::aligned_size_t<4>(64));
  cg::wait_prior<1>(tile);
  out[threadIdx.x] = numbers[0][63 - threadIdx.x];
  if (all) cg::wait(tile);
  out[64 + threadIdx.x] = numbers[1][63 - threadIdx.x];  // ERROR stage
}

__global__ void neighbour_kernel(const int* in, int* out, Bug bug) {
  __shared__ int numbers[64];
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  numbers[threadIdx.x] = in[threadIdx.x];  // WRITE neighbour
  if (bug != NO_SYNC) tile.sync();
  out[threadIdx.x] = numbers[threadIdx.x ^ 9];  // ERROR neighbour
}

__global__ void sum_kernel(const int* in, int* out, Bug bug) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  if (bug == ONE_EXITS && tile.thread_rank() == 3) return;
  out[threadIdx.x] = cg::reduce(tile, in[threadIdx.x], cg::plus<int>());  // ERROR sum
}

}  // namespace

void shuffles(int* in, int* out) {
  shuffles_kernel<<<1, THREADS>>>(in, out);
}
void vectors(int* in, int* out) {
  vectors_kernel<<<1, THREADS>>>(in, out);
}
void votes(int* in, int* out) {
  votes_kernel<<<1, THREADS>>>(in, out);
}
void reductions(int* in, int* out) {
  reductions_kernel<<<1, THREADS>>>(in, out);
}
void stored(int* in, int* out) {
  stored_kernel<<<1, THREADS>>>(in, out);
}
void scans(int* in, int* out) {
  scans_kernel<<<1, THREADS>>>(in, out);
}
void ranks(int* out) {
  ranks_kernel<<<1, THREADS>>>(out);
}
void coalesced(int* in, int* out) {
  coalesced_kernel<<<1, THREADS>>>(in, out);
}
void partitions(int* in, int* out) {
  partitions_kernel<<<1, THREADS>>>(in, out);
}
void generic(int* in, int* out) {
  generic_kernel<<<1, 64>>>(in, out);
}
void copies(int* in, int* out, bool waits) {
  copies_kernel<<<1, 64>>>(in, out, waits);
}
void stages(int* in, int* out, bool all) {
  stages_kernel<<<1, 32>>>(in, out, all);
}
void neighbour(int* in, int* out, Bug bug) {
  neighbour_kernel<<<1, 64>>>(in, out, bug);
}
void sum(int* in, int* out, Bug bug) {
  sum_kernel<<<1, 64>>>(in, out, bug);
}

}  // namespace tiles
