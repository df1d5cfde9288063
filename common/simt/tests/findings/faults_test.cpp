// Faults of the machine, endless loops, limits of launches, and what host code and printf() do.
#include "tests/findings/faults.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "simt/report.h"
#include "simt/testing.h"
#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/error_codes.h"
#include "tests/source_lines.h"

namespace {

using simt::ErrorKind;

std::vector<simt::Error> run(faults::Run kernel) {
  DeviceArray<int> memory(std::vector<int>(4096, 0));
  kernel(memory.get());
  std::vector<simt::Error> errors = simt::last_errors();
  CHECK(cudaGetLastError() == code_of(errors));
  return errors;
}

// What the function writes to stdout, or to another stream.
template <typename Function>
std::string output_of(Function function, int stream = 1) {
  char name[] = "/tmp/simt_faults_XXXXXX";
  const int file = mkstemp(name);
  REQUIRE(file >= 0);
  std::fflush(stdout);
  const int before = dup(stream);
  dup2(file, stream);
  function();
  std::fflush(stdout);
  dup2(before, stream);
  close(before);
  std::string text(size_t(lseek(file, 0, SEEK_END)), '\0');
  const ssize_t got = pread(file, &text[0], text.size(), 0);
  close(file);
  unlink(name);
  CHECK(got == ssize_t(text.size()));
  return text;
}

// The output of a child process in which the host reads memory[5]. It must end with 3.
template <typename Memory>
std::string output_of_host_reading(Memory memory) {
  return output_of(
      [&] {
        const pid_t child = fork();
        if (child == 0) _exit(faults::host_reads(memory()));
        int status = 0;
        waitpid(child, &status, 0);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 3);
      },
      2);
}

}  // namespace

TEST_CASE("what would stop the machine is an error with kernel, block, thread and line") {
  const struct {
    faults::Run kernel;
    const char* line;
    const char* says;
  } cases[] = {
      {faults::divides_by_zero, "ERROR division", "divides an integer by zero"},
      {faults::aborts, "ERROR abort", "calls abort()"},
      {faults::asserts, "ERROR assert", "fails assert(!here() || memory[100] == 1)"},
      {faults::traps, "ERROR trap", "trap"},
      {faults::recurses, "ERROR recursion", "endless recursion"},
      {faults::misses_return, "ERROR return", "without a return"},
      {faults::calls_null, "ERROR null", "null function pointer"},
  };
  for (const auto& each : cases) {
    for (int threads : {1, 2, 7}) {
      simt::set_threads(threads);
      const auto errors = run(each.kernel);
      INFO(each.says);
      REQUIRE(errors.size() == 1);
      INFO(errors[0].message);
      CHECK(errors[0].kind ==
            (each.kernel == faults::asserts ? ErrorKind::FailedAssert : ErrorKind::Fault));
      CHECK(errors[0].here.place.line == marked_line(FAULTS_FILE, each.line));
      CHECK(errors[0].message.find("thread (5,0,0) of block (2,0,0)") != std::string::npos);
      CHECK(errors[0].message.find(each.says) != std::string::npos);
    }
  }
  simt::set_threads(0);
}

TEST_CASE("a failed assert() has a code of its own, which lasts") {
  DeviceArray<int> memory(std::vector<int>(4096, 0));
  simt::set_sticky(true);
  faults::asserts(memory.get());
  void* more = nullptr;
  CHECK(cudaDeviceSynchronize() == cudaErrorAssert);
  CHECK(cudaMalloc(&more, 4) == cudaErrorAssert);
  faults::asserts(memory.get());
  CHECK(cudaGetLastError() == cudaErrorAssert);
  CHECK(cudaStreamSynchronize(nullptr) == cudaErrorAssert);
  simt::set_sticky(false);
  CHECK(cudaGetLastError() == cudaErrorAssert);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("a thread may have 64 KB of local arrays, but not 2 MB") {
  CHECK(run(faults::large_local_array).empty());
  const auto errors = run(faults::huge_local_array);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].kind == ErrorKind::Fault);
  CHECK(errors[0].message.find("more than 640 KB of stack") != std::string::npos);
  CHECK(errors[0].here.place.line == marked_line(FAULTS_FILE, "ERROR frame"));
  CHECK(run(faults::large_local_array).empty());
}

TEST_CASE("a loop without end that has a barrier in it is stopped, whatever the OS threads") {
  for (int threads : {1, 3}) {
    simt::set_threads(threads);
    const auto errors = run(faults::barrier_loop);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].kind == ErrorKind::Endless);
    CHECK(errors[0].here.block.x == 0);
    CHECK(errors[0].here.place.line == marked_line(FAULTS_FILE, "ERROR loop"));
  }
  simt::set_threads(0);
}

TEST_CASE("a loop without end that does nothing is not taken for one that ends") {
  const auto errors = run(faults::empty_loop);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].kind == ErrorKind::Endless);
  CHECK(errors[0].here.place.line == marked_line(FAULTS_FILE, "ERROR empty"));
}

TEST_CASE("an operator or a lambda for the host is told where a kernel calls it") {
  for (const auto& [kernel, mark] : {std::pair(faults::applies_of_host, "ERROR operator"),
                                     std::pair(faults::applies_lambda, "ERROR lambda")}) {
    const auto errors = run(kernel);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].message.find("calls a function for the host") != std::string::npos);
    CHECK(errors[0].here.place.line == marked_line(FAULTS_FILE, mark));
  }
}

TEST_CASE("__launch_bounds__ hold for launches") {
  faults::bounded(64);
  CHECK(cudaGetLastError() == cudaSuccess);
  faults::bounded(65);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("static and dynamic shared memory have CUDA's limits") {
  faults::with_static(16 * 1024);
  CHECK(cudaGetLastError() == cudaSuccess);
  faults::with_static(16 * 1024 + 1);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(faults::allow_with_static(195 * 1024 + 1) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(faults::allow_with_static(20000) == cudaSuccess);
  faults::with_static(20000);
  CHECK(cudaGetLastError() == cudaSuccess);
  faults::with_static(20001);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(faults::allow_with_static(195 * 1024) == cudaSuccess);
  faults::with_static(195 * 1024);
  CHECK(cudaGetLastError() == cudaSuccess);
  // Arrays of functions that a kernel calls count as well.
  DeviceArray<int> memory(std::vector<int>(2, 0));
  faults::two_functions(memory.get());
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("what kernels print comes out block after block, and before what the host prints next") {
  std::string expected;
  for (int block = 0; block < 3; ++block) {
    for (int thread = 0; thread < 40; ++thread) {
      expected += "block " + std::to_string(block) + " thread " + std::to_string(thread) + "\n";
    }
    expected += "after\n";
  }
  for (int threads : {1, 3}) {
    simt::set_threads(threads);
    CHECK(output_of(faults::prints) == expected + "host\n");
  }
  simt::set_threads(0);
}

TEST_CASE("host code beside kernels may have static variables and std::atomic") {
  CHECK(faults::counted_calls() == 41 + 1);
  CHECK(faults::counted_calls() == 42 + 2);
}

TEST_CASE("host code that touches device memory ends the program with its line") {
  const DeviceArray<int> array(std::vector<int>(64, 7));
  const std::string line = std::to_string(marked_line(FAULTS_FILE, "ERROR host"));
  const std::string told = "faults.cu:" + line + ": host code touches device memory";
  const std::string text = output_of_host_reading([&] { return array.get(); });
  INFO(text);
  CHECK(text.find(told + ", at offset 20 of") != std::string::npos);
  const std::string of_freed = output_of_host_reading([] {  // large memory is mapped anew
    int* freed = nullptr;
    cudaMalloc(&freed, 9 << 20);
    cudaFree(freed);
    return freed + (1 << 20);
  });
  INFO(of_freed);
  CHECK(of_freed.find(told + " that has been freed, at offset 4194324 of") != std::string::npos);
}

TEST_CASE("leaks, for the next test", "[.leaks]") {
  const pid_t child = fork();
  if (child == 0) {
    int* memory = nullptr;
    std::exit(cudaMalloc(&memory, 4096));  // the tests themselves end without what exit() runs
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("what has never been freed is noted when the program ends") {
  char self[4096] = {};
  REQUIRE(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
  const std::string command = std::string("SIMT_PRINT=1 '") + self + "' '[.leaks]'";
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread is at work
  const std::string text = output_of([&] { CHECK(std::system(command.c_str()) == 0); }, 2);
  CHECK(text == "note: 1 allocation of device memory never freed, 4096 bytes\n");
}

TEST_CASE("memory that has been freed is told as such, even if something else has been allocated") {
  int* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 4096) == cudaSuccess);
  REQUIRE(cudaFree(memory) == cudaSuccess);
  const DeviceArray<int> other(std::vector<int>(1024, 0));
  faults::touches(memory);
  REQUIRE(!simt::last_errors().empty());
  const simt::Error& error = simt::last_errors()[0];
  CHECK(error.kind == ErrorKind::GlobalOutOfBounds);
  CHECK(error.here.place.line == marked_line(FAULTS_FILE, "ERROR freed"));
  CHECK(error.message.find("that has been freed: offset 0 of what was an allocation of 4096") !=
        std::string::npos);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
}

TEST_CASE("memory that is freed twice, and what was never allocated, is told") {
  simt::set_printing(true);
  const std::string text = output_of(
      [] {
        int* memory = nullptr;
        REQUIRE(cudaMalloc(&memory, 4096) == cudaSuccess);
        CHECK(cudaFree(memory + 1) == cudaErrorInvalidValue);
        CHECK(cudaFree(memory) == cudaSuccess);
        CHECK(cudaFree(memory) == cudaErrorInvalidValue);
        CHECK(cudaFreeAsync(memory, nullptr) == cudaErrorInvalidValue);
        CHECK(cudaGetLastError() == cudaErrorInvalidValue);
      },
      2);
  simt::set_printing(false);
  for (const char* each : {"cudaFree() fails: no memory on the device begins here\n",
                           "cudaFree() fails: this memory has been freed already\n",
                           "cudaFreeAsync() fails: this memory has been freed already\n"}) {
    CHECK(text.find(each) != std::string::npos);
  }
}

TEST_CASE("a barrier between threads that share no memory is noted") {
  simt::set_printing(true);
  const std::string text = output_of([] { run(faults::has_nothing_in_common); }, 2);
  simt::set_printing(false);
  CHECK(
      text.find("faults::private_kernel waits at __syncthreads(), but its threads share no memory: "
                "an array without __shared__") != std::string::npos);
  CHECK(text.find("note: ") == 0);
}

TEST_CASE("a launch without blocks is refused, and it is said why") {
  simt::set_printing(true);
  const std::string text = output_of(faults::launches_nothing, 2);
  simt::set_printing(false);
  CHECK(text.find("is refused: a grid of 0 blocks") != std::string::npos);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
}
