#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <type_traits>
#include <vector>

#include "common/harness/device/backend.h"
#include "common/harness/device/cuda_error.h"
#include "common/harness/program/options.h"

namespace {

constexpr long long kMaxSize = 2147483647LL - 256;  // room for rounding up to a tile
constexpr long long kMaxStride = 1LL << 40, kMaxOffset = 1 << 20;  // elements

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

// Functions that set a member of Options from an option's value.
using Set = void (*)(Options& o, const char* name, const std::string& value);

template <double Options::*MEMBER>
void factor(Options& o, const char* name, const std::string& value) {
  o.*MEMBER = parse_finite(name, value);
}

template <auto MEMBER, long long LOW, long long HIGH>
void integer(Options& o, const char* name, const std::string& value) {
  o.*MEMBER = std::decay_t<decltype(o.*MEMBER)>(parse_integer(name, value, LOW, HIGH));
}

template <bool Options::*MEMBER, bool VALUE = true>
void flag(Options& o, const char*, const std::string&) {
  o.*MEMBER = VALUE;
}

// An option of a lesson program. value: the placeholder for its value in the help, "" if the option takes none.
struct Option {
  const char *name, *value, *help;
  Set set;
};

// common/ladder/lib/arguments.py has the same list; a test compares the two.
const Option kOptions[] = {
    {"--alpha", "a", "factor of A * B (default: 1)", factor<&Options::alpha>},
    {"--beta", "b", "factor of C (default: 0)", factor<&Options::beta>},
    {"--lda", "n", "row stride of A in elements (default: the width of a row)",
     integer<&Options::lda, 1, kMaxStride>},
    {"--ldb", "n", "the same for B", integer<&Options::ldb, 1, kMaxStride>},
    {"--ldc", "n", "the same for C", integer<&Options::ldc, 1, kMaxStride>},
    {"--offset-a", "n", "offset of A from an aligned address, in elements (default: 0)",
     integer<&Options::offset_A, 0, kMaxOffset>},
    {"--offset-b", "n", "the same for B", integer<&Options::offset_B, 0, kMaxOffset>},
    {"--offset-c", "n", "the same for C", integer<&Options::offset_C, 0, kMaxOffset>},
    {"--reps", "r", "number of timed batches, whose median is reported (default: 11; 0: no timing)",
     integer<&Options::reps, 0, 100000>},
    {"--seed", "s", "seed of the random inputs (default: 1)",
     integer<&Options::seed, 0, INT64_MAX>},
    {"--flush-l2", "", "overwrite the L2 cache before every timed run", flag<&Options::flush_l2>},
    {"--exact", "", "use small integers as inputs and require an exact result",
     flag<&Options::exact>},
    {"--no-check", "", "do not verify the result", flag<&Options::check, false>},
    {"--json", "", "print a JSON object instead of the line", flag<&Options::json>},
    {"--device", "d", "number of the GPU (default: 0)", integer<&Options::device, 0, 1023>},
    {"--device-info", "", "only print the device's properties and peaks",
     flag<&Options::device_info>},
    {"--help", "", "print this text", flag<&Options::help>},
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
    option.set(o, option.name, has_value ? word.substr(equals + 1) : takes_value ? argv[i] : "");
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
