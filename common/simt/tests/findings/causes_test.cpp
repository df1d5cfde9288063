// Of a mistake with several consequences the cause is told, once: its line, the element, the other thread.
#include "tests/findings/causes.h"

#include <string>
#include <vector>

#include "simt/probe.h"
#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/source_lines.h"

namespace {

using simt::ErrorKind;

constexpr size_t SIZE = size_t(causes::ROWS) * causes::COLS;

struct Cause {
  const char* name;
  const causes::Run& kernel;  // set before main(), but perhaps after this table
  ErrorKind kind;
  const char *here, *other;  // null: no other party
  const char* says;
};

const Cause kCauses[] = {
    {"rows behind the last", causes::rows_too_many, ErrorKind::GlobalOutOfBounds, "ERROR reach",
     nullptr, "reads A[5][0], out of bounds: A has 5 rows of 7 elements"},
    {"a row before the first", causes::before_begin, ErrorKind::GlobalOutOfBounds, "ERROR reach",
     nullptr, "reads 28 bytes before the beginning of A, out of bounds"},
    {"a row of C too many", causes::rows_of_c, ErrorKind::GlobalOutOfBounds, "ERROR store", nullptr,
     "C[5][0], out of bounds: C has 5 rows of 7 elements"},
    {"a column of C too many", causes::no_guard, ErrorKind::GlobalOutOfBounds, "ERROR store",
     nullptr, "C[5][0], out of bounds: C has 5 rows of 7 elements"},
    {"two threads of a block store an element", causes::one_block, ErrorKind::GlobalRace,
     "ERROR store", "ERROR store",
     "thread (1,0,0) of block (0,0,0) stores C[1][0], which another thread stores as well; thread "
     "(0,0,0) stores it at "},
    {"two blocks store an element", causes::blocks, ErrorKind::BlockConflict, "ERROR store",
     "ERROR store",
     "thread (0,0,0) of block (1,0,0) stores C[2][0], which another thread stores as well; thread "
     "(0,0,0) of block (0,0,0) stores it at "},
    {"two lines store an element", causes::other_line, ErrorKind::GlobalRace, "ERROR twice",
     "OTHER twice", "thread (40,0,0) of block (0,0,0) stores C[3][4], which another thread stores"},
    {"no barrier in front of the reads", causes::first_barrier, ErrorKind::SharedRace, "TILE read",
     "TILE filled", "with no __syncthreads() or __syncwarp() since another thread wrote it"},
    {"the same of one tile", causes::first_barrier_of_two, ErrorKind::SharedRace, "TILE read",
     "TILE filled", "with no __syncthreads() or __syncwarp() since another thread wrote it"},
    {"no barrier behind the reads", causes::second_barrier, ErrorKind::SharedRace, "TILE filled",
     "TILE read", "with no __syncthreads() or __syncwarp() since another thread read it"},
    {"a word that nobody writes", causes::unset_word, ErrorKind::UninitializedShared,
     "ERROR unset word", nullptr, "reads s + 252 bytes, which no thread of this block has written"},
    {"no barrier behind a copy", causes::missing_copy_barrier, ErrorKind::SharedRace,
     "ERROR copied", "OTHER copied", "since another thread's wait for its asynchronous copy"},
    {"threads that leave before a barrier", causes::divergence, ErrorKind::BarrierDivergence,
     "ERROR divergence", nullptr, "waits at __syncthreads() with 34 others, but 29 have exited"},
    {"a race decides which threads begin a round", causes::rounds, ErrorKind::SharedRace,
     "ROUNDS counted", "ROUNDS read", "since another thread read it"},
    {"the same, counted in the second warp", causes::rounds_of_other, ErrorKind::SharedRace,
     "ROUNDS counted", "ROUNDS read", "since another thread read it"},
    {"the same in three blocks", causes::rounds_of_blocks, ErrorKind::SharedRace, "ROUNDS counted",
     "ROUNDS read", "of block (0,0,0) writes next + 0 bytes with no __syncthreads()"},
    {"a race decides which threads wait", causes::flag, ErrorKind::SharedRace, "ERROR flag",
     "OTHER flag", "since another thread wrote it"},
    {"a race decides which lanes wait", causes::lanes, ErrorKind::SharedRace, "ERROR lanes",
     "OTHER lanes", "since another thread wrote it"},
    {"threads that pass others' barrier", causes::parted, ErrorKind::BarrierDivergence,
     "ERROR parted", nullptr, "waits at __syncthreads() with 31 others, but 32 have exited"},
    {"a sum that begins with anything", causes::unset_sum, ErrorKind::UnsetLocal, "ERROR sum",
     nullptr, "stores C[0][0], computed with a variable that was never given a value"},
};

// What a launch of the kernel with named matrices is told.
std::vector<simt::Error> run(const causes::Run& kernel, float beta, bool named = true) {
  const DeviceArray<float> a(std::vector<float>(SIZE, 1.5f));
  DeviceArray<float> c(std::vector<float>(SIZE, 0.25f));
  if (named) {
    simt::name_matrix({"A", a.get(), causes::ROWS, causes::COLS, causes::COLS, 4});
    simt::name_matrix({"C", c.get(), causes::ROWS, causes::COLS, causes::COLS, 4});
  }
  kernel({a.get(), c.get(), beta});
  cudaGetLastError();
  return simt::last_errors();
}

}  // namespace

TEST_CASE("the cause of a mistake is told, and alone, with 1 and with 3 OS threads") {
  for (const Cause& cause : kCauses) {
    for (const float beta : {0.0f, 0.5f}) {
      for (int threads : {1, 3}) {
        simt::set_threads(threads);
        const std::vector<simt::Error> errors = run(cause.kernel, beta);
        INFO(cause.name << ", beta " << beta << ", " << threads << " OS threads");
        for (const simt::Error& error : errors) UNSCOPED_INFO(error.message);
        REQUIRE(errors.size() == 1);
        CHECK(errors[0].kind == cause.kind);
        CHECK(errors[0].here.place.line == marked_line(CAUSES_FILE, cause.here));
        if (cause.other != nullptr) {
          CHECK(errors[0].other.place.line == marked_line(CAUSES_FILE, cause.other));
        }
        CHECK(errors[0].message.find(cause.says) != std::string::npos);
        const bool stores = std::string(cause.says).find("stores as well") != std::string::npos;
        CHECK((!stores || errors[0].message.find("__sync") == std::string::npos));
      }
    }
  }
  simt::set_threads(0);
}

TEST_CASE("what has no name is told by its place in its allocation") {
  CHECK(run(causes::one_block, 0, false)[0].message.find(
            "stores 4 bytes at offset 28 of an allocation of 140 bytes, which another") !=
        std::string::npos);
  CHECK(run(causes::rows_of_c, 0, false)[0].message.find(
            "writes 4 bytes of global memory out of bounds: 0 bytes past the end of an "
            "allocation of 140 bytes (offset 140)") != std::string::npos);
}

TEST_CASE("an error has the array and the index of its element") {
  const simt::Error global = run(causes::one_block, 0)[0];
  CHECK(global.element.space == "global");
  CHECK(global.element.array == "C");
  CHECK(global.element.index == std::vector<uint64_t>{1, 0});
  CHECK(global.element.offset == 28);
  CHECK((global.here.access == "writes" && global.other.access == "writes"));
  const simt::Error shared = run(causes::unset_word, 0)[0];
  CHECK(shared.element.space == "shared");
  CHECK(shared.element.array == "s");
  CHECK(shared.element.index == std::vector<uint64_t>{63});
  CHECK(shared.element.bytes == 4);
  CHECK((shared.here.access == "reads" && !shared.has_other));
}

TEST_CASE("a kernel with both barriers has no errors") {
  CHECK(run(causes::right, 0).empty());
}
