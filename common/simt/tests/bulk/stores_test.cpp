// TMA stores boxes: what reaches global memory, and reports of wrong use.
#include <algorithm>
#include <vector>

#include "tests/bulk/bulk.h"
#include "tests/bulk/maps.h"
#include "tests/source_lines.h"

using bulk::Mistake;
using simt::ErrorKind;

TEST_CASE(
    "what threads have written goes to the tensor, in whole units of 16 bytes, and nothing beside "
    "it") {
  constexpr int END = (COLS * 2 + 15) / 16 * 16;  // of a row

  for (const auto& [s, narrow] : {std::pair<int, bool>{0, false},
                                  {1, false},
                                  {2, false},
                                  {3, false},
                                  {1, true},
                                  {2, true},
                                  {3, true}}) {
    const Bytes before = matrix();
    DeviceArray<unsigned char> a(before);
    Encode e;
    e.swizzle = CUtensorMapSwizzle(s);
    e.box[0] = s == 0 ? 24 : cuuint32_t(narrow ? SWIZZLES[s] / 2 - 8 : SWIZZLES[s] / 2);
    CUtensorMap map;
    REQUIRE(e.make(map, a.get()) == CUDA_SUCCESS);
    const int width = int(e.box[0]) * 2, row = 30, col = 56;
    const int pitch = narrow ? SWIZZLES[s] : width;  // from row to row in shared memory
    bulk::store(map, row, col, width * int(e.box[1]), Mistake::None, {width, pitch});
    REQUIRE(cudaGetLastError() == cudaSuccess);
    Bytes want = before;
    for (int r = 0; r < int(e.box[1]) && row + r < ROWS; ++r) {
      for (int c = 0; c < width && col * 2 + c < END; ++c) {
        want[size_t((row + r) * PITCH + (col + c / 2) * 2 + c % 2)] =
            (unsigned char)place(size_t(r * pitch + c), SWIZZLES[s]);
      }
    }
    CHECK(a.values() == want);
    check_traffic(simt::last_report().total.bulk_store, a.get(), e, row, col);
    CHECK(simt::last_report().total.bulk_load.requests == 0);
  }
}

TEST_CASE("what threads write for TMA needs a fence, a barrier and a wait") {
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
              {Mistake::SliceEarly, ErrorKind::EarlyAccess, "ERROR slice", nullptr},
              {Mistake::SliceOwnMap, ErrorKind::BadArgument, "ERROR slice", nullptr},
              {Mistake::SliceUnfenced, ErrorKind::MissingFence, "ERROR slice", "OTHER slice"},
              {Mistake::SliceUnsynced, ErrorKind::AsyncNotWaited, "ERROR slice", "OTHER slice"},
              {Mistake::SliceUnsyncedBehind, ErrorKind::SharedRace, "ERROR slice", "OTHER slice"},
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
