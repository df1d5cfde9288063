#include "driver/options.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>

namespace simt {

const char kHelp[] =
    R"(simtcc [OPTION...] FILE...: compiles CUDA C++ for the CPU. The program checks and counts its kernels as they run.

  a.cu b.cpp c.o -o a      builds the program a: .cu files, C++ files, objects and libraries
  -c, -E                   stops after compiling, after preprocessing; -o FILE names the result
  -x cu                    treats each file as CUDA C++, whatever its name
  -I -D -U -include -M...  as for the host compiler; so are -O -g -W -f -m -std= -l -L -Wl,...
  -ccbin COMPILER          the host compiler (g++ or clang++)
  -arch=sm_90a             sets __CUDA_ARCH__ (without it there is none); --expt-relaxed-constexpr and the like work as with nvcc
  @FILE                    reads options from a file
  --explain                the program prints the counters of each source line when it ends
  --simt-unchecked         neither checks nor counts the kernels of these files
  --simt-unchecked-arrays  does not check the bounds of local arrays through pointers, which takes half the time
  --simt-plain             the program reports nothing when it ends, and its exit code is its own
  --keep, --verbose        keeps intermediate files; prints the commands

Options that only a GPU needs are accepted: -gencode, -code, -Xptxas, -lineinfo, -rdc, --use_fast_math, ...
A program built by simtcc reads SIMT_REPORT, SIMT_TRACE, SIMT_ON_ERROR, SIMT_THREADS and others; README.md explains them.
)";

namespace {

// Options of nvcc that change nothing here: alone, and with a value in the same word or the next.
const std::set<std::string> kIgnored = {"-lineinfo",
                                        "--generate-line-info",
                                        "-G",
                                        "--device-debug",
                                        "-use_fast_math",
                                        "--use_fast_math",
                                        "-dc",
                                        "-dw",
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
                                                 "-rdc",
                                                 "--relocatable-device-code",
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
  Options parse(const std::vector<std::string>& words) {
    expand(words, 0);
    while (at_ < words_.size()) {
      const std::string word = words_[at_++];
      if (word.size() > 1 && word[0] == '-') {
        option(word);
      } else if (!word.empty()) {
        file(word);
      }
    }
    return std::move(options_);
  }

 private:
  void expand(const std::vector<std::string>& words, int depth) {
    if (depth > 8) throw UsageError("files of options name one another");
    for (size_t i = 0; i < words.size(); ++i) {
      std::string name;
      if (words[i].size() > 1 && words[i][0] == '@') {
        name = words[i].substr(1);
      } else if ((words[i] == "-optf" || words[i] == "--options-file") && i + 1 < words.size()) {
        name = words[++i];
      } else {
        words_.push_back(words[i]);
        continue;
      }
      std::ifstream in(name);
      if (!in) throw std::runtime_error(name + ": cannot be read");
      expand(split(std::string(std::istreambuf_iterator<char>(in), {})), depth + 1);
    }
  }

  // Words of a file: white space between them, quotes around what has some, a backslash before any character.
  static std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> words;
    std::string word;
    bool in_word = false;
    char quote = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '\\' && i + 1 < text.size() && quote != '\'') {
        word += text[++i];
        in_word = true;
      } else if (quote != 0 ? c == quote : c == '"' || c == '\'') {
        quote = quote != 0 ? 0 : c;
        in_word = true;
      } else if (quote == 0 && std::isspace(static_cast<unsigned char>(c))) {
        if (in_word) words.push_back(word);
        word.clear();
        in_word = false;
      } else {
        word += c;
        in_word = true;
      }
    }
    if (in_word) words.push_back(word);
    return words;
  }

  // The value of an option: what stands behind its name or behind "=" in the same word, else the next word.
  std::string value(const std::string& word, const std::string& name) {
    if (word.size() > name.size()) {
      return word.substr(name.size() + (word[name.size()] == '=' ? 1 : 0));
    }
    if (at_ == words_.size()) throw UsageError(word + " needs a value");
    return words_[at_++];
  }

  static bool named(const std::string& word, const std::string& name) {
    return word == name || word.compare(0, name.size() + 1, name + "=") == 0;
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
          path +
          ": neither CUDA nor C++ nor an object by its name; -x cu says that it is CUDA C++");
    }
  }

  // -arch=sm_90a, compute_80, native, all
  void architecture(const std::string& text) {
    std::smatch found;
    if (std::regex_match(text, found, std::regex("(?:sm|compute|lto)_([0-9]+)([af]?)"))) {
      options_.architecture = std::stoi(found[1]) * 10;
      options_.all_features = found[2].length() != 0;
    } else if (text != "native" && text != "all" && text != "all-major") {
      throw UsageError("-arch=" + text + ": not an architecture; sm_90 is one");
    }
  }

  // True if it is an option that changes nothing here.
  bool ignored(const std::string& word) {
    const std::string name = word.substr(0, word.find('='));
    if (kIgnoredWithValue.count(name) != 0) {
      value(word, name);
      return true;
    }
    return kIgnored.count(name) != 0;
  }

  // True if the word is one of those that stand alone and set something.
  bool flag(const std::string& word) {
    static const std::map<std::string, std::function<void(Options&)>> flags = {
        {"-c", [](Options& o) { o.last = Stage::Compile; }},
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
    if (lambdas.count(word) != 0) return options_.extended_lambda = true;
    if (relaxed.count(word) != 0) return options_.relaxed_constexpr = true;
    const auto found = flags.find(word);
    if (found == flags.end()) return false;
    found->second(options_);
    return true;
  }

  // True if the word belongs to an option with a value.
  bool with_value(const std::string& word) {
    if (named(word, "-x")) {
      language_ = value(word, "-x");
      if (language_ == "none") language_.clear();
    } else if (named(word, "-ccbin") || named(word, "--compiler-bindir")) {
      options_.host_compiler = value(word, word.substr(0, word.find('=')));
    } else if (named(word, "-arch") || named(word, "--gpu-architecture")) {
      architecture(value(word, word.substr(0, word.find('='))));
    } else if (named(word, "-std") || named(word, "--std")) {
      options_.standard = "-std=" + value(word, word.substr(0, word.find('=')));
    } else if (named(word, "-Xcompiler") || named(word, "--compiler-options")) {
      passed(value(word, word.substr(0, word.find('='))), options_.compiler, "");
    } else if (named(word, "-Xlinker") || named(word, "--linker-options")) {
      passed(value(word, word.substr(0, word.find('='))), options_.linker, "-Xlinker");
    } else if (named(word, "--output-file") || word.compare(0, 2, "-o") == 0) {
      options_.output = value(word, word[1] == 'o' ? "-o" : "--output-file");
    } else if (named(word, "-include") || named(word, "-isystem") || named(word, "-idirafter") ||
               named(word, "-MF") || named(word, "-MT") || named(word, "-MQ")) {
      const std::string name = word.substr(0, word.find('='));
      options_.preprocessor.insert(options_.preprocessor.end(), {name, value(word, name)});
    } else {
      return false;
    }
    return true;
  }

  // The words that -Xcompiler or -Xlinker hands on, with commas between them.
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

  void option(const std::string& word) {
    if (word == "-Werror" || word.compare(0, 8, "-Werror=") == 0 || word == "--Werror") {
      const bool all = word == "-Werror" || word == "-Werror=all-warnings" ||
                       word.find('-', 8) == std::string::npos;
      if (all) options_.compiler.push_back("-Werror");
      if (word == "-Werror" && at_ < words_.size() && words_[at_] == "all-warnings") ++at_;
      return;
    }
    if (flag(word) || ignored(word) || with_value(word)) return;
    const std::string start = word.substr(0, 2);
    if (start == "-I" || start == "-D" || start == "-U") {
      options_.preprocessor.push_back(start + value(word, start));
    } else if (start == "-L") {
      options_.linker.push_back(start + value(word, start));
    } else if (start == "-l") {
      options_.inputs.push_back({Input::Link, start + value(word, start)});
    } else if (word.compare(0, 4, "-Wl,") == 0 || word == "-pthread" || word == "-static-libgcc" ||
               word == "-static-libstdc++" || word == "-fuse-ld=gold") {
      options_.linker.push_back(word);
    } else if (start == "-M") {
      options_.preprocessor.push_back(word);
    } else if (start == "-O" || start == "-g" || start == "-W" || start == "-f" || start == "-m") {
      options_.compiler.push_back(word);
    } else if (word.compare(0, 7, "--param") == 0) {
      options_.compiler.push_back("--param=" + value(word, "--param"));
    } else {
      throw UsageError("unknown option " + word + " (simtcc --help lists them)");
    }
  }

  Options options_;
  std::vector<std::string> words_;
  size_t at_ = 0;
  std::string language_;
};

}  // namespace

Options parse_options(const std::vector<std::string>& words) {
  return Parser().parse(words);
}

}  // namespace simt
