// The memory that a call allocates for copies of its matrices (common/stream_memory.h, common/tensor_map.h): how much, on
// which device, and what happens if a CUDA call fails.
#include <algorithm>
#include <string>
#include <vector>

#include "common/harness/device/buffer.h"
#include "common/stream_memory.h"
#include "tests/lessons/card.h"
#include "tests/lessons/values/given.h"

namespace {

// Problems for which the lessons that copy matrices copy all of them; with split-K.
std::vector<Case> copied() {
  std::vector<Case> found = {shifted(sizes(5, 7, 3, 1, 1), 1, 1, 1)};
  if (kPlans) found.push_back(sizes(kParts.M, kParts.N, kParts.K));
  return found;
}

}  // namespace

// On a GPU, a kernel that runs in spite of the failed call causes an error later, at another place.
TEST_CASE("a failed CUDA call is reported before a kernel runs without it", "[values][limits]") {
  if (backend::is_gpu()) return;
  for (const Case& c : copied()) {
    INFO(describe(c));
    expect_right(c);  // the process's one-time calls are done after this
    for (const std::string& call : calls_of(c)) {
      INFO(call);
      // A destructor calls cudaFreeAsync() and cannot throw; the next check reports the error.
      CHECK((call.back() != ' ' || call.find("cudaFreeAsync") == 0));
      for (const cudaError_t error :
           {cudaErrorLaunchFailure, cudaErrorIllegalAddress, cudaErrorMisalignedAddress}) {
        CHECK(call.find(cudaGetErrorString(error)) == std::string::npos);  // of a kernel
      }
      CHECK(call.find("cudaMemPoolCreate") == std::string::npos);  // a pool serves all calls
    }
  }
}

TEST_CASE("each device has its own memory", "[values][limits]") {
  if (backend::is_gpu()) return;
  const Card card("SIMT_DEVICES", 2);
  for (const int device : {0, 1}) {
    CUDA_CHECK(cudaSetDevice(device));
    for (const Case& c : copied()) expect_right(c);
  }
  CUDA_CHECK(cudaSetDevice(0));
}

// The copy takes a few bytes more than 2^38. A lesson that computes its size in 32 bits would allocate only those few.
TEST_CASE("a copy that is too large is reported", "[values][limits]") {
  const std::vector<std::string> calls =
      backend::is_gpu() ? std::vector<std::string>() : calls_of(copied()[0]);
  const auto allocates = [](const std::string& call) {
    return call.find("FromPoolAsync") != call.npos;
  };
  if (std::none_of(calls.begin(), calls.end(), allocates)) return;
  constexpr int kRows = (1 << 17) + 1, kCols = (1 << 20) - 7;
  void* const far = reserve(size_t(kRows) * kCols * sizeof(Input));
  if (far == nullptr) return;  // no addresses for so much
  const Operands<Input, Acc, Output> operands(sizes(1, 8, kRows));
  for (const bool of_a : {true, false}) {
    Problem p = operands.problem();
    if (of_a) {
      p.A = static_cast<Input*>(far), p.M = kRows, p.K = p.lda = kCols;
    } else {
      p.B = static_cast<Input*>(far), p.N = p.ldc = kCols, p.ldb = kScaled ? kRows : kCols;
    }
    CHECK(thrown(p).find("out of memory") != std::string::npos);
    cudaGetLastError();
  }
  cudaFree(far);
}

// The TMA takes strides below 2^40 bytes. A matrix of one row may have any stride.
TEST_CASE("row strides of 2^40 bytes and more", "[values][limits]") {
  const int64_t guard = backend::is_gpu() ? 256 : 0, limit = int64_t(1) << 40;
  for (const int64_t bytes : {limit - 16, limit, limit + 16, 16 * limit}) {
    for (const int N : {8, 5}) {
      Given g(1, N, 1, 3, 2);
      const int64_t ld = bytes / int64_t(sizeof(Input)), ldc = bytes / int64_t(sizeof(Output));
      const int64_t ldb = kScaled ? 1 : ld;  // there it has more than one row
      DeviceMatrix<Input> A(1, 1, {ld, guard, 0}, Poison::kNaN),
          B(shape_of_B<Input>(1, N).first, shape_of_B<Input>(1, N).second, {ldb, guard, 0},
            Poison::kNaN);
      DeviceMatrix<Output> C(1, N, {ldc, guard, 0}, Poison::kHuge);
      A.fill([&](int, int) { return g.a(0, 0); });
      B.fill([&](int row, int col) { return g.b(0, kScaled ? row : col); });
      C.fill([&](int, int col) { return g.c(0, col); });
      INFO("rows " << bytes << " bytes apart");
      g.call({1, N, 1, g.alpha, A.data(), ld, B.data(), ldb, g.beta, C.data(), ldc});
      g.expect_right(elements(C));
    }
  }
}

// B has more than 2^32 elements: zeros and a few ones. Its rows are no multiple of 16 bytes, so lessons copy it. Takes
// 20 GB, so it is a [.huge] case: ctest runs these one at a time.
TEST_CASE("a copy of more than 2^32 elements, on a GPU", "[.huge][copies]") {
  if (!backend::is_gpu() || !std::is_same_v<Input, half> || kLesson[0] != '1') return;
  constexpr int M = 3, N = (1 << 24) + 3, K = 259;
  size_t free = 0, total = 0;
  CUDA_CHECK(cudaMemPoolTrimTo(stream_pool(), 0));  // it keeps the copies of other [.huge] cases
  CUDA_CHECK(cudaMemGetInfo(&free, &total));
  if (double(free) < 2.2 * sizeof(Input) * K * N + 1e9) {
    WARN("skipped: the GPU has less than 20 GB of free memory");
    return;
  }
  DeviceBuffer A(size_t(M) * K * sizeof(Input)), B(size_t(K) * N * sizeof(Input)),
      bias(N * sizeof(Output)), C(size_t(M) * N * sizeof(Output));
  CUDA_CHECK(cudaMemset(B.data(), 0, size_t(K) * N * sizeof(Input)));
  CUDA_CHECK(cudaMemset(bias.data(), 0, N * sizeof(Output)));
  const std::vector<Input> ones(size_t(M) * K, Input(1.0f));
  CUDA_CHECK(
      cudaMemcpy(A.data(), ones.data(), ones.size() * sizeof(Input), cudaMemcpyHostToDevice));
  std::vector<double> expected(N);
  for (int k = 0; k < K; ++k) {
    const int col = k % 2 == 0 ? N - 1 - k : k * 64801;
    CUDA_CHECK(cudaMemcpy(static_cast<Input*>(B.data()) + int64_t(k) * N + col, ones.data(),
                          sizeof(Input), cudaMemcpyHostToDevice));
    expected[col] += 10;  // which GELU leaves as it is
  }
  gemm(with_more<Input, Acc, Output>(
      {M, N, K, Acc(10), static_cast<Input*>(A.data()), K, static_cast<Input*>(B.data()), N, Acc(0),
       static_cast<Output*>(C.data()), N},
      static_cast<Output*>(bias.data()), nullptr, nullptr));
  std::vector<Output> row(N);
  for (int m = 0; m < M; ++m) {
    CUDA_CHECK(cudaMemcpy(row.data(), static_cast<Output*>(C.data()) + int64_t(m) * N,
                          N * sizeof(Output), cudaMemcpyDeviceToHost));
    int64_t wrong = 0;
    for (int col = 0; col < N; ++col) wrong += double(widen(row[col])) != expected[col];
    INFO("row " << m << " of C");
    CHECK(wrong == 0);
  }
}
