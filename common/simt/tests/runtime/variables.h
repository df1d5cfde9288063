// Programs with variables in device memory: __device__, __constant__, __managed__.
#pragma once
#include <cuda_runtime.h>

namespace runtime {

// The polynomial of these coefficients at x[i], for n values of the device.
void evaluate(const float (&coefficients)[4], const float* x, float* y, int n);
// Counts how many of n values are positive, in a variable that starts at zero.
int count_positive(const int* x, int n);
// A table in a variable, shifted by a kernel and read back from its third element on.
void shift_table(const int (&table)[8], int (&last)[5]);
// The sum of a managed array that the host fills; the kernel writes it to a managed variable.
int sum_managed(int count);
// What initial values a kernel sees, and through which pointers.
void initial_values(float (&values)[6]);
// The address and the size of the table, in bytes.
cudaError_t find_table(void** address, size_t* bytes);
// The kernel of shift_table() with pointers of cudaGetSymbolAddress().
int sum_by_address();
// An async copy of the table to shared memory and back out.
void copy_table_async(int* out);

// Mistakes.
void race_in_table();
void go_beyond_table(int by, bool visibly);
void go_beyond_constants(int by, float* out);
void write_constants();
void conflict_of_blocks();
cudaError_t pass_host_address(int* out);
int read_on_host();

}  // namespace runtime
