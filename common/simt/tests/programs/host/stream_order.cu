// Everything that orders operations of different streams: the default stream, events, waits of the host, a graph; and
// kernels of two streams on parts of one array.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kCount = 1000, kBytes = kCount * sizeof(int), kBlocks = (kCount + 127) / 128;

__global__ void fill_kernel(int* to, int count, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = value;
}

__global__ void add_kernel(int* to, const int* from, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] += from[i];
}

int wrong(const int* device, int expected) {
  static int host[kCount];
  cudaMemcpy(host, device, kBytes, cudaMemcpyDeviceToHost);
  int count = 0;
  for (int value : host) count += value != expected;
  return count;
}

// A graph belongs to the stream that launches it.
void run_graph(int* a, int* b, cudaStream_t stream) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  fill_kernel<<<kBlocks, 128, 0, stream>>>(a, kCount, 3);
  cudaMemcpyAsync(b, a, kBytes, cudaMemcpyDeviceToDevice, stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}

int main() {
  int *a, *b;
  cudaStream_t blocking, first, second;
  cudaEvent_t done;
  cudaMalloc(&a, kBytes);
  cudaMalloc(&b, kBytes);
  cudaStreamCreate(&blocking);
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  cudaMemset(b, 0, kBytes);
  // The default stream and blocking streams wait for each other.
  fill_kernel<<<kBlocks, 128, 0, blocking>>>(a, kCount, 1);
  add_kernel<<<kBlocks, 128>>>(b, a, kCount);
  cudaMemsetAsync(a, 0, kBytes, blocking);
  cudaDeviceSynchronize();
  // An event orders two streams, and the host waits for the second one.
  fill_kernel<<<kBlocks, 128, 0, first>>>(a, kCount, 2);
  cudaEventRecord(done, first);
  cudaStreamWaitEvent(second, done, 0);
  add_kernel<<<kBlocks, 128, 0, second>>>(b, a, kCount);
  cudaStreamSynchronize(second);
  int errors = wrong(b, 3);
  // Two streams work on two halves.
  const int half = kCount / 2;
  add_kernel<<<kBlocks, 128, 0, first>>>(b, a, half);
  add_kernel<<<kBlocks, 128, 0, second>>>(b + half, a + half, half);
  cudaDeviceSynchronize();
  errors += wrong(b, 5);
  // A function of the host runs after its stream's kernel, and tells the host so.
  static volatile bool ran = false;
  fill_kernel<<<kBlocks, 128, 0, first>>>(a, kCount, 1);
  if (cudaLaunchHostFunc(
          first, [](void*) { ran = true; }, nullptr) == cudaSuccess) {
    while (!ran) {
    }
  }
  add_kernel<<<kBlocks, 128, 0, second>>>(b, a, kCount);
  cudaDeviceSynchronize();
  errors += wrong(b, 6);
  run_graph(a, b, first);
  cudaEventRecord(done, first);
  cudaEventSynchronize(done);
  add_kernel<<<kBlocks, 128, 0, second>>>(b, a, kCount);
  cudaStreamSynchronize(second);
  errors += wrong(b, 6);
  std::printf("%d wrong\n", errors);
  cudaEventDestroy(done);
  for (cudaStream_t stream : {blocking, first, second}) cudaStreamDestroy(stream);
  cudaFree(a);
  cudaFree(b);
  return errors != 0;
}

// BUG stream_does_not_block
// - cudaStreamCreate(&blocking);
// + cudaStreamCreateWithFlags(&blocking, cudaStreamNonBlocking);
// ! fill_kernel in another stream writes it
// @ if (i < count) to[i] += from[i];

// BUG memset_while_a_kernel_writes
// - cudaMemsetAsync(a, 0, kBytes, blocking);
// + cudaMemsetAsync(a, 0, kBytes, first);
// ! cudaMemsetAsync() writes
// ! fill_kernel in another stream writes it
// @ cudaMemsetAsync(a, 0, kBytes, first);

// BUG filled_while_a_memset_writes
// - cudaDeviceSynchronize();
// - // An event orders
// + // An event orders
// ! cudaMemsetAsync() in another stream writes it
// @ if (i < count) to[i] = value;

// BUG recorded_too_early
// - fill_kernel<<<kBlocks, 128, 0, first>>>(a, kCount, 2);
// - cudaEventRecord(done, first);
// + cudaEventRecord(done, first);
// + fill_kernel<<<kBlocks, 128, 0, first>>>(a, kCount, 2);
// ! fill_kernel in another stream writes it
// @ if (i < count) to[i] += from[i];

// BUG copied_back_too_early
// - cudaStreamSynchronize(second);
// - int errors
// + int errors
// ! cudaMemcpy() reads
// ! add_kernel in another stream writes it
// @ cudaMemcpy(host, device, kBytes, cudaMemcpyDeviceToHost);

// BUG halves_overlap
// - add_kernel<<<kBlocks, 128, 0, first>>>(b, a, half);
// + add_kernel<<<kBlocks, 128, 0, first>>>(b, a, half + 1);
// ! at offset 2000
// ! add_kernel in another stream writes it
// @ if (i < count) to[i] += from[i];

// BUG graph_not_waited_for
// - cudaEventSynchronize(done);
// +
// ! cudaMemcpyAsync() in another stream writes it
// @ if (i < count) to[i] += from[i];

// BUG filled_while_a_kernel_reads
// - cudaDeviceSynchronize();
// - errors += wrong(b, 6);
// - run_graph(a
// + run_graph(a
// ! add_kernel in another stream reads it
// @ if (i < count) to[i] = value;
