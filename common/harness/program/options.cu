#include <getopt.h>

#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "common/harness/device/cuda_error.h"
#include "common/harness/program/options.h"

namespace {

constexpr long long kMaxSize = 2147483647LL - 256;  // room for rounding up to a tile
constexpr long long kMaxStride = 1LL << 40;  // elements

enum Option {
  kAlpha = 256,
  kBeta,
  kLda,
  kLdb,
  kLdc,
  kReps,
  kSeed,
  kDevice,
  kFlushL2,
  kExact,
  kNoCheck,
  kJson,
  kDeviceInfo,
};

constexpr option kOptions[] = {
    {"alpha", required_argument, nullptr, kAlpha},
    {"beta", required_argument, nullptr, kBeta},
    {"lda", required_argument, nullptr, kLda},
    {"ldb", required_argument, nullptr, kLdb},
    {"ldc", required_argument, nullptr, kLdc},
    {"reps", required_argument, nullptr, kReps},
    {"seed", required_argument, nullptr, kSeed},
    {"device", required_argument, nullptr, kDevice},
    {"flush-l2", no_argument, nullptr, kFlushL2},
    {"exact", no_argument, nullptr, kExact},
    {"no-check", no_argument, nullptr, kNoCheck},
    {"json", no_argument, nullptr, kJson},
    {"device-info", no_argument, nullptr, kDeviceInfo},
    {"help", no_argument, nullptr, 'h'},
    {nullptr, 0, nullptr, 0},
};

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

void apply(Options& o, int option, const char* argument) {
  switch (option) {
    case kAlpha:
      o.alpha = parse_finite("--alpha", argument);
      break;
    case kBeta:
      o.beta = parse_finite("--beta", argument);
      break;
    case kLda:
      o.lda = parse_integer("--lda", argument, 1, kMaxStride);
      break;
    case kLdb:
      o.ldb = parse_integer("--ldb", argument, 1, kMaxStride);
      break;
    case kLdc:
      o.ldc = parse_integer("--ldc", argument, 1, kMaxStride);
      break;
    case kReps:
      o.reps = int(parse_integer("--reps", argument, 1, 100000));
      break;
    case kSeed:
      o.seed = uint64_t(parse_integer("--seed", argument, 0, INT64_MAX));
      break;
    case kDevice:
      o.device = int(parse_integer("--device", argument, 0, 1023));
      break;
    case kFlushL2:
      o.flush_l2 = true;
      break;
    case kExact:
      o.exact = true;
      break;
    case kNoCheck:
      o.check = false;
      break;
    case kJson:
      o.json = true;
      break;
    case kDeviceInfo:
      o.device_info = true;
      break;
    case 'h':
      o.help = true;
      break;
  }
}

void set_sizes(Options& o, const std::vector<std::string>& sizes, int default_size) {
  if (!sizes.empty() && sizes.size() != 3) {
    throw UsageError("expected the three sizes M N K or none, not " + std::to_string(sizes.size()) +
                     " of them");
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

[[noreturn]] void refuse(int code, char** argv) {
  const std::string text = argv[optind - 1];
  const std::string name = text.substr(0, text.find('='));
  if (code == ':') {
    throw UsageError("option " + name + " needs a value");
  }
  if (optopt > 255) {
    throw UsageError("option " + name + " takes no value");
  }
  if (optopt != 0) {
    throw UsageError(std::string("unknown option -") + char(optopt) + " (see --help)");
  }
  throw UsageError("unknown option " + name + " (see --help)");
}

}  // namespace

Options parse_options(int argc, char** argv, int default_size) {
  Options o;
  std::vector<std::string> sizes;
  opterr = 0;
  optind = 0;  // starts getopt_long afresh, so that a test can parse many command lines
  // "-" hands over the sizes in their places, ":" tells a missing value from an unknown option.
  // NOLINTNEXTLINE(concurrency-mt-unsafe): main() parses before any thread starts
  for (int code; (code = getopt_long(argc, argv, "-:h", kOptions, nullptr)) != -1;) {
    if (code == 1) {
      sizes.push_back(optarg);
    } else if (code == '?' && std::isdigit(optopt)) {
      throw UsageError("sizes must be whole numbers from 0 to " + std::to_string(kMaxSize) +
                       ", not negative");
    } else if (code == '?' || code == ':') {
      refuse(code, argv);
    } else {
      apply(o, code, optarg);
    }
  }
  for (; optind < argc; ++optind) {  // behind "--"
    sizes.push_back(argv[optind]);
  }
  set_sizes(o, sizes, default_size);
  check_stride("--lda", o.lda, "K", o.K);
  check_stride("--ldb", o.ldb, "N", o.N);
  check_stride("--ldc", o.ldc, "N", o.N);
  return o;
}

std::string help_text(const std::string& program, int default_size) {
  return "usage: " + program + " [M N K] [options]\n" +
         "Computes C = alpha * A * B + beta * C, with A M x K, B K x N and C M x N, checks C\n"
         "and, on a GPU, times it beside cuBLAS. M N K: " +
         std::to_string(default_size) +
         " each unless given.\n"
         "  --alpha a, --beta b  1 and 0 unless given\n"
         "  --lda n, --ldb n, --ldc n  elements from one row to the next: the width unless given\n"
         "  --reps r        batches to time, 11 unless given: the median is reported\n"
         "  --seed s        chooses the inputs\n"
         "  --flush-l2      overwrite the L2 cache before every timed run\n"
         "  --exact         small-integer inputs, and every element must be equal\n"
         "  --no-check      do not verify the result\n"
         "  --json          one JSON object instead of the line\n"
         "  --device d      which GPU, 0 unless given\n"
         "  --device-info   print the device's properties and peaks, and do nothing else\n"
         "  --help          print this\n"
         "Exit codes: 0 right, 1 wrong result, 2 usage, 3 device.\n";
}

std::string lesson_name(const char* program) {
  namespace fs = std::filesystem;
  const std::string name = fs::path(program).filename();
  std::error_code error;
  const fs::path file = fs::read_symlink("/proc/self/exe", error);
  return name == "gemm" && !error ? file.parent_path().filename().string() : name;
}
