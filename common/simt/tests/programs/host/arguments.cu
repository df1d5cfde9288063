// Arguments of launches: default ones, references to managed memory, structures, conversions to the parameters' types.
#include <cuda_runtime.h>

#include <cstdio>

struct Step {
  int by;
};

__managed__ Step step = {1};

// A declaration may have the default arguments, and the definition not.
__global__ void fill(int* x, int n, const int* mask = nullptr, float value = 7);

__global__ void fill(int* x, int n, const int* mask, float value) {
  const int i = threadIdx.x;
  if (i < n && (mask == nullptr || mask[i] != 0)) x[i] = int(value);
}

template <int BY>
__global__ void __launch_bounds__(64) count(int* x, int by = BY) {
  x[threadIdx.x] += by;
}

__global__ void enlarge(Step& step, int by = 1) {
  if (threadIdx.x == 0) step.by += by;
}

__global__ void walk(int* x, const Step& step) {
  x[threadIdx.x] += step.by;
}

template <typename T>
__global__ void shrink(T& step, int by) {
  if (threadIdx.x == 0) step.by -= by;
}

// A kernel gets this structure byte by byte.
struct Line {
  float4 at, slope;
};

__global__ void follow(int* x, Line line, float t = 1) {
  x[threadIdx.x] = int(line.at.w + t * line.slope.w);
}

template <typename T>
__global__ void follow_to(T* x, Line line, T t) {
  x[threadIdx.x] = T(line.at.w + t * line.slope.w);
}

bool all_are(const int* x, int value) {
  cudaDeviceSynchronize();
  bool right = true;
  for (int i = 0; i < 64; ++i) right = right && x[i] == value;
  return right;
}

int main() {
  int *x, threads = 64;
  cudaMallocManaged(&x, 64 * sizeof(int));
  fill<<<1, threads>>>(x, 64);
  bool right = all_are(x, 7);
  fill<<<1, threads>>>(x, 64, 0);
  right = all_are(x, 7) && right;
  fill<<<1, threads>>>(x, 64, x, 3);
  right = all_are(x, 3) && right;
  count<5><<<1, threads>>>(x);
  count<5><<<1, threads>>>(x, 2);
  right = all_are(x, 10) && right;

  Line line = {};
  line.at.w = 20, line.slope.w = 3;
  follow<<<1, threads>>>(x, line);
  right = all_are(x, 23) && right;
  follow_to<<<1, threads>>>(x, line, -3);
  right = all_are(x, 11) && right;

  enlarge<<<1, 32>>>(step, 2);
  shrink<<<1, 32>>>(step, 1);
  Step* const place = &step;
  void* arguments[] = {(void*)&x, (void*)&place};
  cudaLaunchKernel((void*)walk, dim3(1), dim3(64), arguments, 0, nullptr);
  right = all_are(x, 13) && step.by == 2 && right;

  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  enlarge<<<1, 32, 0, stream>>>(step);
  walk<<<1, 64, 0, stream>>>(x, step);
  fill<<<1, 1, 0, stream>>>(x + 63, 1);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
  cudaGraphLaunch(exec, stream);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  right = right && step.by == 4 && x[0] == 13 + 3 + 4 && x[63] == 7;
  std::printf("%d %d\n", step.by, x[0]);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFree(x);
  return !right || cudaGetLastError() != cudaSuccess;
}

// BUG reference_to_the_host
// - enlarge<<<1, 32>>>(step, 2);
// + Step own = {2};
// + enlarge<<<1, 32>>>(own);
// ! which is not device memory (host memory)
// @ if (threadIdx.x == 0) step.by += by;

// BUG reference_of_a_template_to_the_host
// - shrink<<<1, 32>>>(step, 1);
// + Step own = {2};
// + shrink<<<1, 32>>>(own, 1);
// ! which is not device memory (host memory)
// @ if (threadIdx.x == 0) step.by -= by;

// BUG too_many_threads
// - int *x, threads = 64;
// + int *x, threads = 128;
// ! the launch of count<5> is refused: blocks of 128 threads

// BUG wrong_default
// - float value = 7);
// + float value = 8);
// ! wrong result
