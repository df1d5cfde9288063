// Finds the host compiler and the installation's folders, and runs processes.
#pragma once
#include <string>
#include <vector>

namespace simt {

struct Toolchain {
  std::string compiler;
  bool clang = false;
  int version = 0;  // of the compiler: major number
  std::string include;  // folder that holds cuda/ and simt/
  std::string runtime;  // libsimt_runtime.a
  std::string program;  // simt_program.o, which reports when a program ends
  std::string blas, blas_needs;  // libsimt_cublas.a, and OpenBLAS if it uses that
  std::vector<std::string> libraries;  // that the runtime needs
};

// host_compiler: a command, or a folder that holds g++; empty for the compiler that built simtcc. Throws
// std::runtime_error.
Toolchain find_toolchain(const std::string& host_compiler);

// Runs a command and returns its exit code; 128 + n if signal n ended it. Throws std::runtime_error if it cannot start.
// verbose: prints the command first.
int execute(const std::vector<std::string>& command, bool verbose);

}  // namespace simt
