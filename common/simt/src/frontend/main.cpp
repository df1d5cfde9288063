// simt_rewrite in.cu out.cpp [COMPILER [ARGUMENT...]]: exit code 1 where the CPU backend does not support the source.
// COMPILER is the command that will compile out.cpp, without its files: it preprocesses in.cu first, behind CUDA's own
// header as with nvcc. So what is rewritten has no macros of its own any more, and all of the headers in it.
#include <spawn.h>
#include <sys/wait.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "frontend/frontend.h"

namespace {

std::string read(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw std::runtime_error(file + ": cannot be read");
  }
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// With the folder of a CUDA toolkit behind all others: the backend's headers come first, and are no learner's.
std::vector<std::string> toolkit_last(const char* const* begin, const char* const* end) {
  std::vector<std::string> words;
  for (; begin != end; ++begin) {
    const std::string word = *begin;
    const bool toolkit = word.compare(0, 2, "-I") == 0 &&
                         std::filesystem::exists(word.substr(2) + "/crt/host_runtime.h");
    words.push_back(toolkit ? "-idirafter" + word.substr(2) : word);
  }
  return words;
}

// The exit code of a command.
int execute(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  pid_t child = 0;
  int status = 0;
  if (posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0 ||
      waitpid(child, &status, 0) < 0) {
    throw std::runtime_error(words[0] + ": cannot be executed");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: simt_rewrite in.cu out.cpp [COMPILER [ARGUMENT...]]\n");
    return 2;
  }
  try {
    const std::filesystem::path out = std::filesystem::absolute(argv[2]);
    std::filesystem::create_directories(out.parent_path());
    std::string text = argv[1];
    if (argc > 3) {
      text = out.string() + ".ii";
      std::vector<std::string> words = toolkit_last(argv + 3, argv + argc);
      words.insert(words.end(),
                   {"-E", "-w", "-fno-working-directory", "-DSIMT_REWRITING", "-D__CUDACC__",
                    "-D__NVCC__", "-include", "cuda_runtime.h", "-x", "c++", argv[1], "-o", text});
      if (execute(words) != 0) {
        return 1;  // the compiler has told why
      }
    }
    std::string warnings;
    std::ofstream(out, std::ios::binary) << simt::rewrite(argv[1], read(text), warnings);
    std::fputs(warnings.c_str(), stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
