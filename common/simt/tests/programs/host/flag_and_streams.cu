// The host waits for a flag of one stream's kernel, while another stream works on. It then reads what that kernel has
// written, and copies it in the other stream.
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/atomic>

using Flag = cuda::atomic<int, cuda::thread_scope_system>;

__global__ void fill_kernel(int* values, int* squares, int count, Flag* flag) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    values[i] = i;
    squares[i] = i * i;
  }
  __syncthreads();
  if (threadIdx.x == 0) flag->store(1, cuda::memory_order_release);
}

__global__ void other_kernel(int* others, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) others[i] = 3 * i;
}

int main() {
  const int count = 2000, bytes = count * sizeof(int);
  int *values, *others, *d_squares, *squares;
  Flag* flag;
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaMallocManaged(&values, bytes);
  cudaMallocManaged(&others, bytes);
  cudaMalloc(&d_squares, bytes);
  cudaMallocHost(&squares, bytes);
  cudaMallocHost(&flag, sizeof(Flag));
  flag->store(0);
  int wrong = 0;
  fill_kernel<<<1, 128, 0, first>>>(values, d_squares, count, flag);
  other_kernel<<<1, 128, 0, second>>>(others, count);
  while (flag->load(cuda::memory_order_acquire) == 0) {
  }
  for (int i = 0; i < count; ++i) wrong += values[i] != i;
  cudaMemcpyAsync(squares, d_squares, bytes, cudaMemcpyDeviceToHost, second);
  cudaStreamSynchronize(second);
  for (int i = 0; i < count; ++i) wrong += others[i] != 3 * i;
  for (int i = 0; i < count; ++i) wrong += squares[i] != i * i;
  std::printf("%d wrong\n", wrong);
  for (cudaStream_t stream : {first, second}) cudaStreamDestroy(stream);
  cudaFree(values);
  cudaFree(others);
  cudaFree(d_squares);
  cudaFreeHost(squares);
  cudaFreeHost(flag);
  return wrong != 0;
}

// BUG does_not_wait
// - while (flag->load(cuda::memory_order_acquire) == 0) {
// - }
// +
// ! host code uses memory at offset 0 of an allocation of 8000 bytes before it has waited for the kernel that writes it
// @ wrong += values[i] != i;

// BUG copies_before_the_flag
// - while (flag->load(cuda::memory_order_acquire) == 0) {
// - }
// - for (int i = 0; i < count; ++i) wrong += values[i] != i;
// - cudaMemcpyAsync(squares, d_squares, bytes, cudaMemcpyDeviceToHost, second);
// + cudaMemcpyAsync(squares, d_squares, bytes, cudaMemcpyDeviceToHost, second);
// + while (flag->load(cuda::memory_order_acquire) == 0) {
// + }
// + for (int i = 0; i < count; ++i) wrong += values[i] != i;
// ! cudaMemcpyAsync() reads
// ! fill_kernel in another stream writes it
// @ cudaMemcpyAsync(squares, d_squares, bytes, cudaMemcpyDeviceToHost, second);

// BUG waits_for_the_wrong_stream
// - cudaStreamSynchronize(second);
// + cudaStreamSynchronize(first);
// ! before it has waited for the kernel that writes it
// @ wrong += others[i] != 3 * i;

// BUG squares_read_too_early
// - cudaStreamSynchronize(second);
// - for (int i = 0; i < count; ++i) wrong += others[i] != 3 * i;
// - for (int i = 0; i < count; ++i) wrong += squares[i] != i * i;
// + for (int i = 0; i < count; ++i) wrong += squares[i] != i * i;
// ! before it has waited for the cudaMemcpyAsync() that writes it
// @ wrong += squares[i] != i * i;
