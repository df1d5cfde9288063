// NN_name.random: random problems, one after the other in one process, each compared with the reference.
//   [--cases N] [--seed S] [--only I] [--work FMAS] [--tiles T,T,...] [--shrink 0]
// Without --seed the seed is the time, and printed. A problem that fails is made smaller while it still
// fails (unless --shrink 0); then both are printed with the command that repeats them. Exit codes: 0 all right, 1 wrong,
// 2 usage, 3 device, 77 no device.
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "common/harness/device/cuda_error.h"
#include "common/harness/device/device.h"
#include "common/harness/device/watch.h"
#include "tests/lessons/random/problems.h"

using Input = LADDER_INPUT;
using Acc = LADDER_ACC;

void gemm(const Gemm<Input, Acc>&);

namespace {

struct Arguments {
  uint64_t cases = 300, seed = 0, only = UINT64_MAX, shrink = 1;
  Limits limits;
  std::string words;  // those of the command line that say what a problem's number means
};

[[noreturn]] void usage(const char* argument) {
  std::fprintf(stderr,
               "'%s': expected --cases N, --seed S, --only I, --work FMAS, --shrink 0 or --tiles "
               "T,T,...\n",
               argument);
  std::exit(kUsage);  // NOLINT(concurrency-mt-unsafe): no thread runs yet
}

uint64_t number(const char* text, const char** end = nullptr) {
  char* stop = nullptr;
  const unsigned long long value = std::strtoull(text, &stop, 10);
  if (stop == text || *text < '0' || *text > '9' || (end == nullptr && *stop != 0)) usage(text);
  if (end != nullptr) *end = stop;
  return value;
}

Arguments parse(int argc, char** argv) {
  Arguments a;
  a.seed = uint64_t(std::chrono::system_clock::now().time_since_epoch().count()) % 1000000007;
  a.limits.fractions = !std::is_integral_v<Acc>;
  a.limits.guarded = backend::is_gpu();
  if (backend::is_gpu()) a.limits.work = 1e8;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) usage(argv[i]);
    if (name == "--cases") {
      a.cases = number(argv[i + 1]);
    } else if (name == "--seed") {
      a.seed = number(argv[i + 1]);
    } else if (name == "--shrink") {
      a.shrink = number(argv[i + 1]);
    } else if (name == "--only") {
      a.only = number(argv[i + 1]);
    } else if (name == "--work") {
      a.words += " --work " + std::string(argv[i + 1]);
      a.limits.work = double(number(argv[i + 1]));
    } else if (name == "--tiles") {
      a.words += " --tiles " + std::string(argv[i + 1]);
      a.limits.tiles.clear();
      for (const char* at = argv[i + 1]; *at != 0; at += *at == ',') {
        const uint64_t tile = number(at, &at);
        if (tile < 1 || tile > 4096 || (*at != 0 && *at != ',')) usage(argv[i + 1]);
        a.limits.tiles.push_back(int(tile));
      }
      if (a.limits.tiles.empty()) usage("--tiles");
    } else {
      usage(argv[i]);
    }
  }
  return a;
}

// "" if the problem comes out right, or what is wrong.
std::string wrong(const Case& c) {
  try {
    const Verdict verdict = run_case<Input, Acc>(watched<Input, Acc, gemm>, c);
    return verdict.right ? "" : verdict.text;
  } catch (const DeviceError& error) {
    return error.what();
  }
}

// The smallest problem that still fails, of those that shrinking finds.
Case shrink(Case c) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const Case& s : simpler(c)) {
      if (!wrong(s).empty()) {
        c = s;
        smaller = true;
        break;
      }
    }
  }
  return c;
}

int run(const Arguments& a, const char* program) {
  const Problems problems(a.seed, a.limits);
  const bool one = a.only != UINT64_MAX;
  const uint64_t first = one ? a.only : 0, end = one ? first + 1 : a.cases;
  uint64_t exact = 0;
  for (uint64_t i = first; i < end; ++i) {
    const Case c = problems.make(i);
    exact += c.mode == Mode::kExact;
    const std::string text = wrong(c);
    if (text.empty()) continue;
    std::printf("problem %llu of seed %llu fails: %s\n  %s\n", (unsigned long long)i,
                (unsigned long long)a.seed, arguments_of(c).c_str(), text.c_str());
    if (a.shrink == 0) return kWrong;
    const char* option = "--only";
    if (backend::last_launch().endless) {
      std::printf("The kernel does not end, so that no smaller problem was looked for.\n");
    } else if (wrong(c).empty()) {
      std::printf(
          "It passes when it runs again: what fails depends on the problems before it, or on "
          "chance.\n");
      option = "--cases";
    } else {
      const Case s = shrink(c);
      std::printf("the smallest that fails: %s\n  %s\n", arguments_of(s).c_str(), wrong(s).c_str());
    }
    std::printf("again: %s --seed %llu %s %llu%s\n", program, (unsigned long long)a.seed, option,
                (unsigned long long)i + (option[2] == 'c'), a.words.c_str());
    return kWrong;
  }
  std::printf("%llu random problems are right, %llu of them exactly; seed %llu\n",
              (unsigned long long)(end - first), (unsigned long long)exact,
              (unsigned long long)a.seed);
  return kRight;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse(argc, argv);
  // As in tests/main.cpp.
  setenv("SIMT_MULTIPROCESSORS", "2", 0);  // NOLINT(concurrency-mt-unsafe): no thread yet
  try {
    select_device(0);
  } catch (const DeviceError& error) {
    std::printf("skipped: %s\n", error.what());
    return 77;
  }
  try {
    return run(arguments, argv[0]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kDevice;
  }
}
