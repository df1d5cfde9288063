// Alignment as a GPU promises it, and begin_watch(): writes around matrices, reads of C, waiting.
#include "tests/findings/watch.h"

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

// The kinds of errors of the last launch.
std::vector<ErrorKind> found() {
  std::vector<ErrorKind> kinds;
  for (const simt::Error& error : simt::last_errors()) {
    UNSCOPED_INFO(error.message);
    kinds.push_back(error.kind);
  }
  CHECK(cudaGetLastError() == code_of(simt::last_errors()));
  return kinds;
}

using Kinds = std::vector<ErrorKind>;

}  // namespace

TEST_CASE("an array whose declaration does not align it is reported where it is used as vectors") {
  DeviceArray<float> out(std::vector<float>(256, 0.0f));
  const struct {
    watched::Run weak, packed;
    const char *line, *past;
  } cases[] = {
      {watched::weak_float4, watched::packed_float4, "ERROR float4",
       "8 bytes past such a multiple"},
      {watched::weak_half2, watched::packed_half2, "ERROR half2", "2 bytes past such a multiple"},
      {watched::weak_copy, watched::packed_copy, "ERROR copy", "8 bytes past such a multiple"},
      {watched::weak_fragment, watched::packed_fragment, "ERROR fragment",
       "16 bytes past such a multiple"},
      {watched::weak_unordered, nullptr, "ERROR unordered", "declare it alignas(16)"},
      {watched::weak_dynamic, nullptr, "ERROR dynamic", ""}};
  const auto check = [](const simt::Error& error, const char* line, const char* says) {
    CHECK(error.kind == ErrorKind::Misaligned);
    INFO(error.message);
    CHECK(error.message.find("declare it alignas(") != std::string::npos);
    CHECK(error.message.find(says) != std::string::npos);
    CHECK(error.here.place.line == marked_line(WATCH_FILE, line));
  };
  for (const auto& each : cases) {
    INFO(each.line);
    each.weak(out.get());
    REQUIRE(simt::last_errors().size() == 1);
    check(simt::last_errors()[0], each.line, each.past);
    CHECK(cudaGetLastError() == cudaErrorMisalignedAddress);
    if (each.packed == nullptr) continue;
    each.packed(out.get());
    CHECK(found() == Kinds());
    REQUIRE(simt::last_notes().size() == 1);
    check(simt::last_notes()[0], each.line, "; nvcc happens to align it");
  }
  for (watched::Run kernel : {watched::right_float4, watched::right_fragment, watched::right_struct,
                              watched::right_dynamic, watched::right_block}) {
    kernel(out.get());
    CHECK(found() == Kinds());
  }
  watched::weak_dynamic(out.get());  // what other kernels have declared does not hold for it
  CHECK(!found().empty());
}

TEST_CASE("an element behind a local or shared array is reported, also through a pointer") {
  DeviceArray<float> zeros(std::vector<float>(256, 0.0f)), ones(std::vector<float>(256, 1.0f));
  const struct {
    watched::Run kernel;
    const DeviceArray<float>& memory;
    ErrorKind kind;
    const char* line;
    unsigned thread;
    const char* says;
  } cases[] = {
      {watched::local_overflow, zeros, ErrorKind::IndexOutOfBounds, "ERROR overflow", 8,
       "reads an element of type 'float' that lies outside of the local array"},
      {watched::filled_too_far, ones, ErrorKind::IndexOutOfBounds, "ERROR fill", 0,
       "writes an element of type 'float' that lies outside of the local array"},
      {watched::next_array, zeros, ErrorKind::SharedOutOfBounds, "ERROR next", 31,
       "writes an element of type 'float' that lies outside of the shared array"},
  };
  for (const auto& each : cases) {
    each.kernel(each.memory.get());
    CHECK(found() == Kinds{each.kind});
    REQUIRE(!simt::last_errors().empty());
    const simt::Error& error = simt::last_errors()[0];
    CHECK(error.here.place.line == marked_line(WATCH_FILE, each.line));
    CHECK(error.here.thread.x == each.thread);
    CHECK(error.message.find(each.says) != std::string::npos);
  }
}

TEST_CASE("a watched launch writes elements that it may write, and nothing around them") {
  // Three rows of 6 floats, 8 floats apart, from float 4 on.
  DeviceArray<float> in(std::vector<float>(32, 1.0f)), out(std::vector<float>(32, 1.0f));
  const std::vector<simt::Window> windows = {
      {in.get(), 1, 32 * 4, 32 * 4, true, false},
      {out.get() + 4, 3, 6 * 4, 8 * 4, true, true},
  };
  simt::begin_watch(windows);
  for (int to = 0; to < 32; ++to) {
    INFO("float " << to);
    const int col = (to + 4) % 8, row = (to - 4) / 8;
    const bool inside = to >= 4 && row < 3 && col < 6;
    watched::copy(in.get(), to, out.get(), to);  // the value that is there
    CHECK(found() == (inside ? Kinds() : Kinds{ErrorKind::OutsideWindow}));
    watched::add(out.get(), to);
    CHECK(found() == (inside ? Kinds() : Kinds{ErrorKind::OutsideWindow}));
  }
  watched::store_four(out.get(), 4);
  CHECK(found() == Kinds());
  watched::store_four(out.get(), 8);  // two of them behind the row
  CHECK(found() == Kinds{ErrorKind::OutsideWindow});
  watched::copy(out.get(), 4, in.get(), 3);  // may be read only
  CHECK(found() == Kinds{ErrorKind::OutsideWindow});
  DeviceArray<float> other(1);
  watched::copy(in.get(), 0, other.get(), 0);  // not a matrix of theirs
  CHECK(found() == Kinds());
  simt::end_watch();
  watched::copy(in.get(), 0, out.get(), 0);
  CHECK(found() == Kinds());
}

TEST_CASE("a watched launch does not read what it may only write") {
  DeviceArray<float> c(std::vector<float>(32, 1.0f)), out(std::vector<float>(4, 0.0f));
  simt::begin_watch({{c.get() + 1, 2, 4 * 4, 8 * 4, false, true}});
  watched::copy(c.get(), 1, out.get(), 0);
  CHECK(found() == Kinds{ErrorKind::HiddenRead});
  CHECK(simt::last_errors()[0].here.place.line == marked_line(WATCH_FILE, "ERROR window"));
  watched::copy(c.get(), 5, out.get(), 0);  // beside the matrix
  CHECK(found() == Kinds());
  watched::copy(out.get(), 0, c.get(), 1);  // and not after its own write either
  CHECK(found() == Kinds());
  watched::copy(c.get(), 1, out.get(), 0);
  CHECK(found() == Kinds{ErrorKind::HiddenRead});
  simt::end_watch();
  watched::copy(c.get(), 1, out.get(), 0);
  CHECK(found() == Kinds());
}

TEST_CASE("what waits for the device is noted while it is watched") {
  DeviceArray<float> d(std::vector<float>(4, 0.0f));
  float host[4] = {};
  cudaEvent_t event;
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  cudaDeviceSynchronize();
  simt::begin_watch({});
  CHECK(simt::end_watch().empty());
  simt::begin_watch({});
  cudaMemsetAsync(d.get(), 0, 4);
  cudaMemcpyAsync(d.get(), host, 4, cudaMemcpyHostToDevice);
  void* p = nullptr;
  cudaMallocAsync(&p, 4, nullptr);
  cudaFreeAsync(p, nullptr);
  cudaEventRecord(event);
  cudaGetLastError();
  CHECK(simt::end_watch().empty());
  simt::begin_watch({});
  cudaDeviceSynchronize();
  cudaStreamSynchronize(nullptr);
  cudaEventSynchronize(event);
  cudaMemcpy(host, d.get(), 4, cudaMemcpyDeviceToHost);
  cudaMemcpy2D(host, 4, d.get(), 4, 4, 1, cudaMemcpyDeviceToHost);
  cudaMemcpyAsync(host, d.get(), 4, cudaMemcpyDeviceToHost);
  cudaMemcpy2DAsync(host, 4, d.get(), 4, 4, 1, cudaMemcpyDeviceToHost);
  cudaFree(nullptr);
  void* memory = nullptr;
  cudaMalloc(&memory, 0);
  cudaMallocHost(&memory, 4);
  cudaFreeHost(memory);
  cudaEventQuery(event);
  const std::vector<std::string> expected = {"cudaDeviceSynchronize",
                                             "cudaStreamSynchronize",
                                             "cudaEventSynchronize",
                                             "cudaMemcpy",
                                             "cudaMemcpy2D",
                                             "cudaMemcpyAsync",
                                             "cudaMemcpy2DAsync",
                                             "cudaFree",
                                             "cudaMalloc",
                                             "cudaMallocHost",
                                             "cudaFreeHost",
                                             "cudaEventQuery"};
  CHECK(simt::end_watch() == expected);
  cudaEventDestroy(event);
}
