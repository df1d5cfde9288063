// Races in global memory, of threads and of blocks: told with their line; what orders itself, and what stores the same,
// is not.
#include "tests/findings/races.h"

#include <string>
#include <vector>

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/error_codes.h"
#include "tests/source_lines.h"

namespace {

using simt::ErrorKind;

// What the launch leaves in x[0].
int run(races::Run kernel) {
  DeviceArray<int> x(std::vector<int>(4096, 0));
  kernel(x.get());
  CHECK(cudaGetLastError() == code_of(simt::last_errors()));
  return x.values()[0];
}

std::string text(const std::vector<simt::Error>& errors) {
  std::string all;
  for (const simt::Error& error : errors) {
    all += error.message + "\n";
  }
  return all;
}

}  // namespace

TEST_CASE("a race in global memory is told with its line, with 1 and with 3 OS threads") {
  for (int threads : {1, 3}) {
    simt::set_threads(threads);
    for (const races::Kernel& kernel : races::wrong) {
      run(kernel.run);
      INFO(kernel.name << ", " << threads << " OS threads\n" << text(simt::last_errors()));
      REQUIRE(!simt::last_errors().empty());
      const int line = marked_line(RACES_FILE, std::string("ERROR ") + kernel.name);
      bool found = false;
      for (const simt::Error& error : simt::last_errors()) {
        CHECK((error.kind == ErrorKind::GlobalRace || error.kind == ErrorKind::BlockConflict));
        CHECK(!error.note);
        found = found || error.here.place.line == line || error.other.place.line == line;
      }
      CHECK(found);
    }
  }
  simt::set_threads(0);
}

TEST_CASE("what threads and blocks order themselves is right, with 1 and with 3 OS threads") {
  for (int threads : {1, 3}) {
    simt::set_threads(threads);
    for (const races::Kernel& kernel : races::right) {
      INFO(kernel.name << ", " << threads << " OS threads");
      CHECK(run(kernel.run) == 1);
      CHECK(text(simt::last_errors()) == "");
      CHECK(text(simt::last_notes()) == "");
    }
  }
  simt::set_threads(0);
}

TEST_CASE("several threads or blocks that store the same are a note, no error") {
  for (const races::Kernel& kernel : races::equal) {
    INFO(kernel.name);
    CHECK(run(kernel.run) == 1);
    CHECK(text(simt::last_errors()) == "");
    REQUIRE(!simt::last_notes().empty());
    CHECK(simt::last_notes()[0].message.find("note: ") == 0);
    CHECK(simt::last_notes()[0].message.find("both store the same value") != std::string::npos);
  }
}

TEST_CASE("a flag that nobody sets is told as an endless loop") {
  run(races::waits_for_ever);
  REQUIRE(!simt::last_errors().empty());
  CHECK(simt::last_errors()[0].kind == ErrorKind::Endless);
}

TEST_CASE("of threads that do not meet, the races that follow from it are not told") {
  run(races::diverges);
  REQUIRE(simt::last_errors().size() == 1);
  CHECK(simt::last_errors()[0].kind == ErrorKind::BarrierDivergence);
  CHECK(simt::last_errors()[0].here.place.line == marked_line(RACES_FILE, "ERROR divergence"));
}

TEST_CASE("ten errors are told, and how many there are more") {
  run(races::many_mistakes);
  CHECK(simt::last_errors().size() == 10);
  CHECK(simt::more_errors() == 3);
}
