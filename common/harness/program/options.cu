#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "common/harness/device/backend.h"
#include "common/harness/device/cuda_error.h"
#include "common/harness/program/options.h"

namespace {

constexpr long long kMaxSize = 2147483647LL - 256;  // room for rounding up to a tile
constexpr long long kMaxStride = 1LL << 40;  // elements

long long parse_integer(const std::string& what, const std::string& text, long long low,
                        long long high) {
  char* end = nullptr;
  errno = 0;
  const long long value = std::strtoll(text.c_str(), &end, 10);
  const bool number = end != text.c_str() && *end == '\0' && !std::isspace((unsigned char)text[0]);
  if (!number || errno == ERANGE || value < low || value > high) {
    throw UsageError(what + " must be a whole number from " + std::to_string(low) + " to " +
                     std::to_string(high) + ", not '" + text + "'");
  }
  return value;
}

double parse_finite(const std::string& what, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool number = end != text.c_str() && *end == '\0' && !std::isspace((unsigned char)text[0]);
  if (!number || !std::isfinite(value)) {
    throw UsageError(what + " must be a finite number, not '" + text + "'");
  }
  return value;
}

int parse_offset(const std::string& what, const std::string& text) {
  return int(parse_integer(what, text, 0, 1 << 20));
}

// An option of a lesson program. value: the placeholder for its value in the help, "" if the option takes none.
struct Option {
  const char *name, *value, *help;
  void (*set)(Options& o, const std::string& value);
};

// common/ladder/lib/arguments.py has the same list; a test compares the two.
const Option kOptions[] = {
    {"--alpha", "a", "factor of A * B (default: 1)",
     [](Options& o, const std::string& value) { o.alpha = parse_finite("--alpha", value); }},
    {"--beta", "b", "factor of C (default: 0)",
     [](Options& o, const std::string& value) { o.beta = parse_finite("--beta", value); }},
    {"--lda", "n", "row stride of A in elements (default: the width of a row)",
     [](Options& o, const std::string& value) {
       o.lda = parse_integer("--lda", value, 1, kMaxStride);
     }},
    {"--ldb", "n", "the same for B",
     [](Options& o, const std::string& value) {
       o.ldb = parse_integer("--ldb", value, 1, kMaxStride);
     }},
    {"--ldc", "n", "the same for C",
     [](Options& o, const std::string& value) {
       o.ldc = parse_integer("--ldc", value, 1, kMaxStride);
     }},
    {"--offset-a", "n", "offset of A from an aligned address, in elements (default: 0)",
     [](Options& o, const std::string& value) { o.offset_A = parse_offset("--offset-a", value); }},
    {"--offset-b", "n", "the same for B",
     [](Options& o, const std::string& value) { o.offset_B = parse_offset("--offset-b", value); }},
    {"--offset-c", "n", "the same for C",
     [](Options& o, const std::string& value) { o.offset_C = parse_offset("--offset-c", value); }},
    {"--reps", "r", "number of timed batches, whose median is reported (default: 11; 0: no timing)",
     [](Options& o, const std::string& value) {
       o.reps = int(parse_integer("--reps", value, 0, 100000));
     }},
    {"--seed", "s", "seed of the random inputs (default: 1)",
     [](Options& o, const std::string& value) {
       o.seed = uint64_t(parse_integer("--seed", value, 0, INT64_MAX));
     }},
    {"--flush-l2", "", "overwrite the L2 cache before every timed run",
     [](Options& o, const std::string&) { o.flush_l2 = true; }},
    {"--exact", "", "use small integers as inputs and require an exact result",
     [](Options& o, const std::string&) { o.exact = true; }},
    {"--no-check", "", "do not verify the result",
     [](Options& o, const std::string&) { o.check = false; }},
    {"--json", "", "print a JSON object instead of the line",
     [](Options& o, const std::string&) { o.json = true; }},
    {"--device", "d", "number of the GPU (default: 0)",
     [](Options& o, const std::string& value) {
       o.device = int(parse_integer("--device", value, 0, 1023));
     }},
    {"--device-info", "", "only print the device's properties and peaks",
     [](Options& o, const std::string&) { o.device_info = true; }},
    {"--help", "", "print this text", [](Options& o, const std::string&) { o.help = true; }},
};

const Option& option_called(const std::string& name) {
  for (const Option& option : kOptions) {
    if (name == option.name || (name == "-h" && option.name == std::string("--help"))) {
      return option;
    }
  }
  throw UsageError("unknown option " + name + " (see --help)");
}

void set_sizes(Options& o, const std::vector<std::string>& sizes, int default_size) {
  if (!sizes.empty() && sizes.size() != 3) {
    throw UsageError("expected three sizes M N K or none, not " + std::to_string(sizes.size()));
  }
  o.sizes_given = !sizes.empty();
  o.M = sizes.empty() ? default_size : int(parse_integer("M", sizes[0], 0, kMaxSize));
  o.N = sizes.empty() ? default_size : int(parse_integer("N", sizes[1], 0, kMaxSize));
  o.K = sizes.empty() ? default_size : int(parse_integer("K", sizes[2], 0, kMaxSize));
}

void check_stride(const char* option, int64_t stride, const char* size, int width) {
  if (stride != 0 && stride < width) {
    throw UsageError(std::string(option) + " " + std::to_string(stride) +
                     " is less than the width of a row, " + size + " = " + std::to_string(width));
  }
}

// Throws for a negative number such as "-7", which is an invalid size and not an option.
bool is_option(const std::string& word) {
  if (word.size() > 1 && word[0] == '-' && std::isdigit((unsigned char)word[1])) {
    throw UsageError("sizes must be whole numbers from 0 to " + std::to_string(kMaxSize) +
                     ", not negative ones");
  }
  return word.size() > 1 && word[0] == '-';
}

}  // namespace

Options parse_options(int argc, char** argv, int default_size) {
  Options o;
  std::vector<std::string> sizes;
  bool options = true;  // until "--"
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (options && word == "--") {
      options = false;
      continue;
    }
    if (!options || !is_option(word)) {
      sizes.push_back(word);
      continue;
    }
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const Option& option = option_called(name);
    const bool takes_value = option.value[0] != '\0', has_value = equals != std::string::npos;
    if (has_value && !takes_value) {
      throw UsageError("option " + name + " takes no value");
    }
    if (takes_value && !has_value && ++i == argc) {
      throw UsageError("option " + name + " needs a value");
    }
    option.set(o, has_value ? word.substr(equals + 1) : takes_value ? argv[i] : "");
  }
  set_sizes(o, sizes, default_size);
  check_stride("--lda", o.lda, "K", o.K);
  check_stride("--ldb", o.ldb, "N", o.N);
  check_stride("--ldc", o.ldc, "N", o.N);
  return o;
}

Case case_of(const Options& o) {
  Case c;
  c.M = o.M;
  c.N = o.N;
  c.K = o.K;
  c.lda = o.lda != 0 ? o.lda : o.K;
  c.ldb = o.ldb != 0 ? o.ldb : o.N;
  c.ldc = o.ldc != 0 ? o.ldc : o.N;
  c.offset_A = o.offset_A;
  c.offset_B = o.offset_B;
  c.offset_C = o.offset_C;
  c.alpha = o.alpha;
  c.beta = o.beta;
  c.seed = o.seed;
  c.guard_inputs = c.guard_output = backend::is_gpu();  // the CPU backend checks all bounds itself
  return c;
}

std::string help_text(const std::string& program, int default_size) {
  std::string text =
      "usage: " + program + " [M N K] [options]\n" +
      "Computes C = alpha * A * B + beta * C and checks the result. A is M x K, B is K x N\n"
      "(in lesson 17 N x K), C is M x N (default: " +
      std::to_string(default_size) + " each). On a GPU, the program also measures its speed and\n" +
      "that of cuBLAS.\n";
  for (const Option& option : kOptions) {
    std::string line = std::string("  ") + option.name + " " + option.value;
    line.resize(std::max<size_t>(line.size(), 18), ' ');
    text += line + option.help + "\n";
  }
  return text + "Exit codes: 0 right result, 1 wrong result, 2 usage error, 3 device error.\n";
}

std::string lesson_name(const char* program) {
  namespace fs = std::filesystem;
  const std::string name = fs::path(program).filename();
  std::error_code error;
  const fs::path file = fs::read_symlink("/proc/self/exe", error);
  return name == "gemm" && !error ? file.parent_path().filename().string() : name;
}
