// What products read in shared memory: who may write there, when, and how it must lie there.
#include "tests/wgmma/memory.h"

#include <string>

#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/source_lines.h"

namespace {

struct Matrices {
  std::vector<half> A, B;
  std::vector<float> product;

  Matrices() : A(wgmma::M * wgmma::K), B(wgmma::N * wgmma::K), product(wgmma::M * wgmma::N) {
    for (size_t i = 0; i < A.size(); ++i) A[i] = half(float(i * 7 % 11) - 5);
    for (size_t i = 0; i < B.size(); ++i) B[i] = half(float(i * 5 % 13) - 6);
    for (size_t i = 0; i < product.size(); ++i) {
      for (size_t k = 0; k < wgmma::K; ++k) {
        product[i] += float(A[i / wgmma::N * wgmma::K + k]) * float(B[i % wgmma::N * wgmma::K + k]);
      }
    }
  }
};

}  // namespace

TEST_CASE("products of tiles from TMA and from threads are right, and not reported") {
  const Matrices host;
  for (const auto run : {wgmma::run_ring, wgmma::run_threads}) {
    DeviceArray<half> A(host.A), B(host.B);
    DeviceArray<float> out(host.product.size());
    run(A.get(), B.get(), out.get());
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(out.values() == host.product);
  }
}

TEST_CASE("operands that come too late, go too early or lie otherwise are reported") {
  const Matrices host;
  DeviceArray<half> A(host.A), B(host.B);
  DeviceArray<float> out(host.product.size());
  for (const wgmma::Memory& mistake : wgmma::memory_mistakes()) {
    INFO(mistake.text);
    mistake.run(A.get(), B.get(), out.get());
    CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
    bool found = false;
    std::string said;
    for (const simt::Error& error : simt::last_errors()) {
      said += error.message + "\n";
      const bool other =
          mistake.other == nullptr ||
          (error.has_other && error.other.place.line == marked_line(MEMORY_FILE, mistake.other));
      found = found || (error.kind == mistake.kind && other &&
                        error.message.find(mistake.text) != std::string::npos &&
                        error.here.place.line == marked_line(MEMORY_FILE, mistake.line));
    }
    INFO(said);
    CHECK(found);
  }
}
