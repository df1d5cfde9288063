// Every check of the CPU backend: the mistake is reported, at its line, whatever the OS threads.
#include <memory>
#include <string>
#include <vector>

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/error_codes.h"
#include "tests/findings/bugs.h"
#include "tests/source_lines.h"

namespace {

using simt::ErrorKind;

constexpr int M = 97, N = 131, K = 65;

// Runs the kernel with small matrices and returns what was found.
std::vector<simt::Error> run(const bugs::Run& kernel, bool initialized = true) {
  const std::vector<float> ones(M * N, 1.0f);
  std::unique_ptr<DeviceArray<float>> a(
      initialized ? new DeviceArray<float>(std::vector<float>(M * K, 1.0f))
                  : new DeviceArray<float>(M * K));
  DeviceArray<float> b(std::vector<float>(K * N, 1.0f)), c(ones);
  kernel({M, N, K, a->get(), b.get(), c.get()});
  std::vector<simt::Error> errors = simt::last_errors();
  // A launch with errors has failed, once; without errors it has not.
  CHECK(cudaGetLastError() == code_of(errors));
  CHECK(cudaGetLastError() == cudaSuccess);
  return errors;
}

struct Bug {
  const char* name;
  const bugs::Run& kernel;  // set before main(), but perhaps after this table
  ErrorKind kind;
  const char* here;
  const char* other;  // null: no other party, or one without a line
};

const Bug kBugs[] = {
    {"missing second barrier", bugs::missing_second_barrier, ErrorKind::SharedRace, "ERROR second",
     "OTHER second"},
    {"early return", bugs::early_return, ErrorKind::BarrierDivergence, "ERROR return", nullptr},
    {"guard off by one", bugs::guard_off_by_one, ErrorKind::GlobalOutOfBounds, "ERROR guard",
     nullptr},
    {"misaligned float4", bugs::misaligned_vector, ErrorKind::Misaligned, "ERROR misaligned",
     nullptr},
    {"no zero fill", bugs::no_zero_fill, ErrorKind::UninitializedShared, "ERROR zero", nullptr},
    {"index too far", bugs::index_too_far, ErrorKind::IndexOutOfBounds, "ERROR index", nullptr},
    {"barrier in both arms", bugs::barrier_in_both_arms, ErrorKind::BarrierDivergence, "ERROR arms",
     "OTHER arms"},
    {"missing __syncwarp", bugs::missing_syncwarp, ErrorKind::SharedRace, "ERROR syncwarp",
     "OTHER syncwarp"},
    {"overlapping blocks", bugs::overlapping_blocks, ErrorKind::BlockConflict, "ERROR overlap",
     "ERROR overlap"},
    {"half a warp stores a fragment", bugs::half_a_warp_stores_a_fragment,
     ErrorKind::WarpDivergence, "ERROR fragment", nullptr},
    {"two writers", bugs::two_writers, ErrorKind::SharedRace, "ERROR writers", "ERROR writers"},
    {"write out of bounds", bugs::write_out_of_bounds, ErrorKind::GlobalOutOfBounds, "ERROR store",
     nullptr},
    {"dynamic shared memory too small", bugs::dynamic_shared_too_small,
     ErrorKind::SharedOutOfBounds, "ERROR dynamic", nullptr},
    {"asynchronous copy not waited for", bugs::async_not_waited, ErrorKind::AsyncNotWaited,
     "ERROR async", "OTHER async"},
    {"asynchronous copy without a barrier", bugs::async_without_barrier, ErrorKind::SharedRace,
     "ERROR async", "OTHER async"},
    {"store to an asynchronous copy", bugs::async_overwrites, ErrorKind::AsyncNotWaited,
     "ERROR overwrite", "OTHER async"},
    {"asynchronous copy of 12 bytes", bugs::async_bad_size, ErrorKind::BadArgument, "ERROR size",
     nullptr},
    {"shuffle without a lane", bugs::shuffle_without_a_lane, ErrorKind::WarpDivergence,
     "ERROR shuffle", nullptr},
    {"mask without the caller", bugs::shuffle_mask_without_self, ErrorKind::BadArgument,
     "ERROR mask", nullptr},
    {"plain store beside an atomic", bugs::plain_beside_atomic, ErrorKind::SharedRace,
     "ERROR atomic", "OTHER atomic"},
    {"null pointer", bugs::null_pointer, ErrorKind::InvalidAddress, "ERROR null", nullptr},
    {"misaligned fragment", bugs::misaligned_fragment, ErrorKind::Misaligned, "ERROR alignment",
     nullptr},
};

// Errors with everything that is told about them, to compare runs.
std::string text(const std::vector<simt::Error>& errors) {
  std::string all;
  for (const simt::Error& error : errors) {
    all += error.message + " x" + std::to_string(error.count) + "\n";
  }
  return all;
}

}  // namespace

TEST_CASE("each mistake is reported at its line, with 1, 2 and 7 OS threads") {
  for (const Bug& bug : kBugs) {
    INFO(bug.name);
    std::string first;
    for (int threads : {1, 2, 7}) {
      simt::set_threads(threads);
      const std::vector<simt::Error> errors = run(bug.kernel);
      INFO(text(errors));
      REQUIRE(!errors.empty());
      CHECK(errors.size() <= 10);
      bool found = false;
      for (const simt::Error& error : errors) {
        found =
            found ||
            (error.kind == bug.kind && error.here.place.line == marked_line(BUGS_FILE, bug.here) &&
             (bug.other == nullptr || error.other.place.line == marked_line(BUGS_FILE, bug.other)));
        CHECK(error.message.find("bugs.cu:") != std::string::npos);
        CHECK(error.message.find("_kernel") != std::string::npos);
      }
      CHECK(found);
      first = threads == 1 ? text(errors) : first;
      CHECK(text(errors) == first);
    }
  }
  simt::set_threads(0);
}

TEST_CASE("kernels without a mistake are not reported, before and after others are") {
  for (const bugs::Run& kernel :
       {bugs::right_tiles, bugs::right_syncwarp, bugs::right_partial_syncwarp, bugs::right_async,
        bugs::right_exit_before_last_barrier}) {
    CHECK(text(run(kernel)) == "");
    CHECK(!run(bugs::missing_second_barrier).empty());
    CHECK(!run(bugs::early_return).empty());
    CHECK(text(run(kernel)) == "");
  }
}

TEST_CASE("memory that nobody initialised is reported where it is read") {
  const auto errors = run(bugs::uninitialized_global, false);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].kind == ErrorKind::UninitializedGlobal);
  CHECK(errors[0].here.place.line == marked_line(BUGS_FILE, "ERROR uninitialized"));
  CHECK(errors[0].count == 64);
  CHECK(run(bugs::uninitialized_global).empty());
}

TEST_CASE("a loop without end is stopped") {
  const auto errors = run(bugs::endless_loop);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].kind == ErrorKind::Endless);
  CHECK(run(bugs::right_tiles).empty());
}

TEST_CASE("messages name both parties") {
  const auto errors = run(bugs::early_return);
  REQUIRE(!errors.empty());
  // 131 columns are four tiles and 3 columns: of block (4,0,0), 96 threads have a column.
  CHECK(errors[0].here.block.x == 4);
  CHECK(errors[0].message.find("waits at __syncthreads() with 95 others, but 928 have exited") !=
        std::string::npos);
  CHECK(errors[0].other.thread.x == 3);
}
