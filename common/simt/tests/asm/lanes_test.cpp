// Votes, shuffles and special registers by inline PTX.
#include "tests/asm/lanes.h"

#include <cuda_runtime.h>

#include <cstring>
#include <vector>

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/source_lines.h"

TEST_CASE("lanes ask one another") {
  constexpr unsigned THREADS = 64;
  DeviceArray<uint32_t> to(THREADS * lanes::WORDS);
  lanes::ask(to.get(), THREADS);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  const std::vector<uint32_t> got = to.values();
  for (uint32_t t = 0; t < THREADS; ++t) {
    INFO("thread " << t);
    const uint32_t lane = t % 32;
    const uint32_t* const out = &got[t * lanes::WORDS];
    CHECK((out[0] == 0 && out[1] == (lane == 0) && out[2] == (lane == 0)));
    CHECK(out[3] == 0xffe00000);
    CHECK(out[4] == 7);
    CHECK(out[5] == 5);
    CHECK(out[6] == (lane < 2 ? lane : lane - 2));
    CHECK(out[7] == (lane % 8 < 5 ? lane + 3 : lane));
    float x;
    std::memcpy(&x, &out[8], 4);
    CHECK((x == float(lane ^ 1) + 0.5f && out[9] == 1));
    CHECK(out[10] == (lane < 2 ? lane + 30 : lane));
    CHECK(out[11] == (lane < 2));
    CHECK(out[12] == 0xffu << lane / 8 * 8);
    CHECK(out[13] == 0);
    CHECK(out[14] == 31 * 16);
    CHECK(out[15] == uint32_t(-9));
    CHECK((out[16] == lane && out[17] == t / 32 && out[18] == (1u << lane) - 1));
    CHECK(out[19] == 1);
    CHECK(out[20] < out[21]);
    CHECK((out[22] == t && out[23] == THREADS));
  }
}

TEST_CASE("a lane of the mask that does not arrive is reported") {
  DeviceArray<uint32_t> to(32);
  lanes::miss(to.get());
  CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
  REQUIRE(!simt::last_errors().empty());
  CHECK(simt::last_errors()[0].kind == simt::ErrorKind::WarpDivergence);
  CHECK(simt::last_errors()[0].here.place.line == marked_line(LANES_FILE, "ERROR vote"));
}
