// Kernels with cuda::atomic, cuda::atomic_ref and cuda::std.
#pragma once

namespace atomics {

void operations(int* in, int* out);  // 32 threads
void counters(int* out);
void volatiles(int* out);
void pair(int* out);  // 32 threads
// Block 0 writes a number and then a flag; block 1 waits for the flag and reads the number.
void flag(int* in, int* out, bool releases);
// The same with volatile words and a fence.
void fence(int* in, int* out, bool fences);
void standard(int* out);

}  // namespace atomics
