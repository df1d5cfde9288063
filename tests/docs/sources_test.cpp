// Checks the counts in docs/learn/sources.md about other texts' kernels.
#include <cuda_runtime.h>

#include <vector>

#include "common/harness/device/buffer.h"
#include "simt/report.h"
#include "simt/testing.h"
#include "tests/catch.h"
#include "tests/docs/patterns.h"

namespace {

// A test whose kernel has errors must not make later tests fail.
[[maybe_unused]] const bool goes_on = (simt::set_sticky(false), true);

// Floats in device memory, uninitialized or ones.
class Floats : public DeviceBuffer {
 public:
  explicit Floats(size_t count) : DeviceBuffer(count * sizeof(float)) {}
  static Floats ones(size_t count) { return Floats(std::vector<float>(count, 1)); }
  float* get() const { return static_cast<float*>(data()); }

 private:
  explicit Floats(const std::vector<float>& values) : Floats(values.size()) {
    cudaMemcpy(data(), values.data(), bytes(), cudaMemcpyHostToDevice);
  }
};

// nvcc 13.0 unrolls the k loop of the notes' v6 twice and fuses two of its scalar reads to one of 8 bytes.
const bool fused_to_8_bytes = (simt::set_fusion(8), true);

const simt::Counters& counted() {
  REQUIRE(simt::last_report().counted);
  CHECK(simt::last_report().errors.empty());
  return simt::last_report().total;
}

}  // namespace

TEST_CASE(
    "the report: neighbouring threads in neighbouring rows take 32 sectors a request, not 4") {
  constexpr int n = 64;
  const Floats B = Floats::ones(32 * n), out(32 * 32);
  sources::column_load(B.get(), out.get(), n, true);
  CHECK(counted().global_load.sectors == 32 * counted().global_load.requests);
  sources::column_load(B.get(), out.get(), n, false);
  CHECK(counted().global_load.sectors == 4 * counted().global_load.requests);
}

TEST_CASE(
    "the blog of 2016: transposing its tile of B causes the conflicts that it should remove") {
  const Floats B = Floats::ones(256), out(256);
  sources::tile(B.get(), out.get(), true);
  CHECK(counted().shared_store.wavefronts == 8 * counted().shared_store.requests);
  CHECK(counted().shared_load.wavefronts == 8 * counted().shared_load.requests);
  sources::tile(B.get(), out.get(), false);
  CHECK(counted().shared_store.wavefronts == counted().shared_store.requests);
  CHECK(counted().shared_load.wavefronts == counted().shared_load.requests);
}

TEST_CASE("the notes: v7's stores cost 1920 wavefronts more a tile, its reads save 1024") {
  const Floats A = Floats::ones(64 * 64), out(256);
  sources::fragment(A.get(), out.get(), false);
  const simt::Counters v6 = counted();
  sources::fragment(A.get(), out.get(), true);
  const simt::Counters v7 = counted();
  // 8 warps; a warp stores 4 float4 or 16 floats a tile.
  CHECK(v6.shared_store.requests == 8 * 4);
  CHECK(v6.shared_store.wavefronts == 8 * 4 * 4);
  CHECK(v7.shared_store.requests == 8 * 16);
  CHECK(v7.shared_store.wavefronts == 8 * 16 * 16);
  REQUIRE(fused_to_8_bytes);
  CHECK(v6.shared_load.wavefronts == 4096);
  CHECK(v6.fused_load.wavefronts == 2048);
  CHECK(v7.shared_load.wavefronts == 1024);
}

TEST_CASE("the blog of 2018: with a ragged tile, some threads do not reach the barrier") {
  for (const int n : {14, 10}) {
    const Floats A = Floats::ones(size_t(n * n)), C(size_t(n * n));
    simt::set_printing(false);
    sources::guarded_barrier(A.get(), C.get(), n);
    simt::set_printing(true);
    const std::vector<simt::Error>& errors = simt::last_errors();
    CHECK(errors.empty() == (n % 7 == 0));
    for (const simt::Error& error : errors) {
      CHECK(error.kind == simt::ErrorKind::BarrierDivergence);
    }
    cudaGetLastError();
  }
}
