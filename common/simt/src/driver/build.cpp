#include "driver/build.h"

#include <unistd.h>

#include <algorithm>
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
using Arguments = std::vector<std::string>;

void append(Arguments& to, const Arguments& arguments) {
  to.insert(to.end(), arguments.begin(), arguments.end());
}

std::string read(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(file + ": cannot be read");
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// Moves the include folder of a CUDA toolkit to the end of the search path, so that the backend's CUDA headers come
// first.
Arguments toolkit_last(const Arguments& arguments) {
  Arguments result;
  for (const std::string& argument : arguments) {
    const bool toolkit =
        argument.compare(0, 2, "-I") == 0 && fs::exists(argument.substr(2) + "/crt/host_runtime.h");
    result.push_back(toolkit ? "-idirafter" + argument.substr(2) : argument);
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
    if (options_.last == Stage::DeviceLink) return link_device();
    Arguments objects;
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
  int run(const Arguments& arguments) { return execute(arguments, options_.verbose) == 0 ? 0 : 1; }

  // Returns the output path of a source's last stage: a temporary file before linking, else -o or a file in the current
  // folder.
  std::string target(const std::string& source, const std::string& extension) {
    if (options_.last == Stage::Link) {
      const std::string path = scratch() + "/" + std::to_string(temporary_.size()) + "_" +
                               fs::path(source).stem().string() + extension;
      temporary_.push_back(path);
      return path;
    }
    return options_.output.empty() ? fs::path(source).stem().string() + extension : options_.output;
  }

  // Returns the path of a temporary folder for the program's objects. Creates it on first use.
  const std::string& scratch() {
    if (scratch_.empty()) {
      std::string pattern = (fs::temp_directory_path() / "simtcc.XXXXXX").string();
      if (mkdtemp(pattern.data()) == nullptr) {
        throw std::runtime_error(pattern + ": cannot create this folder for the program's objects");
      }
      scratch_ = pattern;
      temporary_.push_back(scratch_);
    }
    return scratch_;
  }

  Arguments compiler() const {
    Arguments arguments = {tools_.compiler};
    append(arguments, base_flags(tools_, options_));
    append(arguments, toolkit_last(options_.preprocessor));
    return arguments;
  }

  // Returns the options of the preprocessor. A file of dependencies names `object` as its target, and lies beside it,
  // unless the user gives -MT or -MF.
  Arguments preprocess_flags(const std::string& object) const {
    Arguments arguments;
    bool makes = false, target = false, file = false;
    for (const std::string& argument : options_.preprocessor) {
      makes |= argument == "-MD" || argument == "-MMD";
      target |= argument == "-MT" || argument == "-MQ";
      file |= argument == "-MF";
    }
    if (makes && !target) append(arguments, {"-MT", object});
    if (makes && !file)
      append(arguments, {"-MF", fs::path(object).replace_extension(".d").string()});
    append(arguments, {"-E", "-w", "-fno-working-directory", "-UNDEBUG", "-O2", "-DSIMT_REWRITING",
                       "-D__CUDACC__", "-D__NVCC__", "-include", "cuda_runtime.h", "-x", "c++"});
    return arguments;
  }

  // Returns the command that compiles rewritten files. It leaves out what preprocess() has done: dependencies, and the
  // user's macros, which would now replace names in the backend's headers, too.
  Arguments compile_flags() const {
    Arguments arguments = {tools_.compiler};
    append(arguments, base_flags(tools_, options_));
    const Arguments all = toolkit_last(options_.preprocessor);
    for (size_t i = 0; i < all.size(); ++i) {
      const std::string start = all[i].substr(0, 2);
      const bool macro = start == "-D" || start == "-U";
      if (all[i] == "-MF" || all[i] == "-MT" || all[i] == "-MQ" || all[i] == "-include") {
        ++i;
      } else if (start != "-M" && !(macro && !options_.raw)) {
        arguments.push_back(all[i]);
      }
    }
    append(arguments, kernel_flags(tools_, options_));
    // Higher levels would clone and split loops, so that counters no longer belong to one line.
    for (const std::string& argument : options_.compiler) {
      const bool higher =
          argument.compare(0, 2, "-O") == 0 && argument != "-O0" && argument != "-O1";
      if (!higher) arguments.push_back(argument);
    }
    append(arguments, silent_warnings(tools_));
    return arguments;
  }

  int preprocess(const std::string& source, const std::string& to, const std::string& object) {
    Arguments arguments = compiler();
    append(arguments, preprocess_flags(object));
    append(arguments, {source, "-o", to});
    return run(arguments);
  }

  void rewrite_to(const std::string& source, const std::string& text, const std::string& to) {
    std::string warnings;
    const std::string result = rewrite(source, read(text), tools_.include, warnings,
                                       options_.relocatable, options_.relaxed_constexpr);
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
    Arguments arguments = compile_flags();
    // The rewritten file may lie in another folder. Quoted includes are searched in the source's folder.
    const std::string beside = fs::path(source).parent_path().string();
    append(arguments, {"-I" + (beside.empty() ? "." : beside), "-c", rewritten, "-o", object});
    made_ = object;
    return run(arguments);
  }

  int host(const std::string& source) {
    Arguments arguments = compiler();
    append(arguments, options_.compiler);
    if (options_.last == Stage::Preprocess) {
      append(arguments, {"-E", source});
      if (!options_.output.empty()) append(arguments, {"-o", options_.output});
      return run(arguments);
    }
    const std::string object = target(source, ".o");
    append(arguments, {"-c", source, "-o", object});
    made_ = object;
    return run(arguments);
  }

  // Device code is host code here, so there is nothing to link: an empty object takes its place.
  int link_device() {
    Arguments arguments = {tools_.compiler};
    append(arguments, {"-x", "c++", "-c", "/dev/null", "-o",
                       options_.output.empty() ? "a_dlink.o" : options_.output});
    return run(arguments);
  }

  int link(Arguments objects) {
    // Like nvcc: libraries follow all objects.
    std::stable_partition(objects.begin(), objects.end(),
                          [](const std::string& each) { return each.compare(0, 2, "-l") != 0; });
    for (auto at = objects.begin(); at != objects.end(); ++at) {
      if (*at != "-lcublas" && *at != "-lcublas_static") continue;
      if (!fs::exists(tools_.blas)) {
        throw std::runtime_error(*at + ": there is no " + tools_.blas + "; build simt_cublas");
      }
      *at = tools_.blas;
      if (!tools_.blas_needs.empty()) at = objects.insert(at + 1, tools_.blas_needs);
    }
    Arguments arguments = {tools_.compiler};
    append(arguments, options_.compiler);
    append(arguments, {"-o", options_.output.empty() ? "a.out" : options_.output});
    append(arguments, options_.linker);
    append(arguments, objects);
    if (!options_.report.empty()) {
      const std::string source = scratch() + "/report.cpp";
      std::ofstream(source) << "extern \"C\" { extern const char simt_default_report[]; const char "
                               "simt_default_report[] = \"" +
                                   options_.report + "\"; }\n";
      arguments.push_back(source);
    }
    if (!options_.plain) arguments.push_back(tools_.program);
    arguments.push_back(tools_.runtime);
    append(arguments, tools_.libraries);
    const int status = run(arguments);
    if (status != 0 && objects.size() > 1 && !options_.relocatable) {
      std::fputs(
          "simtcc: is a __device__ function of another file missing? With -rdc=true files share "
          "them, as with nvcc\n",
          stderr);
    }
    return status;
  }

  const Options& options_;
  const Toolchain& tools_;
  Arguments temporary_;
  std::string scratch_, made_;
};

}  // namespace

int build(const Options& options, const Toolchain& tools) {
  return Builder(options, tools).build();
}

}  // namespace simt
