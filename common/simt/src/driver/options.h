// The command line of simtcc.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

namespace simt {

// A wrong command line: one line on stderr, exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Stage { Preprocess, Rewrite, Compile, DeviceLink, Link };

struct Input {
  enum Kind { Cuda, Host, Link } kind;  // Link: object, library or linker option
  std::string path;
};

struct Options {
  std::vector<Input> inputs;  // in the order of the command line, which matters to the linker
  std::string output;  // empty without -o
  Stage last = Stage::Link;
  std::vector<std::string> preprocessor;  // -I, -D, -U, -include, -M...
  std::vector<std::string> compiler;  // -O, -g, -W, -f, -m
  std::vector<std::string> linker;  // -L, -Wl,...
  std::string standard = "-std=c++17";
  std::string host_compiler;  // -ccbin; empty: the compiler that built simtcc
  int architecture = 0;  // 900 for -arch=sm_90; 0 without
  bool all_features = false;  // sm_90a
  bool checked = true, arrays_checked = true;
  bool relaxed_constexpr = false, extended_lambda = false;
  // -rdc=true, -dc: device functions and variables belong to the program, not to their file.
  bool relocatable = false;
  bool keep = false, verbose = false, raw = false, help = false, version = false;
  std::string report;  // --explain: "lines"
  bool plain = false;  // --simt-plain
};

// Parses the command line, without the program's name. Reads options files (@FILE, --options-file). Throws UsageError,
// which names the option, and std::runtime_error for a file that cannot be read.
Options parse_options(const std::vector<std::string>& arguments);

extern const char kHelp[];

}  // namespace simt
