// The copy engine: tensor maps and their rules, boxes with every swizzle, and what is reported of wrong use.
#include "tests/simt/bulk/bulk.h"

#include <cudaTypedefs.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/simt/report.h"
#include "tests/catch.h"
#include "tests/simt/device_array.h"
#include "tests/simt/source_lines.h"

using bulk::Mistake;
using simt::ErrorKind;

namespace {

using Bytes = std::vector<unsigned char>;

constexpr int ROWS = 37, COLS = 75,
              PITCH = 160;  // of a matrix of 16-bit elements; bytes from row to row

Bytes matrix() {
  Bytes all(ROWS * PITCH);
  for (size_t i = 0; i < all.size(); ++i) all[i] = (unsigned char)(i * 7 + i / 251);
  return all;
}

// Everything right; a test makes one thing wrong.
struct Encode {
  cuuint32_t rank = 2;
  uintptr_t shift = 0;  // of the address
  cuuint64_t sizes[5] = {COLS, ROWS, 1, 1, 1};
  cuuint64_t strides[4] = {PITCH, PITCH* ROWS, PITCH* ROWS, PITCH* ROWS};
  cuuint32_t box[5] = {64, 16, 1, 1, 1}, steps[5] = {1, 1, 1, 1, 1};
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_UINT16;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
  CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;

  CUresult make(CUtensorMap& map, void* address) const {
    return cuTensorMapEncodeTiled(&map, type, rank, static_cast<char*>(address) + shift, sizes,
                                  strides, box, steps, interleave, swizzle,
                                  CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
  }
};

// The place of byte i of a box, by the PTX manual's pictures: units of 16 bytes in lines of 128, and the line's number
// changes the unit's.
size_t place(size_t i, int swizzle) {
  const size_t row = i / 128, unit = i / 16 % 8;
  const size_t flip = swizzle == 128  ? row % 8
                      : swizzle == 64 ? row % 4
                      : swizzle == 32 ? row % 2
                                      : 0;
  return row * 128 + (unit ^ flip) * 16 + i % 16;
}

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

constexpr int SWIZZLES[] = {0, 32, 64, 128};

// The sectors and bytes of what lies in the matrix of a box at (row, col).
void check_traffic(const simt::GlobalTraffic& counted, const unsigned char* matrix, const Encode& e,
                   int row, int col) {
  uint64_t sectors = 0, bytes = 0;
  const int first = std::max(col, 0), last = std::min(col + int(e.box[0]), COLS);
  for (int r = std::max(row, 0); r < std::min(row + int(e.box[1]), ROWS) && first < last; ++r) {
    const uintptr_t begin = reinterpret_cast<uintptr_t>(matrix) + size_t(r * PITCH + first * 2);
    const uintptr_t end = begin + size_t(last - first) * 2;
    sectors += (end + 31) / 32 - begin / 32;
    bytes += end - begin;
  }
  CHECK(counted.requests == 1);
  CHECK(counted.sectors == sectors);
  CHECK(counted.bytes == bytes);
}

}  // namespace

TEST_CASE("boxes lie in shared memory as the map says") {
  const Bytes from = matrix();
  DeviceArray<unsigned char> a(from);
  for (int s = 0; s < 4; ++s) {
    for (const auto& [row, col] :
         {std::pair<int, int>{0, 0}, {3, 8}, {30, 60}, {-5, -9}, {100, 0}, {0, -64}}) {
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

TEST_CASE("what threads have written goes to the tensor, and nothing beside it") {
  for (int s = 0; s < 4; ++s) {
    const Bytes before = matrix();
    DeviceArray<unsigned char> a(before);
    Encode e;
    e.swizzle = CUtensorMapSwizzle(s);
    e.box[0] = s == 0 ? 24 : cuuint32_t(SWIZZLES[s] / 2);
    CUtensorMap map;
    REQUIRE(e.make(map, a.get()) == CUDA_SUCCESS);
    const int width = int(e.box[0]) * 2, row = 30, col = 60;
    bulk::store(map, row, col, width * int(e.box[1]));
    REQUIRE(cudaGetLastError() == cudaSuccess);
    Bytes want = before;
    for (int r = 0; r < int(e.box[1]) && row + r < ROWS; ++r) {
      for (int c = 0; c < width && col + c / 2 < COLS; ++c) {
        want[size_t((row + r) * PITCH + (col + c / 2) * 2 + c % 2)] =
            (unsigned char)place(size_t(r * width + c), SWIZZLES[s]);
      }
    }
    CHECK(a.values() == want);
    check_traffic(simt::last_report().total.bulk_store, a.get(), e, row, col);
    CHECK(simt::last_report().total.bulk_load.requests == 0);
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
       "before anybody has waited"},
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
       "before anybody has waited"},
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
      found =
          found ||
          (error.kind == bug.kind && error.here.place.line == marked_line(BULK_FILE, bug.here) &&
           (bug.other == nullptr || error.other.place.line == marked_line(BULK_FILE, bug.other)) &&
           error.message.find(bug.says) != std::string::npos);
    }
    INFO(int(bug.mistake) << " " << bug.says << ":\n" << all);
    CHECK(found);
  }
}

TEST_CASE("what threads write for the engine needs a fence, a barrier and a wait") {
  DeviceArray<unsigned char> a(matrix());
  CUtensorMap map;
  REQUIRE(Encode().make(map, a.get()) == CUDA_SUCCESS);
  const struct {
    Mistake mistake;
    ErrorKind kind;
    const char* other;
  } bugs[] = {{Mistake::StoreUnfenced, ErrorKind::MissingFence, "OTHER write"},
              {Mistake::StoreUnsynced, ErrorKind::SharedRace, "OTHER write"},
              {Mistake::StoreOverwritten, ErrorKind::AsyncNotWaited, "OTHER overwritten"},
              {Mistake::StoreUnwaited, ErrorKind::AsyncNotWaited, nullptr}};
  for (const auto& [mistake, kind, other] : bugs) {
    simt::set_printing(false);
    bulk::store(map, 0, 0, 2048, mistake);
    simt::set_printing(true);
    cudaDeviceReset();
    REQUIRE(!simt::last_errors().empty());
    const simt::Error& error = simt::last_errors()[0];
    CHECK(error.kind == kind);
    CHECK(error.here.place.line == marked_line(BULK_FILE, "ERROR store"));
    CHECK(error.other.place.line == (other == nullptr ? 0 : marked_line(BULK_FILE, other)));
  }
}

TEST_CASE("slices leave while others are filled") {
  constexpr int ROWS = bulk::BLOCKS * 8;
  std::vector<float> want(ROWS * 128);
  for (size_t i = 0; i < want.size(); ++i) want[i] = float(i);
  Encode e;
  e.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  e.sizes[0] = 128, e.sizes[1] = ROWS, e.strides[0] = 512;
  e.box[0] = 32, e.box[1] = 8;
  const struct {
    Mistake mistake;
    ErrorKind kind;
    const char *here, *other;  // null: no error
  } runs[] = {{Mistake::None, {}, nullptr, nullptr},
              {Mistake::SliceOnlyRead, {}, nullptr, nullptr},
              {Mistake::SliceOwnMap, ErrorKind::BadArgument, "ERROR slice", nullptr},
              {Mistake::SliceUnfenced, ErrorKind::MissingFence, "ERROR slice", "OTHER slice"},
              {Mistake::SliceUnsynced, ErrorKind::AsyncNotWaited, "ERROR slice", "OTHER slice"},
              {Mistake::SliceUnsyncedBehind, ErrorKind::SharedRace, "OTHER slice", "ERROR slice"},
              {Mistake::SliceTooSoon, ErrorKind::AsyncNotWaited, "ERROR slice", "OTHER slice"}};
  for (const auto& [mistake, kind, here, other] : runs) {
    DeviceArray<float> matrix(std::vector<float>(want.size(), -1)), seen(bulk::BLOCKS);
    CUtensorMap map;
    REQUIRE(e.make(map, matrix.get()) == CUDA_SUCCESS);
    cudaGetLastError();
    simt::set_printing(false);
    bulk::store_slices(map, matrix.get(), seen.get(), mistake);
    simt::set_printing(true);
    const cudaError_t status = cudaGetLastError();
    if (here == nullptr) {
      CHECK(status == cudaSuccess);
      CHECK(simt::last_report().total.bulk_store.requests == 4 * bulk::BLOCKS);
      CHECK(matrix.values() == want);
      for (int block = 0; block < bulk::BLOCKS; ++block) {
        const float last = want[size_t(block + 1) * 1024 - 1];
        CHECK(seen.values()[size_t(block)] == (mistake == Mistake::None ? last : -1));
      }
      continue;
    }
    const std::vector<simt::Error> errors = simt::last_errors();
    INFO(int(mistake) << (errors.empty() ? "" : errors[0].message));
    CHECK(std::any_of(
        errors.begin(), errors.end(), [&, k = kind, h = here, o = other](const simt::Error& error) {
          return error.kind == k && error.here.place.line == marked_line(BULK_FILE, h) &&
                 error.other.place.line == (o == nullptr ? 0 : marked_line(BULK_FILE, o));
        }));
  }
}
