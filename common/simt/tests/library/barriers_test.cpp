// cuda::barrier: what it orders, and what is found where a wait, bytes or a fence are missing.
#include "tests/library/barriers.h"

#include "tests/library/check.h"

using library::numbers;
using library::right;
using namespace barriers;
using simt::ErrorKind;

namespace {

CUtensorMap map_of(int* matrix) {
  CUtensorMap map;
  const cuuint64_t sizes[2] = {64, 64}, strides[1] = {256};
  const cuuint32_t box[2] = {32, 32}, steps[2] = {1, 1};
  REQUIRE(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, matrix, sizes, strides,
                                 box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                 CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
  return map;
}

}  // namespace

TEST_CASE("copies come with a phase of cuda::barrier") {
  const std::vector<int> in = numbers();
  const auto adds_one = [&](void (*kernel)(int*, int*, Bug), int count) {
    const std::vector<int> out = right([&](int* from, int* to) { kernel(from, to, NONE); });
    for (size_t i = 0; i < size_t(count); ++i) {
      REQUIRE(out[i] == in[kernel == add_one_each ? 1023 - i : i] + 1);
    }
  };
  adds_one(add_one, 1024);
  adds_one(add_one_tx, 1024);
  adds_one(add_one_each, 128);
  adds_one(add_one_ptx, 1024);
  const std::vector<int> box =
      right([](int* from, int* to) { add_one_box(map_of(from), map_of(to), NONE); });
  for (size_t i = 0; i < 32; ++i) REQUIRE(box[i * 64 + i] == in[i * 64 + i] + 1);
}

TEST_CASE("threads of a block split into producers and consumers by cuda::barrier") {
  const std::vector<int> in = numbers();
  const std::vector<int> out = right([](int* from, int* to) { producer(from, to, 16, true); });
  for (size_t i = 0; i < 4096; ++i) REQUIRE(out[i] == 2 * in[i]);
  CHECK(right([](int*, int* to) { leave(to, true); })[0] == 7);
  const std::vector<int> turned = right(wait_parity);
  for (size_t i = 0; i < 512; ++i) REQUIRE(turned[i] == in[i / 128 * 128 + 127 - i % 128]);
}

TEST_CASE("primitives wait by parity and with a time, and drop out") {
  const std::vector<int> in = numbers(), out = right(primitives);
  for (size_t t = 64; t < 128; ++t) REQUIRE(out[t] == in[127 - (t ^ 1)]);
}

TEST_CASE("cuda::memcpy_async copies at once what cp.async cannot") {
  const std::vector<int> in = numbers(), out = right(odd_copies);
  const char* const bytes = reinterpret_cast<const char*>(in.data());
  for (size_t i = 0; i < 61; ++i) REQUIRE(out[i] == bytes[i + 1]);
  for (size_t i = 0; i < 32; ++i) REQUIRE(out[64 + i] == in[i]);
}

TEST_CASE("what is missing at a cuda::barrier is reported") {
  library::check(
      {
          {"no wait", [](int* in, int* out) { add_one(in, out, NO_WAIT); },
           ErrorKind::AsyncNotWaited, "ERROR one", nullptr,
           "before its asynchronous copy has been waited for"},
          {"no wait, copies of each thread",
           [](int* in, int* out) { add_one_each(in, out, NO_WAIT); }, ErrorKind::AsyncNotWaited,
           "ERROR each", "COPY each", "before its asynchronous copy has been waited for"},
          {"too few bytes", [](int* in, int* out) { add_one_tx(in, out, TOO_FEW_BYTES); },
           ErrorKind::BarrierDivergence, "WAIT tx", nullptr,
           "copies have brought 4096 of 4080 bytes"},
          {"too few bytes by cuda::ptx",
           [](int* in, int* out) { add_one_ptx(in, out, TOO_FEW_BYTES); },
           ErrorKind::BarrierDivergence, "WAIT ptx", nullptr,
           "copies have brought 4096 of 4080 bytes"},
          {"no fence behind init()", [](int* in, int* out) { add_one_tx(in, out, NO_FENCE); },
           ErrorKind::MissingFence, "ERROR tx", "INIT tx", "no fence.proxy.async"},
          {"no fence before a store",
           [](int* in, int* out) { add_one_box(map_of(in), map_of(out), NO_FENCE); },
           ErrorKind::MissingFence, "ERROR box", "WRITE box", "no fence.proxy.async"},
          {"a consumer that does not wait", [](int* in, int* out) { producer(in, out, 2, false); },
           ErrorKind::UninitializedShared, "ERROR consumer", nullptr,
           "which no thread of this block has written"},
          {"nobody drops out", [](int*, int* out) { leave(out, false); },
           ErrorKind::BarrierDivergence, "ERROR leave", nullptr, "7 of 8 have arrived"},
      },
      BARRIERS_FILE);
}
