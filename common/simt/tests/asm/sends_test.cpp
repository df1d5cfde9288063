// Asynchronous copies of inline PTX beside those of tests/bulk: what they bring, and what is reported of wrong use.
#include "tests/asm/sends.h"

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/error_codes.h"
#include "tests/source_lines.h"

namespace {

using sends::THREADS;
using simt::ErrorKind;

std::vector<uint32_t> numbers(int count) {
  std::vector<uint32_t> all;
  for (int i = 0; i < count; ++i) all.push_back(uint32_t(i) * 3 + 1);
  return all;
}

void check_reported(ErrorKind kind, const char* mark) {
  CHECK(cudaGetLastError() == code_of(simt::last_errors()));
  bool found = false;
  std::string all;
  for (const simt::Error& error : simt::last_errors()) {
    all += error.message + "\n";
    found = found || (error.kind == kind && error.here.place.line == marked_line(SENDS_FILE, mark));
  }
  INFO(all);
  CHECK(found);
}

}  // namespace

TEST_CASE("copies that arrive at an mbarrier come with its phase") {
  std::vector<float4> values;
  for (int i = 0; i < 2 * THREADS; ++i) values.push_back({float(i + 1), 2, 3, 4});
  DeviceArray<float4> from(values), to(2 * THREADS);
  sends::copy(sends::Copy::Right, from.get(), to.get());
  REQUIRE(cudaGetLastError() == cudaSuccess);
  CHECK(simt::last_report().arrivals == THREADS);
  const std::vector<float4> got = to.values();
  for (int t = 0; t < THREADS; ++t) {
    CHECK(got[size_t(t)].x == float((t ^ 1) + 1));
    CHECK(got[size_t(THREADS + t)].x == (t % 2 == 0 ? 0 : float(THREADS + (t ^ 1) + 1)));
  }
  sends::copy(sends::Copy::Unwaited, from.get(), to.get());
  check_reported(ErrorKind::AsyncNotWaited, "ERROR unwaited");
  sends::copy(sends::Copy::OwnUnwaited, from.get(), to.get());
  check_reported(ErrorKind::AsyncNotWaited, "ERROR own");
  sends::copy(sends::Copy::NotCounted, from.get(), to.get());
  CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
  REQUIRE(!simt::last_errors().empty());
  CHECK(simt::last_errors()[0].kind == ErrorKind::BarrierDivergence);
}

TEST_CASE("blocks of a cluster send to one another") {
  const std::vector<uint32_t> values = numbers(THREADS * 8);
  std::vector<uint32_t> exchanged(values.begin() + THREADS * 4, values.end());
  exchanged.insert(exchanged.end(), values.begin(), values.begin() + THREADS * 4);
  DeviceArray<uint32_t> from(values), to(THREADS * 8);
  for (const sends::Send how : {sends::Send::Stores, sends::Send::Row}) {
    sends::send(how, from.get(), to.get());
    REQUIRE(cudaGetLastError() == cudaSuccess);
    CHECK(to.values() == exchanged);
  }
  sends::send(sends::Send::StoresUnwaited, from.get(), to.get());
  check_reported(ErrorKind::AsyncNotWaited, "ERROR read");
  sends::send(sends::Send::RowUnwaited, from.get(), to.get());
  check_reported(ErrorKind::AsyncNotWaited, "ERROR read");
  sends::send(sends::Send::RowUnfenced, from.get(), to.get());
  check_reported(ErrorKind::MissingFence, "ERROR unfenced");
  sends::send(sends::Send::StoresMisaligned, from.get(), to.get());
  check_reported(ErrorKind::Misaligned, "ERROR misaligned");
}

TEST_CASE("TMA reduces what several blocks bring") {
  CUtensorMap map{};
  DeviceArray<float> matrix(std::vector<float>(128, 0.5f));
  const cuuint64_t sizes[] = {32, 4}, strides[] = {128};
  const cuuint32_t box[] = {32, 2}, steps[] = {1, 1};
  REQUIRE(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, matrix.get(), sizes,
                                 strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                 CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
  sends::reduce(sends::Reduce::Box, nullptr, map);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  for (size_t i = 0; i < 128; ++i) {
    const bool inside = i >= 32 && i < 96;
    CHECK(matrix.values()[i] == 0.5f + (inside ? float(i - 32) * 4 : 0));
  }
  CHECK(simt::last_report().total.bulk_store.requests == 4);

  DeviceArray<uint32_t> words(std::vector<uint32_t>(64, 10));
  sends::reduce(sends::Reduce::Words, words.get(), map);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  for (uint32_t i = 0; i < 64; ++i) CHECK(words.values()[i] == 10 + 4 * i);
  sends::reduce(sends::Reduce::Max, words.get(), map);
  for (uint32_t i = 0; i < 64; ++i) CHECK(words.values()[i] == 10 + 4 * i);

  DeviceArray<float> floats(std::vector<float>(64, 0.25f));
  sends::reduce(sends::Reduce::Floats, floats.get(), map);
  for (size_t i = 0; i < 64; ++i) CHECK(floats.values()[i] == 0.25f + 4 * float(i));

  DeviceArray<half> halves(std::vector<half>(64, half(0.5f)));
  sends::reduce(sends::Reduce::Halves, halves.get(), map);
  for (size_t i = 0; i < 64; ++i) CHECK(float(halves.values()[i]) == 4.5f);

  sends::reduce(sends::Reduce::Unwaited, words.get(), map);
  check_reported(ErrorKind::AsyncNotWaited, "ERROR reduce");
  sends::reduce(sends::Reduce::Unfenced, words.get(), map);
  check_reported(ErrorKind::MissingFence, "ERROR reduce");
}

TEST_CASE("threads arrive in all forms, and drop out") {
  DeviceArray<uint32_t> to(std::vector<uint32_t>(2 * THREADS, 1));
  sends::arrive(to.get());
  REQUIRE(cudaGetLastError() == cudaSuccess);
  CHECK(simt::last_report().arrivals == THREADS * 2 - THREADS / 4);
  const std::vector<uint32_t> got = to.values();
  for (uint32_t t = 0; t < uint32_t(THREADS); ++t) {
    CHECK(got[t] == (t ^ 1));
    if (t % 4 != 3) CHECK(got[THREADS + t] == 100 + (t / 4 * 4 + 4) % THREADS);
  }
}
