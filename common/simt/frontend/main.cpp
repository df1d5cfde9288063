// simt_rewrite in.cu out.cpp: exit code 1 where the CPU backend does not support the source.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "common/simt/frontend/frontend.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: simt_rewrite in.cu out.cpp\n");
    return 2;
  }
  try {
    std::ifstream in(argv[1], std::ios::binary);
    if (!in) {
      throw std::runtime_error(std::string(argv[1]) + ": cannot be read");
    }
    const std::string text(std::istreambuf_iterator<char>(in), {});
    const std::string result = simt::rewrite(argv[1], text);
    const std::filesystem::path out = std::filesystem::absolute(argv[2]);
    std::filesystem::create_directories(out.parent_path());
    std::ofstream(out, std::ios::binary) << result;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
