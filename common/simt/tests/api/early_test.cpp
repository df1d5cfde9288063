// cudaLaunchKernelEx(), and kernels that begin before the launch ahead of them has ended.
#include "tests/api/early.h"

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/error_codes.h"
#include "tests/source_lines.h"

namespace {

struct Outcome {
  std::vector<simt::Error> errors;
  std::vector<float> to;
};

Outcome run(const api::Early& kernel, bool early) {
  constexpr size_t kCount = size_t(api::BLOCKS) * api::THREADS;
  DeviceArray<float> from(std::vector<float>(kCount, 4.0f)), to(std::vector<float>(kCount, 0.0f));
  CHECK(kernel(early, from.get(), to.get()) == cudaSuccess);
  Outcome outcome{simt::last_errors(), {}};
  CHECK(cudaGetLastError() == code_of(outcome.errors));
  outcome.to = to.values();
  CHECK(outcome.to == std::vector<float>(kCount, 5.0f));
  return outcome;
}

struct Bug {
  const char* name;
  api::Early kernel;
  const char* here;
  const char* says;
  uint64_t count;  // threads that are caught
};

cudaError_t sum(cudaLaunchConfig_t config, float* to) {
  return api::sum(&config, to);
}

}  // namespace

TEST_CASE("global memory touched before cudaGridDependencySynchronize() is reported") {
  constexpr uint64_t blocks = api::BLOCKS, threads = api::THREADS;
  const std::vector<Bug> bugs = {
      {"never waits", api::never_waits, "ERROR all", "(0,0,0) of block (0,0,0) reads global",
       blocks * threads},
      {"reads", api::reads_early, "ERROR reads", "thread (70,0,0) of block (0,0,0) reads", blocks},
      {"writes", api::writes_early, "ERROR writes", "thread (70,0,0) of block (0,0,0) writes",
       blocks},
      {"adds", api::adds_early, "ERROR adds", "thread (70,0,0) of block (0,0,0) updates", blocks},
      {"copies", api::copies_early, "ERROR copies", "thread (70,0,0) of block (0,0,0) reads",
       blocks},
      {"one thread waits, with no barrier", api::no_barrier, "ERROR all", "thread (1,0,0)",
       blocks * (threads - 1)},
      {"one lane of each warp waits", api::other_warp, "ERROR all", "thread (33,0,0)", blocks * 62},
  };
  for (const Bug& bug : bugs) {
    INFO(bug.name);
    for (int workers : {1, 3}) {
      simt::set_threads(workers);
      CHECK((run(bug.kernel, false).errors.empty()));
      const std::vector<simt::Error> errors = run(bug.kernel, true).errors;
      REQUIRE(errors.size() == 1);
      INFO(errors[0].message);
      CHECK(errors[0].kind == simt::ErrorKind::EarlyAccess);
      CHECK(errors[0].here.place.line == marked_line(EARLY_FILE, bug.here));
      CHECK(errors[0].message.find(bug.says) != std::string::npos);
      CHECK(errors[0].message.find("early_kernel") != std::string::npos);
      CHECK(errors[0].count == bug.count);
    }
  }
  simt::set_threads(0);
}

TEST_CASE("a kernel that waits for the launch ahead, or whose block has, is not reported") {
  for (const api::Early& kernel : {api::waits, api::one_waits}) {
    CHECK(run(kernel, true).errors.empty());
    CHECK(!run(api::never_waits, true).errors.empty());
    CHECK(run(kernel, false).errors.empty());
    CHECK(run(kernel, true).errors.empty());
  }
}

TEST_CASE("cudaLaunchKernelEx() launches as <<<>>> does, and refuses what that refuses") {
  DeviceArray<float> to(std::vector<float>(4, 1.0f));
  cudaLaunchAttribute attribute{};
  CHECK(sum({1, 64, 256, nullptr, nullptr, 0}, to.get()) == cudaSuccess);
  CHECK(sum({1, 64, 256, nullptr, &attribute, 1}, to.get()) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(to.values() == std::vector<float>{5, 5, 5, 1});
  CHECK(simt::last_report().kernel == "api::sum_kernel");
  CHECK(simt::last_report().dynamic_shared == 256);
  CHECK(sum({1, 0, 256, nullptr, nullptr, 0}, to.get()) == cudaErrorInvalidConfiguration);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  CHECK(sum({1, 65, 260, nullptr, nullptr, 0}, to.get()) == cudaErrorInvalidValue);
  CHECK(sum({1, 64, 1 << 17, nullptr, nullptr, 0}, to.get()) == cudaErrorInvalidValue);
  CHECK(sum({1, 64, 256, nullptr, nullptr, 1}, to.get()) == cudaErrorInvalidValue);
  CHECK(api::sum(nullptr, to.get()) == cudaErrorInvalidValue);
  attribute.id = cudaLaunchAttributePriority;
  cudaGetLastError();
  CHECK(sum({1, 64, 256, nullptr, &attribute, 1}, to.get()) == cudaErrorNotSupported);
  CHECK(cudaGetLastError() == cudaErrorNotSupported);
  CHECK(to.values() == std::vector<float>{5, 5, 5, 1});
}

TEST_CASE("the device tells its compute capability") {
  int major = 0;
  CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0) == cudaSuccess);
  CHECK(major >= 8);
}
