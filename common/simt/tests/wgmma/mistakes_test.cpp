// wgmma and setmaxnreg used wrongly: what is reported, with which lines.
#include "tests/wgmma/mistakes.h"

#include <string>

#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/source_lines.h"

TEST_CASE("wgmma used well is not reported") {
  DeviceArray<float> out(64 * 8);
  wgmma::run_right(out.get());
  REQUIRE(cudaGetLastError() == cudaSuccess);
  for (size_t i = 0; i < 64 * 8; ++i) {
    // Element (row, k) of an operand is number row / 8 * 128 + k / 8 * 64 + row % 8 * 8 + k % 8.
    const auto number = [](size_t row, size_t k) {
      return row / 8 * 128 + k / 8 * 64 + row % 8 * 8 + k % 8;
    };
    float product = 0;
    for (size_t k = 0; k < 16; ++k) {
      product += float(number(i / 8, k) % 7 * (number(i % 8, k) % 5));
    }
    CHECK(out.values()[i] == 9 * product);  // six on one set of registers, three on the other
  }
  wgmma::run_right_registers(out.get());
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("wgmma and setmaxnreg used wrongly are reported with their lines") {
  DeviceArray<float> out(64 * 8);
  for (const wgmma::Mistake& mistake : wgmma::mistakes()) {
    INFO(mistake.text);
    mistake.run(out.get());
    CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
    bool found = false;
    std::string said;
    for (const simt::Error& error : simt::last_errors()) {
      said += error.message + "\n";
      found = found || (error.kind == mistake.kind &&
                        error.message.find(mistake.text) != std::string::npos &&
                        (mistake.line == nullptr ||
                         error.here.place.line == marked_line(MISTAKES_FILE, mistake.line)) &&
                        (mistake.other == nullptr ||
                         (error.has_other &&
                          error.other.place.line == marked_line(MISTAKES_FILE, mistake.other))));
    }
    INFO(said);
    CHECK(found);
  }
}
