// copy_cost() against what an H200 counts for each copy of tests/counts/copies.h.
#include "tests/counts/copies.h"

#include <fstream>
#include <string>

#include "counting/copy_cost.h"
#include "tests/catch.h"

TEST_CASE("copies cost what they cost on an H200") {
  const std::vector<Copy> all = copies();
  std::ifstream file(COPIES_FILE);
  std::string line;
  std::getline(file, line);
  REQUIRE(line == "lookups,sectors,wavefronts");
  unsigned lookups = 0, sectors = 0, wavefronts = 0;
  char comma;
  size_t count = 0;
  while (file >> lookups >> comma >> sectors >> comma >> wavefronts) {
    const Copy& copy = all.at(count);
    const std::vector<uint64_t> from(copy.from, copy.from + 32), to(copy.to, copy.to + 32);
    const simt::CopyCost cost = simt::copy_cost(copy.size, copy.mask, from.data(), to.data());
    INFO("copy " << count++ << " of " << copy.size << " bytes a lane");
    CHECK(cost.lookups == lookups);
    CHECK(cost.sectors == sectors);
    CHECK(cost.wavefronts == wavefronts);
  }
  CHECK(count == all.size());
}
