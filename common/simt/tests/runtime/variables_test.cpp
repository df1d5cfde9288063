// Variables in device memory.
#include "tests/runtime/variables.h"

#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/error_codes.h"

namespace {

// The launch before has failed with this error first.
void check_error(simt::ErrorKind kind, const std::string& text) {
  CHECK(cudaDeviceSynchronize() == code_of(simt::last_errors()));
  REQUIRE(!simt::last_errors().empty());
  CHECK(simt::last_errors()[0].kind == kind);
  INFO(simt::last_errors()[0].message);
  CHECK(simt::last_errors()[0].message.find(text) != std::string::npos);
}

}  // namespace

TEST_CASE("kernels see what the host copies to constant memory") {
  const float coefficients[4] = {1, 2, 3, 4};
  std::vector<float> x(100);
  for (int i = 0; i < 100; ++i) x[size_t(i)] = float(i) / 8;
  DeviceArray<float> in(x), out(100);
  runtime::evaluate(coefficients, in.get(), out.get(), 100);
  CHECK(cudaGetLastError() == cudaSuccess);
  // Only x is counted: 400 bytes.
  CHECK(simt::last_report().total.global_load.sectors == 13);
  const std::vector<float> y = out.values();
  for (int i = 0; i < 100; ++i) {
    const float at = x[size_t(i)];
    CHECK(y[size_t(i)] == ((4 * at + 3) * at + 2) * at + 1);
  }
}

TEST_CASE("a __device__ variable begins at zero and counts as global memory") {
  std::vector<int> x(100);
  for (int i = 0; i < 100; ++i) x[size_t(i)] = i % 3 - 1;
  DeviceArray<int> in(x);
  CHECK(runtime::count_positive(in.get(), 100) == 33);
  CHECK(simt::last_report().total.global_atomic.requests == 4);
  CHECK(runtime::count_positive(in.get(), 50) == 16);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("a part of a variable is copied") {
  int last[5];
  runtime::shift_table({1, 2, 3, 4, 5, 6, 7, 8}, last);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(std::vector<int>(last, last + 5) == std::vector<int>{6, 7, 8, 1, 2});
  CHECK(runtime::sum_by_address() == 36);
  DeviceArray<int> out(8);
  runtime::copy_table_async(out.get());
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(out.values() == std::vector<int>{3, 4, 5, 6, 7, 8, 1, 2});
}

TEST_CASE("managed variables are the host's, too") {
  CHECK(runtime::sum_managed(16) == 120);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("variables have their initial values") {
  float values[6];
  runtime::initial_values(values);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(std::vector<float>(values, values + 6) == std::vector<float>{9, 13, 1.5f, 45, 2.25f, 11});
}

TEST_CASE("symbols have an address and a size") {
  void* address = nullptr;
  size_t bytes = 0;
  REQUIRE(runtime::find_table(&address, &bytes) == cudaSuccess);
  CHECK(bytes == 32);
  CHECK(cudaMemset(address, 0, 32) == cudaSuccess);
  CHECK(cudaMemset(address, 0, 33) == cudaErrorInvalidValue);
  CHECK(cudaFree(address) == cudaErrorInvalidValue);
  static int none;
  CHECK(cudaGetSymbolAddress(&address, none) == cudaErrorInvalidSymbol);
  CHECK(cudaGetSymbolSize(&bytes, none) == cudaErrorInvalidSymbol);
  CHECK(cudaMemcpyToSymbol(none, &bytes, 4) == cudaErrorInvalidSymbol);
  CHECK(cudaMemcpyFromSymbol(&bytes, none, 4) == cudaErrorInvalidSymbol);
  CHECK(cudaGetLastError() == cudaErrorInvalidSymbol);
}

TEST_CASE("variables are checked as global memory is") {
  using simt::ErrorKind;
  runtime::race_in_table();
  check_error(ErrorKind::GlobalRace, "variable table of 32 bytes");
  runtime::go_beyond_table(1, false);
  check_error(ErrorKind::GlobalOutOfBounds, "0 bytes past the end of the variable table");
  runtime::go_beyond_table(1, true);
  check_error(ErrorKind::IndexOutOfBounds, "outside of the variable that it was taken from");
  runtime::conflict_of_blocks();
  check_error(ErrorKind::BlockConflict, "the variable positive of 4 bytes");
}

TEST_CASE("constants are checked for bounds, and kernels cannot write them") {
  DeviceArray<float> out(1);
  runtime::go_beyond_constants(3, out.get());
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  runtime::go_beyond_constants(4, out.get());
  check_error(simt::ErrorKind::IndexOutOfBounds, "index 4");
  runtime::write_constants();
  check_error(simt::ErrorKind::InvalidAddress, "__constant__");
}

TEST_CASE("the host's address of a variable is no address for kernels") {
  DeviceArray<int> out(1);
  CHECK(runtime::pass_host_address(out.get()) == cudaErrorIllegalAddress);
}

TEST_CASE("host code that reads a variable of the device ends") {
  const pid_t child = fork();
  if (child == 0) {
    cudaDeviceReset();
    void* memory = nullptr;
    cudaMalloc(&memory, 4);  // the handler is the backend's again, not Catch's
    runtime::read_on_host();
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 3);
}
