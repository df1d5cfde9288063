// simt_rewrite in.cu out.cpp [folder...]: exit code 1 where the CPU backend does not support the source. Headers in
// the folders are rewritten with it where they launch kernels.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>

#include "common/simt/frontend/frontend.h"

namespace {

std::string read(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw std::runtime_error(file + ": cannot be read");
  }
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// The header of that name in one of the folders, if it has a launch; else nothing.
std::string header_to_rewrite(const std::string& name, char** folders, int count) {
  for (int i = 0; i < count; ++i) {
    const std::string file = std::string(folders[i]) + "/" + name;
    if (std::filesystem::is_regular_file(file)) {
      return read(file).find("<<<") != std::string::npos ? file : "";
    }
  }
  return "";
}

// The rewritten text with such headers in the place of their #include "name".
std::string with_headers(const std::string& file, const std::string& text, char** folders,
                         int count) {
  static const std::regex include(R"re([ \t]*#[ \t]*include[ \t]+"([^"]+)".*)re"),
      once(R"([ \t]*#[ \t]*pragma[ \t]+once[ \t]*)");
  std::string out, line;
  std::istringstream lines(text);
  for (int number = 0; std::getline(lines, line); ++number) {  // the first is a #line
    std::smatch match;
    const std::string header = std::regex_match(line, match, include)
                                   ? header_to_rewrite(match[1], folders, count)
                                   : std::string();
    if (!header.empty()) {
      line = with_headers(header, simt::rewrite(header, read(header)), folders, count) + "#line " +
             std::to_string(number + 1) + " \"" + file + "\"";
    }
    out += (std::regex_match(line, once) && number != 0 && count != 0 ? "" : line) + "\n";
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: simt_rewrite in.cu out.cpp [folder...]\n");
    return 2;
  }
  try {
    const std::string result =
        with_headers(argv[1], simt::rewrite(argv[1], read(argv[1])), argv + 3, argc - 3);
    const std::filesystem::path out = std::filesystem::absolute(argv[2]);
    std::filesystem::create_directories(out.parent_path());
    std::ofstream(out, std::ios::binary) << result;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
