#include "driver/build.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "driver/flags.h"
#include "frontend/frontend.h"

namespace simt {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

void append(Words& to, const Words& words) {
  to.insert(to.end(), words.begin(), words.end());
}

std::string read(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(file + ": cannot be read");
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// The folder of a CUDA toolkit goes behind all others: headers that stand in for CUDA's come first.
Words toolkit_last(const Words& words) {
  Words result;
  for (const std::string& word : words) {
    const bool toolkit =
        word.compare(0, 2, "-I") == 0 && fs::exists(word.substr(2) + "/crt/host_runtime.h");
    result.push_back(toolkit ? "-idirafter" + word.substr(2) : word);
  }
  return result;
}

class Builder {
 public:
  Builder(const Options& options, const Toolchain& tools) : options_(options), tools_(tools) {}

  ~Builder() {
    std::error_code ignored;
    for (const std::string& path : temporary_) {
      if (!options_.keep) fs::remove_all(path, ignored);
    }
  }

  int build() {
    size_t sources = 0;
    for (const Input& input : options_.inputs) sources += input.kind != Input::Link;
    if (options_.inputs.empty())
      throw UsageError("no input files (simtcc --help says what it takes)");
    if (!options_.output.empty() && options_.last != Stage::Link && sources > 1) {
      throw UsageError("-o names one file, but there are " + std::to_string(sources) +
                       " to compile");
    }
    Words objects;
    for (const Input& input : options_.inputs) {
      if (input.kind == Input::Link) {
        objects.push_back(input.path);
        continue;
      }
      const int status = input.kind == Input::Cuda ? cuda(input.path) : host(input.path);
      if (status != 0) return status;
      objects.push_back(made_);
    }
    return options_.last == Stage::Link ? link(objects) : 0;
  }

 private:
  int run(const Words& words) { return execute(words, options_.verbose) == 0 ? 0 : 1; }

  // The file that a source becomes at the last stage: -o, or one beside where simtcc was called.
  std::string target(const std::string& source, const std::string& extension) {
    if (options_.last == Stage::Link) {
      const std::string path = scratch() + "/" + std::to_string(temporary_.size()) + "_" +
                               fs::path(source).stem().string() + extension;
      temporary_.push_back(path);
      return path;
    }
    return options_.output.empty() ? fs::path(source).stem().string() + extension : options_.output;
  }

  // A folder of this process for the objects of a program.
  const std::string& scratch() {
    if (scratch_.empty()) {
      std::string pattern = (fs::temp_directory_path() / "simtcc.XXXXXX").string();
      if (mkdtemp(pattern.data()) == nullptr) {
        throw std::runtime_error(pattern +
                                 ": cannot be made, which holds the objects of the program");
      }
      scratch_ = pattern;
      temporary_.push_back(scratch_);
    }
    return scratch_;
  }

  Words compiler() const {
    Words words = {tools_.compiler};
    append(words, base_flags(tools_, options_));
    append(words, toolkit_last(options_.preprocessor));
    return words;
  }

  // Dependencies are those of the source, and so is the name of the target, unless -MT or -MF says otherwise.
  Words preprocess_flags(const std::string& object) const {
    Words words;
    bool makes = false, target = false, file = false;
    for (const std::string& word : options_.preprocessor) {
      makes |= word == "-MD" || word == "-MMD";
      target |= word == "-MT" || word == "-MQ";
      file |= word == "-MF";
    }
    if (makes && !target) append(words, {"-MT", object});
    if (makes && !file) append(words, {"-MF", fs::path(object).replace_extension(".d").string()});
    append(words, {"-E", "-w", "-fno-working-directory", "-UNDEBUG", "-O2", "-DSIMT_REWRITING",
                   "-D__CUDACC__", "-D__NVCC__", "-include", "cuda_runtime.h", "-x", "c++"});
    return words;
  }

  // Without options that ask for a file of dependencies: the compiler sees the rewritten file.
  Words compile_flags() const {
    Words words = {tools_.compiler};
    append(words, base_flags(tools_, options_));
    const Words all = toolkit_last(options_.preprocessor);
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i] == "-MF" || all[i] == "-MT" || all[i] == "-MQ" || all[i] == "-include") {
        ++i;
      } else if (all[i].compare(0, 2, "-M") != 0) {
        words.push_back(all[i]);
      }
    }
    append(words, kernel_flags(tools_, options_));
    // Higher levels would clone and split loops, which blurs lines.
    for (const std::string& word : options_.compiler) {
      const bool higher = word.compare(0, 2, "-O") == 0 && word != "-O0" && word != "-O1";
      if (!higher) words.push_back(word);
    }
    append(words, silent_warnings(tools_));
    return words;
  }

  int preprocess(const std::string& source, const std::string& to, const std::string& object) {
    Words words = compiler();
    append(words, preprocess_flags(object));
    append(words, {source, "-o", to});
    return run(words);
  }

  void rewrite_to(const std::string& source, const std::string& text, const std::string& to) {
    std::string warnings;
    const std::string result = rewrite(source, read(text), warnings);
    std::ofstream out(to, std::ios::binary);
    out << result;
    if (!out.flush()) throw std::runtime_error(to + ": cannot be written");
    std::fputs(warnings.c_str(), stderr);
  }

  int cuda(const std::string& source) {
    if (options_.last == Stage::Preprocess) {
      return preprocess(source, options_.output.empty() ? "-" : options_.output, options_.output);
    }
    const std::string object = target(source, options_.last == Stage::Rewrite ? ".cpp" : ".o");
    const fs::path folder = fs::path(object).parent_path();
    if (!folder.empty()) fs::create_directories(folder);
    std::string text = source;
    if (!options_.raw) {
      text = object + ".ii";
      temporary_.push_back(text);
      if (preprocess(source, text, object) != 0) return 1;
    }
    if (options_.last == Stage::Rewrite) {
      rewrite_to(source, text, object);
      return 0;
    }
    const std::string rewritten = fs::path(object).replace_extension(".simt.cpp").string();
    temporary_.push_back(rewritten);
    rewrite_to(source, text, rewritten);
    Words words = compile_flags();
    // Quoted includes that only the compiler sees are those of the folder of the source.
    const std::string beside = fs::path(source).parent_path().string();
    append(words, {"-I" + (beside.empty() ? "." : beside), "-c", rewritten, "-o", object});
    made_ = object;
    return run(words);
  }

  int host(const std::string& source) {
    Words words = compiler();
    append(words, options_.compiler);
    if (options_.last == Stage::Preprocess) {
      append(words, {"-E", source});
      if (!options_.output.empty()) append(words, {"-o", options_.output});
      return run(words);
    }
    const std::string object = target(source, ".o");
    append(words, {"-c", source, "-o", object});
    made_ = object;
    return run(words);
  }

  int link(const Words& objects) {
    Words words = {tools_.compiler};
    append(words, options_.compiler);
    append(words, {"-o", options_.output.empty() ? "a.out" : options_.output});
    append(words, options_.linker);
    append(words, objects);
    if (!options_.report.empty()) {
      const std::string wish = scratch() + "/report.cpp";
      std::ofstream(wish) << "extern \"C\" { extern const char simt_default_report[]; const char "
                             "simt_default_report[] = \"" +
                                 options_.report + "\"; }\n";
      words.push_back(wish);
    }
    if (!options_.plain) words.push_back(tools_.program);
    words.push_back(tools_.runtime);
    append(words, tools_.libraries);
    return run(words);
  }

  const Options& options_;
  const Toolchain& tools_;
  Words temporary_;
  std::string scratch_, made_;
};

}  // namespace

int build(const Options& options, const Toolchain& tools) {
  return Builder(options, tools).build();
}

}  // namespace simt
