// The program explain.LESSON. This run_lesson() replaces that of the harness, so the lesson's unmodified
// main() runs the kernel once and prints its counters.
#include <cuda_fp16.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

#include "common/harness/answer/verify.h"
#include "common/harness/device/cuda_error.h"
#include "common/harness/explain/explain.h"
#include "common/harness/program/options.h"
#include "common/harness/program/report.h"
#include "common/lesson.h"

namespace {

constexpr int kDefaultSize = 256;
constexpr unsigned kMostWarps = 32;  // in a block

struct Arguments {
  Options options;
  std::string name, trace;
  bool probe = false;  // report how block 0 uses elements of A and B
};

// Removes the option "NAME VALUE" from the arguments and returns the value; "" if the option is absent.
std::string take(std::vector<char*>& arguments, const std::string& name) {
  for (auto at = arguments.begin(); at != arguments.end(); ++at) {
    if (*at == name) {
      const std::string value = at + 1 == arguments.end() ? "" : at[1];
      if (value.empty()) {
        throw UsageError("option " + name + " needs a value");
      }
      arguments.erase(at, at + 2);
      return value;
    }
  }
  return "";
}

// Removes an option without a value from the arguments and returns whether it was there.
bool take_flag(std::vector<char*>& arguments, const std::string& name) {
  const auto at = std::find(arguments.begin(), arguments.end(), name);
  const bool found = at != arguments.end();
  if (found) {
    arguments.erase(at);
  }
  return found;
}

// Reads a number of one or two digits; -1 if the text is none.
int number(const std::string& text) {
  const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
  return digits && !text.empty() && text.size() <= 2 ? std::stoi(text) : -1;
}

// fuse: the largest width of fused shared loads in bytes, either for all arrays ("8") or for some
// ("As=16,Bs=4").
void set_fusion(const std::string& fuse) {
  for (size_t begin = 0, end; begin < fuse.size(); begin = end + 1) {
    end = std::min(fuse.find(',', begin), fuse.size());
    const std::string part = fuse.substr(begin, end - begin);
    const size_t equals = part.rfind('=');
    const int bytes = number(equals == std::string::npos ? part : part.substr(equals + 1));
    if (bytes != 4 && bytes != 8 && bytes != 16) {
      throw UsageError("--fuse must be 4, 8 or 16, alone or for arrays as in As=16,Bs=4, not '" +
                       part + "'");
    }
    if (equals == std::string::npos) {
      simt::set_fusion(unsigned(bytes));
    } else {
      simt::set_fusion(part.substr(0, equals), unsigned(bytes));
    }
  }
}

// Parses the options of explain itself; all others are those of a lesson program.
Arguments parse(int argc, char** argv) {
  std::vector<char*> arguments{argv, argv + argc};
  Arguments a;
  a.name = lesson_name(argc > 0 ? argv[0] : "explain");
  if (a.name.rfind("explain.", 0) == 0) {
    a.name = a.name.substr(8);
  }
  set_fusion(take(arguments, "--fuse"));
  a.trace = take(arguments, "--trace");
  a.probe = take_flag(arguments, "--probe");
  arguments.push_back(nullptr);
  a.options = parse_options(int(arguments.size()) - 1, arguments.data(), kDefaultSize);
  return a;
}

// Gives each array in global memory the name of its matrix.
void name_arrays(std::vector<simt::ArrayCounters>& arrays,
                 const std::vector<explain::Matrix>& matrices) {
  for (simt::ArrayCounters& array : arrays) {
    if (!array.array.empty()) {
      continue;
    }
    array.array = "global memory";
    for (const explain::Matrix& matrix : matrices) {
      if (array.allocation == matrix.begin) {
        array.array = matrix.name;
        break;
      }
    }
  }
}

// Gives each element of a matrix a value that identifies it: positive in A, negative in B. All differ if there are
// fewer than 2^23 elements, 31743 halves, or 126 of type e4m3.
template <typename T>
simt::NamedMatrix number_elements(const char* name, const T* matrix, int rows, int cols, int64_t ld,
                                  bool negative) {
  std::vector<T> values(size_t(rows * ld));
  for (size_t i = 0; i < values.size(); ++i) {
    if constexpr (sizeof(T) == 2) {
      const uint16_t bits = uint16_t((1 + i % 31743) | (negative ? 0x8000 : 0));
      std::memcpy(static_cast<void*>(&values[i]), &bits, 2);
    } else if constexpr (sizeof(T) == 1) {
      const uint8_t bits = uint8_t((1 + i % 126) | (negative ? 0x80 : 0));
      std::memcpy(static_cast<void*>(&values[i]), &bits, 1);
    } else {
      values[i] = T(negative ? -1.0 - double(i) : 1.0 + double(i));
    }
  }
  CUDA_CHECK(cudaMemcpy(const_cast<T*>(matrix), values.data(), values.size() * sizeof(T),
                        cudaMemcpyHostToDevice));
  return {name, matrix, uint64_t(rows), uint64_t(cols), uint64_t(ld), sizeof(T)};
}

// Runs gemm once, prints the report and returns the exit code.
template <typename T, typename Acc, typename Out>
int explain_once(void (*gemm)(const Gemm<T, Acc, Out>&), const Arguments& a) {
  Case c = case_of(a.options);
  if (!a.trace.empty()) {
    c.mode = Mode::kRounding;  // its values differ, so the trace can identify elements
  }
  const Operands<T, Acc, Out> operands(c);
  const Gemm<T, Acc, Out>& p = operands.problem();
  const auto [rows_of_B, cols_of_B] = shape_of_B<T>(p.K, p.N);
  if (!a.trace.empty()) {
    simt::follow_warps(0, kMostWarps);
  }
  if (a.probe) {
    simt::probe(number_elements("A", p.A, p.M, p.K, p.lda, false),
                number_elements("B", p.B, rows_of_B, cols_of_B, p.ldb, true));
  }
  simt::reset_reports();
  {
    const GemmCall call;
    gemm(p);
  }
  CUDA_CHECK(cudaDeviceSynchronize());

  const std::vector<simt::LaunchReport>& launches = simt::launch_reports();
  simt::LaunchReport all = explain::together(launches);
  if (!all.counted) {
    throw UsageError("gemm() launched no kernel, so there is nothing to explain");
  }
  const explain::Problem problem{a.name, c.M, c.N, c.K};
  std::vector<explain::Matrix> matrices = {{"A", p.A, c.M, c.K, c.lda, sizeof(T)},
                                           {"B", p.B, rows_of_B, cols_of_B, p.ldb, sizeof(T)},
                                           {"C", p.C, c.M, c.N, c.ldc, sizeof(Out)}};
  if constexpr (HAS_EPILOGUE<T, Acc, Out>) {
    matrices.push_back({"bias", p.bias, 1, c.N, c.N, sizeof(Out)});
  }
  if constexpr (IS_SCALED<T>) {
    const int blocks = ceil_div(c.K, SCALED);
    matrices.push_back({"scales_A", p.scales_A, blocks, c.M, c.M, sizeof(float)});
    matrices.push_back(
        {"scales_B", p.scales_B, ceil_div(c.N, SCALED), blocks, blocks, sizeof(float)});
  }
  if (!a.trace.empty()) {
    explain::save_events(problem, launches, matrices, a.trace);
  } else {
    name_arrays(all.arrays, matrices);
    const std::string text =
        closed(explain::json(problem, launches, all, simt::element_uses())) + '\n';
    if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
      throw DeviceError("cannot write to standard output");
    }
  }
  const Verdict verdict = a.options.check && !a.probe ? operands.verify() : Verdict();
  if (!verdict.right) {
    std::fprintf(stderr, "%s: %s\n", a.name.c_str(), verdict.text.c_str());
  }
  return verdict.right ? kRight : kWrong;
}

}  // namespace

template <typename T, typename Acc, typename Out>
int run_lesson(void (*gemm)(const Gemm<T, Acc, Out>&), int argc, char** argv) {
  std::string text;
  int code = kDevice;
  try {
    return explain_once(gemm, parse(argc, argv));
  } catch (const UsageError& error) {
    text = error.what();
    code = kUsage;
  } catch (const std::bad_alloc&) {
    text = host_memory_error();
  } catch (const std::exception& error) {
    text = error.what();
  }
  std::fprintf(stderr, "explain: %s\n", text.c_str());
  return code;
}

template int run_lesson(void (*)(const Gemm<float, float>&), int, char**);
template int run_lesson(void (*)(const Gemm<double, double>&), int, char**);
template int run_lesson(void (*)(const Gemm<half, float>&), int, char**);
template int run_lesson(void (*)(const Gemm<half, float, half>&), int, char**);
template int run_lesson(void (*)(const Gemm<e4m3, float>&), int, char**);
template int run_lesson(void (*)(const Gemm<e4m3, float, bf16>&), int, char**);
template int run_lesson(void (*)(const Gemm<int, int>&), int, char**);
