// TMA: tensor maps and their rules, boxes with every swizzle, and reports of wrong use.
#include "tests/bulk/bulk.h"

#include <cudaTypedefs.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "simt/report.h"
#include "tests/bulk/maps.h"
#include "tests/source_lines.h"

using bulk::Mistake;
using simt::ErrorKind;

namespace {

// What lies in shared memory behind the copy of the box at (row, col).
Bytes expected(const Bytes& from, const Encode& e, int row, int col, int swizzle) {
  const int width = int(e.box[0]) * 2, rows = int(e.box[1]);
  Bytes box(size_t(width * rows));
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < width; ++c) {
      const int at_row = row + r, at_col = col + c / 2;
      const bool inside = at_row >= 0 && at_row < ROWS && at_col >= 0 && at_col < COLS;
      box[place(size_t(r * width + c), swizzle)] =
          inside ? from[size_t(at_row * PITCH + at_col * 2 + c % 2)] : 0;
    }
  }
  return box;
}

}  // namespace

TEST_CASE("boxes lie in shared memory as the map says") {
  const Bytes from = matrix();
  DeviceArray<unsigned char> a(from);
  for (int s = 0; s < 4; ++s) {
    for (const auto& [row, col] :
         {std::pair<int, int>{0, 0}, {3, 8}, {30, 56}, {-5, -8}, {100, 0}, {0, -64}}) {
      Encode e;
      e.swizzle = CUtensorMapSwizzle(s);
      e.box[0] = s == 0 ? 24 : cuuint32_t(SWIZZLES[s] / 2);
      CUtensorMap map;
      REQUIRE(e.make(map, a.get()) == CUDA_SUCCESS);
      const Bytes want = expected(from, e, row, col, SWIZZLES[s]);
      DeviceArray<unsigned char> got(want.size());
      bulk::load(map, row, col, int(want.size()), got.get());
      INFO("swizzle " << SWIZZLES[s] << " at " << row << ", " << col);
      REQUIRE(cudaGetLastError() == cudaSuccess);
      CHECK(got.values() == want);
      check_traffic(simt::last_report().total.bulk_load, a.get(), e, row, col);
      CHECK(simt::last_report().total.bulk_filled == want.size());
    }
  }
}

TEST_CASE("rows narrower than the swizzle lie as far apart as whole ones") {
  const Bytes from = matrix();
  DeviceArray<unsigned char> a(from);
  for (int s = 1; s < 4; ++s) {
    Encode e;
    e.swizzle = CUtensorMapSwizzle(s);
    e.box[0] = s == 1 ? 8 : 24;  // 16 bytes of 32, 48 of 64 or 128
    CUtensorMap map;
    REQUIRE(e.make(map, a.get()) == CUDA_SUCCESS);
    const int width = int(e.box[0]) * 2, rows = int(e.box[1]), row = 3, col = 8;
    DeviceArray<unsigned char> got(size_t(rows * SWIZZLES[s]));
    bulk::load(map, row, col, width * rows, got.get(), Mistake::None, {width, SWIZZLES[s]});
    REQUIRE(cudaGetLastError() == cudaSuccess);
    const Bytes found = got.values();
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < width; ++c) {
        INFO("swizzle " << SWIZZLES[s] << ", byte " << c << " of row " << r);
        REQUIRE(found[place(size_t(r * SWIZZLES[s] + c), SWIZZLES[s])] ==
                from[size_t((row + r) * PITCH + col * 2 + c)]);
      }
    }
    CHECK(simt::last_report().total.bulk_filled == uint64_t(width * rows));
  }
}

TEST_CASE("what lies between narrow rows has not been copied") {
  DeviceArray<unsigned char> a(matrix());
  Encode e;
  e.box[0] = 24;
  CUtensorMap map;
  REQUIRE(e.make(map, a.get()) == CUDA_SUCCESS);
  DeviceArray<unsigned char> got(16 * 128);
  simt::set_printing(false);
  bulk::load(map, 0, 0, 48 * 16, got.get(), Mistake::None, {64, 128});  // a unit more of each row
  simt::set_printing(true);
  cudaDeviceReset();
  cudaGetLastError();
  REQUIRE(!simt::last_errors().empty());
  CHECK(simt::last_errors()[0].kind == ErrorKind::UninitializedShared);
}

TEST_CASE("a box begins at a multiple of 16 bytes") {
  DeviceArray<unsigned char> a(matrix()), to(2048);
  CUtensorMap map;
  REQUIRE(Encode().make(map, a.get()) == CUDA_SUCCESS);
  for (const bool stores : {false, true}) {
    for (const auto& [col, beside] : {std::pair<int, int>{-1, 14}, {1, 2}, {12, 8}}) {
      simt::set_printing(false);
      stores ? bulk::store(map, 0, col, 2048) : bulk::load(map, 0, col, 2048, to.get());
      simt::set_printing(true);
      cudaDeviceReset();
      cudaGetLastError();
      REQUIRE(simt::last_errors().size() == 1);
      const simt::Error& error = simt::last_errors()[0];
      CHECK(error.kind == ErrorKind::Misaligned);
      CHECK(error.here.place.line == marked_line(BULK_FILE, stores ? "ERROR store" : "ERROR copy"));
      CHECK(error.message.find("is " + std::to_string(col) + ": " + std::to_string(beside) +
                               " bytes past") != std::string::npos);
    }
  }
}

TEST_CASE("bytes in a row, to shared memory and back") {
  const Bytes from = matrix();
  DeviceArray<unsigned char> a(from), b(512);
  bulk::load_row(a.get() + 16, 512, b.get());
  CHECK(b.values() == Bytes(from.begin() + 16, from.begin() + 16 + 512));
  bulk::store_row(b.get(), 512);
  const Bytes stored = b.values();
  for (size_t i = 0; i < stored.size(); ++i) REQUIRE(stored[i] == (unsigned char)i);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("a map that breaks a rule is refused") {
  DeviceArray<unsigned char> a(matrix());
  CUtensorMap map;
  simt::set_printing(false);
  const auto result = [&](auto change) {
    Encode e;
    change(e);
    return e.make(map, a.get());
  };
  CHECK(result([](Encode&) {}) == CUDA_SUCCESS);
  const auto refused = [&](auto change) { return result(change) == CUDA_ERROR_INVALID_VALUE; };
  CHECK(refused([](Encode& e) { e.rank = 0; }));
  CHECK(refused([](Encode& e) { e.rank = 6; }));
  CHECK(refused([](Encode& e) { e.shift = 8; }));
  CHECK(refused([](Encode& e) { e.sizes[1] = 0; }));
  CHECK(refused([](Encode& e) { e.sizes[0] = (cuuint64_t(1) << 32) + 1; }));
  CHECK(refused([](Encode& e) { e.strides[0] = 152; }));
  CHECK(refused([](Encode& e) { e.strides[0] = cuuint64_t(1) << 40; }));
  CHECK(refused([](Encode& e) { e.box[1] = 257; }));
  CHECK(refused([](Encode& e) { e.box[0] = 0; }));
  CHECK(refused([](Encode& e) { e.box[0] = 12; }));
  CHECK(refused([](Encode& e) { e.box[0] = 72; }));
  CHECK(refused([](Encode& e) { e.swizzle = CU_TENSOR_MAP_SWIZZLE_64B; }));
  CHECK(refused([](Encode& e) { e.steps[1] = 9; }));
  CHECK(refused([](Encode& e) { e.steps[1] = 0; }));
  CHECK(refused([](Encode& e) { e.interleave = CU_TENSOR_MAP_INTERLEAVE_32B; }));
  CHECK(refused([](Encode& e) { e.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA; }));
  CHECK(refused([](Encode& e) { e.type = CUtensorMapDataType(13); }));
  CHECK(result([](Encode& e) { e.steps[1] = 2; }) == CUDA_ERROR_NOT_SUPPORTED);
  simt::set_printing(true);
}

TEST_CASE("the driver's function is found by its name") {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult status;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                         cudaEnableDefault, &status) == cudaSuccess);
  CHECK(status == cudaDriverEntryPointSuccess);
  CHECK(reinterpret_cast<PFN_cuTensorMapEncodeTiled>(function) == &cuTensorMapEncodeTiled);
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 11080,
                                         cudaEnableDefault, &status) == cudaSuccess);
  CHECK(status == cudaDriverEntryPointVersionNotSufficent);
  CHECK(cudaGetDriverEntryPoint("cuFoo", &function, cudaEnableDefault, &status) == cudaSuccess);
  CHECK(status == cudaDriverEntryPointSymbolNotFound);
  CHECK(cudaGetDriverEntryPoint(nullptr, &function, cudaEnableDefault, &status) ==
        cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("the driver's errors have names and texts") {
  const char *name = nullptr, *text = nullptr;
  CHECK(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &name) == CUDA_SUCCESS);
  CHECK(name == std::string("CUDA_ERROR_INVALID_VALUE"));
  CHECK(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text) == CUDA_SUCCESS);
  CHECK(text == std::string("invalid argument"));
}

TEST_CASE("wrong use is reported at its line") {
  struct Bug {
    Mistake mistake;
    ErrorKind kind;
    const char* here;
    const char* other;  // null: none
    const char* says;
  };
  const Bug bugs[] = {
      {Mistake::NoWait, ErrorKind::AsyncNotWaited, "ERROR read", "ERROR copy",
       "before its asynchronous copy"},
      {Mistake::ArriveOnly, ErrorKind::AsyncNotWaited, "ERROR read", "ERROR copy",
       "before its asynchronous copy"},
      {Mistake::TooFew, ErrorKind::AsyncNotWaited, "ERROR copy", nullptr,
       "before any thread waits"},
      {Mistake::TooMany, ErrorKind::BarrierDivergence, "ERROR wait", "ERROR expect",
       "copies have brought 2048 of 2064 bytes"},
      {Mistake::WrongParity, ErrorKind::AsyncNotWaited, "ERROR read", "ERROR copy",
       "before its asynchronous copy"},
      {Mistake::OtherBarrier, ErrorKind::AsyncNotWaited, "ERROR read", "ERROR copy",
       "before its asynchronous copy"},
      {Mistake::NoFence, ErrorKind::MissingFence, "ERROR copy", "OTHER init",
       "no fence.proxy.async"},
      {Mistake::Refill, ErrorKind::SharedRace, "ERROR copy", "ERROR read",
       "since another thread read it"},
      {Mistake::NoArrival, ErrorKind::BarrierDivergence, "ERROR wait", nullptr,
       "0 of 1 have arrived"},
      {Mistake::Misaligned, ErrorKind::Misaligned, "ERROR copy", nullptr,
       "not at a multiple of 128"},
      {Mistake::OutsideShared, ErrorKind::SharedOutOfBounds, "ERROR copy", nullptr,
       "beyond the end"},
      {Mistake::NoMap, ErrorKind::BadArgument, "ERROR copy", nullptr,
       "cuTensorMapEncodeTiled() has not made"},
      {Mistake::OtherRank, ErrorKind::BadArgument, "ERROR rank", nullptr, "a box of 1 dimensions"},
      {Mistake::NoBarrier, ErrorKind::BadArgument, "ERROR copy", nullptr, "no __mbarrier_init()"},
      {Mistake::Unwaited, ErrorKind::AsyncNotWaited, "ERROR copy", nullptr,
       "before any thread waits"},
      {Mistake::Inval, ErrorKind::BadArgument, "ERROR inval", nullptr, "0 of 2048 bytes"},
  };
  DeviceArray<unsigned char> a(matrix()), to(4096);
  CUtensorMap map;
  REQUIRE(Encode().make(map, a.get()) == CUDA_SUCCESS);
  for (const Bug& bug : bugs) {
    simt::set_printing(false);
    bulk::load(map, 0, 0, 2048, to.get(), bug.mistake);
    simt::set_printing(true);
    cudaDeviceReset();
    std::string all;
    bool found = false;
    for (const simt::Error& error : simt::last_errors()) {
      all += error.message + "\n";
      found |=
          error.kind == bug.kind && error.here.place.line == marked_line(BULK_FILE, bug.here) &&
          (bug.other == nullptr || error.other.place.line == marked_line(BULK_FILE, bug.other)) &&
          error.message.find(bug.says) != std::string::npos;
    }
    INFO(int(bug.mistake) << " " << bug.says << ":\n" << all);
    CHECK(found);
  }
}
