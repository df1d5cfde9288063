// What the running program's own file says about addresses: symbols, lines and instructions.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "simt/report.h"

namespace simt {

// A thread_local variable of the program: offset in the TLS segment of a thread.
struct TlsSymbol {
  size_t offset, size;
  std::string name;
  bool shared;  // a __shared__ array, not a variable of the runtime
  bool guard;  // the compiler's note that a __shared__ array of a class has been constructed
  size_t alignment = 128;  // that the source asks for; a GPU promises no more
  std::vector<size_t>
      strides;  // bytes from one element to the next, of each dimension; empty if not known
};

// The program's code: [text_begin(), text_begin() + text_size()).
const char* text_begin();
size_t text_size();

// Whether the address is in a part of the program that nobody can write: its constants.
bool is_constant(uintptr_t address);

// The calling thread's TLS segment. Its size is the same for all threads.
uintptr_t tls_begin();
size_t tls_size();

// Sorted by offset. Empty if the program has been stripped.
const std::vector<TlsSymbol>& tls_symbols();

// The shared array at an offset in the TLS segment, by its name without the function's.
std::string shared_array(uint64_t offset);
// The same array's symbol; null for dynamic shared memory, and where there is none.
const TlsSymbol* shared_symbol(uint64_t offset);

// A variable of the program in one of the sections simt_device, simt_constant and simt_managed.
struct ProgramVariable {
  uintptr_t address;
  size_t size;
  std::string name;  // without namespaces
};
const std::vector<ProgramVariable>& device_variables();

// A function of the program.
struct Function {
  const char* begin = nullptr;
  size_t size = 0;
  std::string name;  // demangled, without parameters: gemm_kernel<true>
};
// What a kernel states about itself.
struct KernelLimits {
  unsigned most_threads = 0;  // __launch_bounds__; 0 if there are none
  size_t static_shared = 0;  // bytes of the __shared__ arrays that the kernel itself declares
  dim3 cluster{0, 0, 0};  // __cluster_dims__; 0 if there are none
  // How many dimensions of a block its file asks threads for, 1 or 2: threads that differ in others do the same. 0 if
  // that is not known.
  unsigned dimensions = 0;
};
KernelLimits limits_of(const void* kernel);

// The function that holds the address; size == 0 if none is known.
Function function_at(const void* address);

// The source lines of return addresses, in this order: of the innermost function that is neither a shim nor a header's
// wrapper of one.
// line == 0 where addr2line or the debug information is missing.
std::vector<Place> lines_of(const std::vector<const void*>& pcs);

// The place of an instruction. If it comes from inline PTX in a function that was inlined: also where the kernel calls
// that function.
struct Call {
  Place inside;  // the line that lines_of() returns
  Place at;  // line == 0 if there is no such call
};
std::vector<Call> calls_of(const std::vector<const void*>& pcs);

// Fused multiply-adds in the code of a function, each with the basic block that it belongs to: the
// return address of the block's call of the coverage callback.
struct MultiplyAdd {
  const void* block;
  const void* pc;  // behind the instruction, as a return address would be
  bool is_double;
};
// False if objdump cannot be run.
bool multiply_adds(const Function& function, std::vector<MultiplyAdd>& found);

}  // namespace simt
