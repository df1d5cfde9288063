// Inline PTX on the CPU backend: what the lanes get, what it costs, and which mistakes are found.
#include "tests/ptx/ptx.h"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/error_codes.h"
#include "tests/source_lines.h"

namespace {

using ptx::Mistake;
using simt::ErrorKind;

// Different numbers in all elements, exact in half.
std::vector<half> numbers(int count) {
  std::vector<half> values(static_cast<size_t>(count));
  for (size_t i = 0; i < values.size(); ++i) values[i] = half(float(i));
  return values;
}

const simt::Counters& total() {
  CHECK(cudaGetLastError() == cudaSuccess);
  return simt::last_report().total;
}

// The two halves of a register.
std::vector<float> halves(uint32_t bits) {
  half two[2];
  std::memcpy(static_cast<void*>(two), &bits, sizeof two);
  return {float(two[0]), float(two[1])};
}

}  // namespace

TEST_CASE("stmatrix takes two neighbours of each matrix from each lane") {
  for (bool transposed : {false, true}) {
    DeviceArray<uint16_t> to(size_t(ptx::ROWS) * 8);
    ptx::store(transposed, to.get());
    CHECK(total().shared_store.bytes == 512);
    const std::vector<uint16_t> s = to.values();
    for (int i = 0; i < 4 * 64; ++i) {
      const int matrix = i / 64, row = i / 8 % 8, col = i % 8;
      const int line = transposed ? col : row, at = transposed ? row : col;
      CHECK(int(s[size_t(i)]) == (line * 4 + at / 2) * 4 + matrix + at % 2 * 128);
    }
  }
}

TEST_CASE("ldmatrix gives each lane two neighbours of each matrix") {
  DeviceArray<half> tile(numbers(ptx::ROWS * ptx::COLS));
  for (int count : {1, 2, 4}) {
    for (bool transposed : {false, true}) {
      INFO("x" << count << (transposed ? ".trans" : ""));
      DeviceArray<uint32_t> to(size_t(count) * 32);
      ptx::load(tile.get(), to.get(), count, transposed, 8);
      CHECK(total().matrix_load.requests == 1);
      CHECK(total().matrix_load.bytes == uint64_t(count) * 128);
      const std::vector<uint32_t> registers = to.values();
      for (int matrix = 0; matrix < count; ++matrix) {
        for (int lane = 0; lane < 32; ++lane) {
          // Element (i, j) of a matrix is number (matrix * 8 + i) * 64 + 8 + j.
          const int i = lane / 4, j = lane % 4 * 2, first = matrix * 8 * 64 + 8;
          const float expected = float(transposed ? first + j * 64 + i : first + i * 64 + j);
          const float step = transposed ? 64 : 1;
          CHECK(halves(registers[size_t(matrix) * 32 + size_t(lane)]) ==
                std::vector<float>{expected, expected + step});
        }
      }
    }
  }
}

TEST_CASE("a swizzle over 8 units has no bank conflicts, one over fewer has") {
  DeviceArray<half> tile(numbers(ptx::ROWS * ptx::COLS));
  DeviceArray<uint32_t> to(128);
  for (int count : {1, 2, 4}) {
    for (int period : {8, 4, 2, 1}) {  // rows that many apart meet in the same banks
      INFO("x" << count << ", period " << period);
      ptx::load(tile.get(), to.get(), count, false, period);
      CHECK(total().matrix_load.wavefronts == uint64_t(count * 8 / period));
      CHECK(total().matrix_load.ideal == uint64_t(count));
    }
  }
}

TEST_CASE("mma.sync multiplies fragments as the manual lays them out, and not otherwise") {
  std::vector<half> a(256), b(128);
  std::vector<float> c(128), expected(128);
  for (size_t i = 0; i < 256; ++i) a[i] = half(float(i * 7 % 17) - 8);
  for (size_t i = 0; i < 128; ++i) {
    b[i] = half(float((i * 5 + i / 8) % 13) - 6);
    c[i] = float(i * 3 % 11);
  }
  for (size_t i = 0; i < 128; ++i) {
    expected[i] = c[i];
    for (size_t k = 0; k < 16; ++k)
      expected[i] += float(a[i / 8 * 16 + k]) * float(b[k * 8 + i % 8]);
  }
  DeviceArray<half> da(a), db(b);
  DeviceArray<float> dc(c), d(128);
  ptx::multiply(da.get(), db.get(), dc.get(), d.get(), false);
  CHECK(d.values() == expected);
  CHECK(total().tensor_instructions == 1);
  CHECK(total().tensor_fma == 2048);
  ptx::multiply(da.get(), db.get(), dc.get(), d.get(), true);
  CHECK(d.values() != expected);
}

TEST_CASE("instructions of single values") {
  DeviceArray<float> out(5);
  DeviceArray<uint32_t> packed(4);
  ptx::numbers(4, -1 - 0x1.8p-7f - 0x1p-20f, out.get(), packed.get());
  REQUIRE(cudaGetLastError() == cudaSuccess);
  const std::vector<float> got = out.values();
  CHECK((got[0] == 16 && got[1] == 0.25f));
  CHECK(std::fabs(got[2] - -2.02273f) < 1e-4f);
  CHECK(packed.values() == std::vector<uint32_t>{0x4400bc0c, 0x4080bf82, 0x4080bf81, 0xbf82});
}

TEST_CASE("cp.async copies, fills with zeros, and must be waited for") {
  std::vector<float4> values(32);
  for (int i = 0; i < 32; ++i) values[size_t(i)] = {float(i), i + 0.25f, i + 0.5f, i + 0.75f};
  DeviceArray<float4> from(values), to(32);
  ptx::copy(from.get(), to.get(), true);
  CHECK(total().async_load.requests == 2);
  for (int i = 0; i < 32; ++i) {
    const float4 got = to.values()[size_t(i)], source = values[size_t(i ^ 1)];
    const bool half = i % 2 == 0;
    CHECK((got.x == source.x && got.y == source.y));
    CHECK((got.z == (half ? 0 : source.z) && got.w == (half ? 0 : source.w)));
  }
  ptx::copy(from.get(), to.get(), false);
  CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
  REQUIRE(!simt::last_errors().empty());
  CHECK(simt::last_errors()[0].here.place.line == marked_line(PTX_FILE, "ERROR not waited"));
}

TEST_CASE("mistakes with ldmatrix and mma.sync are reported") {
  struct Case {
    Mistake mistake;
    ErrorKind kind;
    const char *line, *text;
  };
  const char *const ldmatrix = "ERROR ldmatrix", *const mma = "ERROR mma";
  DeviceArray<float> out(32);
  ptx::make(Mistake::None, out.get());
  CHECK(cudaGetLastError() == cudaSuccess);
  for (const Case& c : {
           Case{Mistake::Misaligned, ErrorKind::Misaligned, ldmatrix, "reads 16 bytes at an"},
           Case{Mistake::WeaklyAligned, ErrorKind::Misaligned, ldmatrix, "declare it alignas(16)"},
           Case{Mistake::Unwritten, ErrorKind::UninitializedShared, ldmatrix, "reads s + "},
           Case{Mistake::NoBarrier, ErrorKind::SharedRace, ldmatrix, "with no __syncthreads() or"},
           Case{Mistake::Outside, ErrorKind::SharedOutOfBounds, ldmatrix, "outside of all"},
           Case{Mistake::NoAddress, ErrorKind::InvalidAddress, ldmatrix, "0xfffffff0"},
           Case{Mistake::NotShared, ErrorKind::BadArgument, "ERROR address", "not in shared"},
           Case{Mistake::HalfWarp, ErrorKind::WarpDivergence, ldmatrix, "waits at ldmatrix for"},
           Case{Mistake::TwoForms, ErrorKind::BadArgument, nullptr, "another form of ldmatrix"},
           Case{Mistake::SmallBlock, ErrorKind::WarpDivergence, ldmatrix, "warp of 16 threads"},
           Case{Mistake::HalfProduct, ErrorKind::WarpDivergence, mma, "waits at mma.sync for"},
       }) {
    INFO(c.text);
    ptx::make(c.mistake, out.get());
    CHECK(cudaGetLastError() == code_of(simt::last_errors()));
    bool found = false;
    for (const simt::Error& error : simt::last_errors()) {
      INFO(error.message);
      found =
          found || (error.kind == c.kind && error.message.find(c.text) != std::string::npos &&
                    (c.line == nullptr || error.here.place.line == marked_line(PTX_FILE, c.line)));
    }
    CHECK(found);
  }
}
