// Symbols, source lines and instructions of the running program.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simt/report.h"

namespace simt {

// A thread_local variable of the program, at an offset in the thread's TLS segment.
struct TlsSymbol {
  size_t offset, size;
  std::string name;
  bool shared;  // a __shared__ array, not another variable of the program or the runtime
  bool guard;  // guard variable of a __shared__ array with a constructor
  size_t alignment = 128;  // as declared; a GPU guarantees no more
  // The offset at which nvcc places the array; see pack() in symbols.cpp. Unknown if the frontend has not numbered
  // every array of the function.
  std::optional<size_t> packed = std::nullopt;
  std::vector<size_t>
      strides;  // bytes from one element to the next, per dimension; empty if unknown
  unsigned padding = 0;  // bit i: byte i of each element is padding; 0 if unknown
};

// The program's code: [text_begin(), text_begin() + text_size()).
const char* text_begin();
size_t text_size();

// True if the address is in the code of the program or of one of its libraries.
bool is_code(const void* address);

// True if the address is in a read-only segment of the program.
bool is_constant(uintptr_t address);

// The calling thread's TLS segment. Its size is the same for all threads.
uintptr_t tls_begin();
size_t tls_size();

// Returns the variables by offset. Empty if the program is stripped.
const std::vector<TlsSymbol>& tls_symbols();

// Returns the name of the shared array at an offset in the TLS segment, without its function.
std::string shared_array(uint64_t offset);
// True if these bytes are padding of an element of a shared array.
bool is_padding(uint64_t offset, unsigned bytes);
// Returns that array's symbol; null for dynamic shared memory or if there is none.
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
// Launch limits and other facts that a kernel's source declares.
struct KernelLimits {
  unsigned most_threads = 0;  // __launch_bounds__; 0 without it
  size_t static_shared = 0;  // bytes of the __shared__ arrays declared in the kernel itself
  dim3 cluster{0, 0, 0};  // __cluster_dims__; 0 without it
  // The number of block dimensions whose threadIdx the file's code uses, 1 or 2. 0 if unknown. Threads that differ only
  // in other dimensions do the same work.
  unsigned dimensions = 0;
};
// Returns what the symbol table says of a kernel; defaults for an unknown one.
KernelLimits limits_of(const void* kernel);

// Returns the function that contains the address; size == 0 if none is known.
Function function_at(const void* address);

// True for a source file of the backend: a header that the program was compiled with, or a file of src/.
bool is_own_file(const std::string& file);

// Returns the source lines of return addresses, in the same order. A line is that of the innermost function that is
// neither a shim nor a header's wrapper of a shim. line == 0 if addr2line or debug information is missing.
std::vector<Place> lines_of(const std::vector<const void*>& pcs);

// The place of an instruction. For inline PTX in an inlined function also the place of its call in the kernel.
struct Call {
  Place inside;  // the line that lines_of() returns
  Place at;  // line == 0 if there is no such call
  Place wrapper;  // the header's line, if `inside` calls a function of a header; else line == 0
};
// Returns the places of return addresses, in the same order.
std::vector<Call> calls_of(const std::vector<const void*>& pcs);

// A fused multiply-add in the code of a function. `block` is its basic block: the return address of the block's call of
// the coverage callback.
struct MultiplyAdd {
  const void* block;
  const void* pc;  // after the instruction, like a return address
  bool is_double;
};
// Appends the fused multiply-adds of a function. False if objdump cannot be run.
bool multiply_adds(const Function& function, std::vector<MultiplyAdd>& found);

}  // namespace simt
