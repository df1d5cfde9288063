#include "driver/options.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>

namespace simt {

const char kHelp[] =
    R"(simtcc [OPTION...] FILE...: compiles CUDA C++ for the CPU. The program checks and counts its kernels as they run.

  a.cu b.cpp c.o -o a      builds the program a: .cu files, C++ files, objects and libraries
  -c, -E                   stops after compiling, after preprocessing; -o FILE names the result
  -x cu                    treats each file as CUDA C++, whatever its name
  -I -D -U -include -M...  as for the host compiler; so are -O -g -W -f -m -std= -l -L -Wl,...
  -rdc=true, -dc, -dlink   separate compilation: a file may call __device__ functions of another
  -ccbin COMPILER          the host compiler (g++ or clang++)
  -arch=sm_90a             sets __CUDA_ARCH__ (without it there is none); --expt-relaxed-constexpr and the like work as with nvcc
  @FILE                    reads options from a file
  --explain                the program prints the counters of each source line when it ends
  --simt-unchecked         neither checks nor counts the kernels of these files
  --simt-unchecked-arrays  skips the bounds check of local arrays through pointers, which can double the time
  --simt-plain             the program reports nothing when it ends, and its exit code is its own
  --keep, --verbose        keeps intermediate files; prints the commands

Options that only a GPU needs are accepted: -gencode, -code, -Xptxas, -lineinfo, --use_fast_math, ...
A program built by simtcc reads SIMT_REPORT, SIMT_TRACE, SIMT_ON_ERROR, SIMT_THREADS and others; README.md explains them.
)";

namespace {

// nvcc options without an effect here: without a value, and with one in the same argument or the next.
const std::set<std::string> kIgnored = {"-lineinfo",
                                        "--generate-line-info",
                                        "-G",
                                        "--device-debug",
                                        "-use_fast_math",
                                        "--use_fast_math",
                                        "-dlto",
                                        "-extra-device-vectorization",
                                        "--extra-device-vectorization",
                                        "-res-usage",
                                        "--resource-usage",
                                        "-restrict",
                                        "--restrict",
                                        "-split-compile-extended",
                                        "-Wno-deprecated-gpu-targets",
                                        "-allow-unsupported-compiler",
                                        "--allow-unsupported-compiler",
                                        "-m64",
                                        "-src-in-ptx"};
// Libraries of the toolkit whose functions the runtime has.
const std::set<std::string> kLibraries = {"cuda",   "cudart",        "cudart_static", "cudadevrt",
                                          "curand", "curand_static", "nvToolsExt"};
const std::set<std::string> kIgnoredWithValue = {"-gencode",
                                                 "--generate-code",
                                                 "-code",
                                                 "--gpu-code",
                                                 "-Xptxas",
                                                 "--ptxas-options",
                                                 "-Xnvlink",
                                                 "--nvlink-options",
                                                 "-Xcudafe",
                                                 "-maxrregcount",
                                                 "--maxrregcount",
                                                 "-ftz",
                                                 "--ftz",
                                                 "-prec-div",
                                                 "--prec-div",
                                                 "-prec-sqrt",
                                                 "--prec-sqrt",
                                                 "-fmad",
                                                 "--fmad",
                                                 "-cudart",
                                                 "--cudart",
                                                 "-diag-suppress",
                                                 "--diag-suppress",
                                                 "-diag-error",
                                                 "--diag-error",
                                                 "-diag-warn",
                                                 "--diag-warn",
                                                 "-split-compile",
                                                 "--split-compile",
                                                 "-t",
                                                 "--threads",
                                                 "-default-stream",
                                                 "--default-stream",
                                                 "-Werror-cross-execution-space-call",
                                                 "-opt-info",
                                                 "--opt-info",
                                                 "-arch-list",
                                                 "-keep-dir",
                                                 "--keep-dir"};
const std::set<std::string> kHostExtensions = {".c", ".cc", ".cpp", ".cxx", ".C", ".ii", ".i"};
const std::set<std::string> kLinkExtensions = {".o", ".a", ".so", ".obj", ".lo"};

class Parser {
 public:
  Options parse(const std::vector<std::string>& arguments) {
    expand(arguments, 0);
    while (at_ < arguments_.size()) {
      const std::string argument = arguments_[at_++];
      if (argument.size() > 1 && argument[0] == '-') {
        option(argument);
      } else if (!argument.empty()) {
        file(argument);
      }
    }
    return std::move(options_);
  }

 private:
  void expand(const std::vector<std::string>& arguments, int depth) {
    if (depth > 8) throw UsageError("options files include one another");
    for (size_t i = 0; i < arguments.size(); ++i) {
      std::string name;
      if (arguments[i].size() > 1 && arguments[i][0] == '@') {
        name = arguments[i].substr(1);
      } else if ((arguments[i] == "-optf" || arguments[i] == "--options-file") &&
                 i + 1 < arguments.size()) {
        name = arguments[++i];
      } else {
        arguments_.push_back(arguments[i]);
        continue;
      }
      std::ifstream in(name);
      if (!in) throw std::runtime_error(name + ": cannot be read");
      expand(split(std::string(std::istreambuf_iterator<char>(in), {})), depth + 1);
    }
  }

  // Splits the text of an options file at white space. Quotes keep white space; a backslash escapes any character.
  static std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> arguments;
    std::string argument;
    bool in_argument = false;
    char quote = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '\\' && i + 1 < text.size() && quote != '\'') {
        argument += text[++i];
        in_argument = true;
      } else if (quote != 0 ? c == quote : c == '"' || c == '\'') {
        quote = quote != 0 ? 0 : c;
        in_argument = true;
      } else if (quote == 0 && std::isspace(static_cast<unsigned char>(c))) {
        if (in_argument) arguments.push_back(argument);
        argument.clear();
        in_argument = false;
      } else {
        argument += c;
        in_argument = true;
      }
    }
    if (in_argument) arguments.push_back(argument);
    return arguments;
  }

  // Returns the value of an option: the rest of the argument after the name or after "=", else the next argument.
  std::string value(const std::string& argument, const std::string& name) {
    if (argument.size() > name.size()) {
      return argument.substr(name.size() + (argument[name.size()] == '=' ? 1 : 0));
    }
    if (at_ == arguments_.size()) throw UsageError(argument + " needs a value");
    return arguments_[at_++];
  }

  static bool named(const std::string& argument, const std::string& name) {
    return argument == name || argument.compare(0, name.size() + 1, name + "=") == 0;
  }

  void file(const std::string& path) {
    const std::string extension = std::filesystem::path(path).extension().string();
    if (language_ == "cu" || (language_.empty() && (extension == ".cu" || extension == ".cuh"))) {
      options_.inputs.push_back({Input::Cuda, path});
    } else if (!language_.empty() || kHostExtensions.count(extension) != 0) {
      options_.inputs.push_back({Input::Host, path});
    } else if (kLinkExtensions.count(extension) != 0 || path.find(".so.") != std::string::npos) {
      options_.inputs.push_back({Input::Link, path});
    } else {
      throw UsageError(
          path + ": neither CUDA nor C++ nor an object by its name; -x cu treats it as CUDA C++");
    }
  }

  // -arch=sm_90a, compute_80, native, all
  void architecture(const std::string& text) {
    static const std::set<std::string> kinds = {"sm_", "compute_", "lto_"};
    const size_t digits = text.find('_') + 1;
    char* rest = nullptr;
    const long number = std::strtol(text.c_str() + digits, &rest, 10);
    const std::string features = rest;
    if (kinds.count(text.substr(0, digits)) != 0 && number > 0 && number < 1000 &&
        (features.empty() || features == "a" || features == "f")) {
      options_.architecture = int(number) * 10;
      options_.all_features = !features.empty();
    } else if (text != "native" && text != "all" && text != "all-major") {
      throw UsageError("-arch=" + text + ": not an architecture; sm_90 is one");
    }
  }

  // True if the option has no effect here. Skips its value.
  bool ignored(const std::string& argument) {
    const std::string name = argument.substr(0, argument.find('='));
    if (kIgnoredWithValue.count(name) != 0) {
      value(argument, name);
      return true;
    }
    return kIgnored.count(name) != 0;
  }

  // Applies an option without a value; false if `argument` is not one.
  bool flag(const std::string& argument) {
    const auto device_code = [](Options& o) {
      o.last = Stage::Compile;
      o.relocatable = true;
    };
    static const std::map<std::string, std::function<void(Options&)>> flags = {
        {"-c", [](Options& o) { o.last = Stage::Compile; }},
        {"-dc", device_code},
        {"--device-c", device_code},
        {"-dlink", [](Options& o) { o.last = Stage::DeviceLink; }},
        {"--device-link", [](Options& o) { o.last = Stage::DeviceLink; }},
        {"-dw", [](Options& o) { o.last = Stage::Compile; }},
        {"--compile", [](Options& o) { o.last = Stage::Compile; }},
        {"-E", [](Options& o) { o.last = Stage::Preprocess; }},
        {"--preprocess", [](Options& o) { o.last = Stage::Preprocess; }},
        {"--simt-rewrite", [](Options& o) { o.last = Stage::Rewrite; }},
        {"--simt-raw", [](Options& o) { o.raw = true; }},
        {"--simt-unchecked", [](Options& o) { o.checked = false; }},
        {"--simt-unchecked-arrays", [](Options& o) { o.arrays_checked = false; }},
        {"--simt-plain", [](Options& o) { o.plain = true; }},
        {"--explain", [](Options& o) { o.report = "lines"; }},
        {"-keep", [](Options& o) { o.keep = true; }},
        {"--keep", [](Options& o) { o.keep = true; }},
        {"-v", [](Options& o) { o.verbose = true; }},
        {"--verbose", [](Options& o) { o.verbose = true; }},
        {"-h", [](Options& o) { o.help = true; }},
        {"--help", [](Options& o) { o.help = true; }},
        {"-V", [](Options& o) { o.version = true; }},
        {"--version", [](Options& o) { o.version = true; }},
        {"-w", [](Options& o) { o.compiler.push_back("-w"); }},
        {"-pg", [](Options& o) { o.compiler.push_back("-pg"); }},
        {"-shared",
         [](Options&) {
           throw UsageError("-shared: kernels in shared libraries do not work here");
         }},
    };
    static const std::set<std::string> lambdas = {
        "-extended-lambda", "--extended-lambda", "-expt-extended-lambda", "--expt-extended-lambda"};
    static const std::set<std::string> relaxed = {"-expt-relaxed-constexpr",
                                                  "--expt-relaxed-constexpr"};
    if (lambdas.count(argument) != 0) return options_.extended_lambda = true;
    if (relaxed.count(argument) != 0) return options_.relaxed_constexpr = true;
    const auto found = flags.find(argument);
    if (found == flags.end()) return false;
    found->second(options_);
    return true;
  }

  // Applies an option with a value; false if `argument` is not one.
  bool with_value(const std::string& argument) {
    if (named(argument, "-x")) {
      language_ = value(argument, "-x");
      if (language_ == "none") language_.clear();
    } else if (named(argument, "-ccbin") || named(argument, "--compiler-bindir")) {
      options_.host_compiler = value(argument, argument.substr(0, argument.find('=')));
    } else if (named(argument, "-arch") || named(argument, "--gpu-architecture")) {
      architecture(value(argument, argument.substr(0, argument.find('='))));
    } else if (named(argument, "-rdc") || named(argument, "--relocatable-device-code")) {
      options_.relocatable = value(argument, argument.substr(0, argument.find('='))) == "true";
    } else if (named(argument, "-std") || named(argument, "--std")) {
      options_.standard = "-std=" + value(argument, argument.substr(0, argument.find('=')));
    } else if (named(argument, "-Xcompiler") || named(argument, "--compiler-options")) {
      host_options(value(argument, argument.substr(0, argument.find('='))));
    } else if (named(argument, "-Xlinker") || named(argument, "--linker-options")) {
      passed(value(argument, argument.substr(0, argument.find('='))), options_.linker, "-Xlinker");
    } else if (named(argument, "--output-file") || argument.compare(0, 2, "-o") == 0) {
      options_.output = value(argument, argument[1] == 'o' ? "-o" : "--output-file");
    } else if (named(argument, "-include") || named(argument, "-isystem") ||
               named(argument, "-idirafter") || named(argument, "-MF") || named(argument, "-MT") ||
               named(argument, "-MQ")) {
      const std::string name = argument.substr(0, argument.find('='));
      options_.preprocessor.insert(options_.preprocessor.end(), {name, value(argument, name)});
    } else {
      return false;
    }
    return true;
  }

  // Splits the value of -Xcompiler or -Xlinker at commas, and appends each part, after `before` if that is not empty.
  static void passed(const std::string& text, std::vector<std::string>& to,
                     const std::string& before) {
    size_t begin = 0;
    while (begin <= text.size()) {
      const size_t end = std::min(text.find(',', begin), text.size());
      if (!before.empty()) to.push_back(before);
      if (end > begin) to.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  static bool is_preprocessors(const std::string& argument) {
    const std::string start = argument.substr(0, 2);
    return start == "-I" || start == "-D" || start == "-U";
  }

  // Takes the value of -Xcompiler. The preprocessor needs macros and folders of headers, too.
  void host_options(const std::string& text) {
    std::vector<std::string> parts;
    passed(text, parts, "");
    for (const std::string& part : parts) {
      const bool first = is_preprocessors(part) && part.size() > 2;
      (first ? options_.preprocessor : options_.compiler).push_back(part);
    }
  }

  void option(const std::string& argument) {
    if (argument == "-Werror" || argument.compare(0, 8, "-Werror=") == 0 ||
        argument == "--Werror") {
      const bool all = argument == "-Werror" || argument == "-Werror=all-warnings" ||
                       argument.find('-', 8) == std::string::npos;
      if (all) options_.compiler.push_back("-Werror");
      if (argument == "-Werror" && at_ < arguments_.size() && arguments_[at_] == "all-warnings")
        ++at_;
      return;
    }
    if (flag(argument) || ignored(argument) || with_value(argument)) return;
    const std::string start = argument.substr(0, 2);
    if (is_preprocessors(argument)) {
      options_.preprocessor.push_back(start + value(argument, start));
    } else if (start == "-L") {
      options_.linker.push_back(start + value(argument, start));
    } else if (start == "-l") {
      const std::string name = value(argument, start);
      if (kLibraries.count(name) == 0) options_.inputs.push_back({Input::Link, start + name});
    } else if (argument.compare(0, 4, "-Wl,") == 0 || argument == "-pthread" ||
               argument == "-static-libgcc" || argument == "-static-libstdc++" ||
               argument == "-fuse-ld=gold") {
      options_.linker.push_back(argument);
    } else if (start == "-M") {
      options_.preprocessor.push_back(argument);
    } else if (start == "-O" || start == "-g" || start == "-W" || start == "-f" || start == "-m") {
      options_.compiler.push_back(argument);
    } else if (argument.compare(0, 7, "--param") == 0) {
      options_.compiler.push_back("--param=" + value(argument, "--param"));
    } else {
      throw UsageError("unknown option " + argument + " (see simtcc --help)");
    }
  }

  Options options_;
  std::vector<std::string> arguments_;
  size_t at_ = 0;
  std::string language_;
};

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
  return Parser().parse(arguments);
}

}  // namespace simt
