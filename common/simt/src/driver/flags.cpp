#include "driver/flags.h"

#include <initializer_list>

namespace simt {
namespace {

void add(std::vector<std::string>& to, std::initializer_list<const char*> arguments) {
  to.insert(to.end(), arguments.begin(), arguments.end());
}

void add_clang(std::vector<std::string>& to, bool checked, int version) {
  // These options keep a store after a branch from being duplicated, and multiply-adds from being packed into vectors.
  add(to,
      {"-fno-builtin", "-fno-vectorize", "-fno-slp-vectorize", "-fno-delete-null-pointer-checks",
       "-mllvm", "-jump-threading-threshold=0", "-mllvm", "-disable-vector-combine"});
  if (checked) {
    add(to,
        {"-fsanitize=thread", "-fsanitize=array-bounds,return",
         "-fsanitize-coverage=trace-pc,no-prune", "-mllvm", "-tsan-instrument-func-entry-exit=0",
         "-mllvm", "-tsan-instrument-read-before-write=1", "-mllvm",
         "-tsan-instrument-memintrinsics=0", "-mllvm", "-tsan-distinguish-volatile=1"});
    // The last array of a structure has bounds, too.
    if (version >= 16) add(to, {"-fstrict-flex-arrays=1"});
  }
}

void add_gcc(std::vector<std::string>& to, bool checked, int version) {
  add(to, {"-fno-tree-tail-merge", "-fno-crossjumping", "-fno-ipa-icf", "-fno-thread-jumps",
           "-fno-code-hoisting", "-fno-tree-loop-distribute-patterns", "-fno-reorder-blocks",
           "-fno-reorder-blocks-and-partition", "-fno-partial-inlining"});
  // Inline device functions, as nvcc does, so that arrays passed by reference stay in registers. The last parameter:
  // without it g++ 13 does not fuse a sum carried by a loop.
  for (const char* param :
       {"max-inline-insns-auto=20000", "max-inline-insns-single=20000",
        "large-function-insns=1000000", "large-function-growth=100000", "inline-unit-growth=100000",
        "large-stack-frame-growth=100000", "large-unit-insns=1000000", "avoid-fma-max-bits=0"}) {
    add(to, {"--param", param});
  }
  // -O1 lacks them.
  add(to, {"-finline-functions", "-finline-small-functions", "-fexpensive-optimizations"});
  if (version >= 12) {
    // races/global/global_races.cpp recognises stores of uninitialised variables by this pattern.
    add(to, {"-ftrivial-auto-var-init=pattern"});
  }
  if (checked) {
    // -Wno-tsan: the runtime knows fences, which g++'s own does not. bounds-strict: of a structure's last array, too.
    add(to, {"-fsanitize=thread", "-Wno-tsan", "-fsanitize=bounds-strict,return",
             "-fsanitize-coverage=trace-pc", "--param", "tsan-instrument-func-entry-exit=0",
             "--param", "tsan-distinguish-volatile=1"});
  }
}

}  // namespace

std::vector<std::string> base_flags(const Toolchain& tools, const Options& options) {
  std::vector<std::string> flags = {options.standard, "-I" + tools.include + "/cuda",
                                    "-I" + tools.include};
#ifdef __x86_64__
  flags.push_back("-mfma");
#elif defined __aarch64__
  flags.push_back(
      "--param=stack-clash-protection-guard-size=16");  // probes as far apart as a guard: 64 KB
#endif
  if (options.architecture != 0) {
    flags.push_back("-D__CUDA_ARCH__=" + std::to_string(options.architecture));
    if (options.all_features) {
      flags.push_back("-D__CUDA_ARCH_FEAT_SM" + std::to_string(options.architecture / 10) + "_ALL");
    }
  }
  if (options.relaxed_constexpr) flags.push_back("-D__CUDACC_RELAXED_CONSTEXPR__");
  if (options.extended_lambda) flags.push_back("-D__CUDACC_EXTENDED_LAMBDA__");
  return flags;
}

std::vector<std::string> kernel_flags(const Toolchain& tools, const Options& options) {
  // No vectorization, no merged tails, no partial inlining (which loses the caller's line): each access stays one access
  // at its line. Stack clash protection: a large local array cannot skip the guard page below a stack. -UNDEBUG keeps
  // assert(), and -fno-finite-loops keeps endless loops.
  std::vector<std::string> flags = {"-UNDEBUG",
                                    "-Wno-psabi",
                                    "-Wno-unknown-pragmas",
                                    "-O2",
                                    "-g",
                                    "-gdwarf-4",
                                    "-fno-strict-aliasing",
                                    "-fno-tree-vectorize",
                                    "-fno-optimize-sibling-calls",
                                    "-ffp-contract=fast",
                                    "-fstack-clash-protection",
                                    "-fno-finite-loops"};
  if (tools.clang) {
    add_clang(flags, options.checked, tools.version);
  } else {
    add_gcc(flags, options.checked, tools.version);
    // nvcc warns of these by itself. The checks see such a variable only where it is stored.
    flags.insert(flags.end(),
                 {"-Wuninitialized", "-Wmaybe-uninitialized", "-Wno-error=maybe-uninitialized"});
  }
  if (options.checked && options.arrays_checked) flags.push_back("-fsanitize=object-size");
  return flags;
}

std::vector<std::string> silent_warnings(const Toolchain& tools) {
  std::vector<std::string> flags = {"-Wno-psabi", "-Wno-unknown-pragmas", "-Wno-sign-compare"};
  if (tools.clang) {
    flags.push_back("-Wno-unused-const-variable");
    flags.push_back("-Wno-pass-failed");  // #pragma unroll is for nvcc
  }
  return flags;
}

}  // namespace simt
