// The host compiler, the folders of this installation, and processes.
#pragma once
#include <string>
#include <vector>

namespace simt {

struct Toolchain {
  std::string compiler;
  bool clang = false;
  int version = 0;  // of the compiler, its major number
  std::string include;  // the folder that holds cuda/ and simt/
  std::string runtime;  // libsimt_runtime.a
  std::string program;  // simt_program.o: the reports of a program when it ends
  std::vector<std::string> libraries;  // what the runtime is linked with
};

// wanted: the host compiler; "" for the one that simtcc was built with. Throws std::runtime_error.
Toolchain find_toolchain(const std::string& wanted);

// The exit code of a command. Throws std::runtime_error if it cannot be executed. verbose: prints it first.
int execute(const std::vector<std::string>& words, bool verbose);

}  // namespace simt
