// Declarations of shared memory.
#include "tests/library/declared.h"

#include "tests/library/check.h"

TEST_CASE("an alignment may stand anywhere in the declaration of shared memory") {
  const std::vector<int> out = library::right([](int*, int* to) { declared::all(to); });
  for (int t = 0; t < 4; ++t) CHECK(out[size_t(t)] == 7 * (3 - t) + 3 + t);
}
