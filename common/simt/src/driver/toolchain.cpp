#include "driver/toolchain.h"

#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>

namespace simt {
namespace {

namespace fs = std::filesystem;

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 256> part;
  while (pipe != nullptr && std::fgets(part.data(), part.size(), pipe.get()) != nullptr) {
    text += part.data();
  }
  return text;
}

// Finds headers and libraries: in PREFIX/lib/simt beside PREFIX/bin if installed, else at the paths that CMake
// configured.
void find_folders(Toolchain& tools) {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = self.parent_path().parent_path() / "lib" / "simt";
  if (!error && fs::exists(installed / "include" / "cuda" / "cuda_runtime.h")) {
    tools.include = (installed / "include").string();
    tools.runtime = (installed / "libsimt_runtime.a").string();
    tools.program = (installed / "simt_program.o").string();
  } else {
    tools.include = SIMT_CONFIG_INCLUDE;
    tools.runtime = SIMT_CONFIG_RUNTIME;
    tools.program = SIMT_CONFIG_PROGRAM;
  }
  tools.blas = (fs::path(tools.runtime).parent_path() / "libsimt_cublas.a").string();
  tools.blas_needs = SIMT_CONFIG_OPENBLAS;
  tools.libraries = {SIMT_CONFIG_BOOST_CONTEXT, "-pthread", "-ldl"};
}

}  // namespace

Toolchain find_toolchain(const std::string& host_compiler) {
  Toolchain tools;
  find_folders(tools);
  tools.compiler = host_compiler.empty() ? SIMT_CONFIG_COMPILER : host_compiler;
  if (fs::is_directory(tools.compiler)) tools.compiler += "/g++";
  if (tools.compiler == SIMT_CONFIG_COMPILER) {
    tools.clang = std::string(SIMT_CONFIG_COMPILER_ID).find("Clang") != std::string::npos;
    tools.version = SIMT_CONFIG_COMPILER_VERSION;
    return tools;
  }
  std::string quoted = "'" + tools.compiler + "'";
  tools.clang = output_of(quoted + " --version 2>/dev/null").find("clang") != std::string::npos;
  tools.version = std::atoi(output_of(quoted + " -dumpversion 2>/dev/null").c_str());
  if (tools.version == 0) throw std::runtime_error(tools.compiler + ": not a C++ compiler");
  return tools;
}

int execute(const std::vector<std::string>& command, bool verbose) {
  std::vector<std::string> copies = command;
  std::vector<char*> arguments;
  for (std::string& part : copies) {
    if (verbose) std::fprintf(stderr, "%s ", part.c_str());
    arguments.push_back(part.data());
  }
  if (verbose) std::fputc('\n', stderr);
  arguments.push_back(nullptr);
  pid_t child = 0;
  int status = 0;
  if (posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0 ||
      waitpid(child, &status, 0) < 0) {
    throw std::runtime_error(command[0] + ": cannot be executed");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace simt
