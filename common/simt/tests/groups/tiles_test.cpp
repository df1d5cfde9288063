// Groups of a warp against what the host computes, and threads of them that do not meet.
#include "tests/groups/tiles.h"

#include <algorithm>
#include <functional>

#include "tests/library/check.h"

using library::numbers;
using library::right;
using simt::ErrorKind;
using tiles::THREADS;

namespace {

// The members of thread t's group, by rank.
using Group = std::function<std::vector<int>(int t)>;

Group tile_of(int size) {
  return [size](int t) {
    std::vector<int> all;
    for (int i = t / size * size; i < t / size * size + size && i < THREADS; ++i) all.push_back(i);
    return all;
  };
}

// Those of a tile (or warp) for whom key() is the same.
Group same_of(int size, const std::function<int(int t)>& key) {
  return [=](int t) {
    std::vector<int> all;
    for (const int i : tile_of(size)(t)) {
      if (key(i) == key(t)) all.push_back(i);
    }
    return all;
  };
}

int rank_in(const std::vector<int>& group, int t) {
  return int(std::find(group.begin(), group.end(), t) - group.begin());
}

const std::vector<int> in = numbers();

int v(int t) {
  return in[size_t(t)];
}

// A row of the output against expected(t, group, rank), where which(t) holds.
void check_row(
    const std::vector<int>& out, int row, const Group& group,
    const std::function<int(int t, const std::vector<int>&, int rank)>& expected,
    const std::function<bool(int t)>& which = [](int) { return true; }) {
  for (int t = 0; t < THREADS; ++t) {
    INFO("row " << row << " thread " << t);
    if (which(t)) {
      const std::vector<int> members = group(t);
      REQUIRE(out[size_t(row * THREADS + t)] == expected(t, members, rank_in(members, t)));
    }
  }
}

int fold(const std::vector<int>& group, const std::function<int(int, int)>& op) {
  int result = v(group[0]);
  for (size_t i = 1; i < group.size(); ++i) result = op(result, v(group[i]));
  return result;
}

int bits(const std::vector<int>& group, const std::function<bool(int t)>& holds) {
  int result = 0;
  for (size_t i = 0; i < group.size(); ++i) result |= int(holds(group[i])) << i;
  return result;
}

using Members = std::vector<int>;

}  // namespace

TEST_CASE("tiles shuffle by rank") {
  const std::vector<int> out = right(tiles::shuffles);
  const auto at = [](const Members& g, int rank, int t) {
    return rank >= 0 && rank < int(g.size()) ? v(g[size_t(rank)]) : v(t);
  };
  check_row(out, 0, tile_of(16), [&](int t, const Members& g, int) { return at(g, 3, t); });
  check_row(out, 1, tile_of(16), [&](int t, const Members& g, int r) { return at(g, r - 2, t); });
  check_row(out, 2, tile_of(16), [&](int t, const Members& g, int r) { return at(g, r + 5, t); });
  check_row(out, 3, tile_of(16), [&](int t, const Members& g, int r) { return at(g, r ^ 7, t); });
  check_row(out, 4, tile_of(4), [&](int t, const Members& g, int) { return at(g, 1, t); });
  check_row(out, 5, tile_of(4),
            [&](int t, const Members& g, int r) { return at(g, r ^ 2, t) + 1; });
  check_row(out, 6, tile_of(1), [&](int t, const Members&, int) { return v(t); });
}

TEST_CASE("tiles shuffle, reduce and scan vectors") {
  const std::vector<int> out = right(tiles::vectors);
  for (int row : {0, 1, 2, 3}) {
    check_row(out, row, tile_of(16), [row](int, const Members& g, int r) {
      const int from = v(g[size_t(r ^ 7)]);
      return row == 2 ? from % 100 : from;
    });
  }
  const auto most = [](int a, int b) { return std::max(a, b); };
  check_row(out, 4, tile_of(16), [&](int, const Members& g, int) { return fold(g, most); });
  check_row(out, 5, tile_of(16), [&](int, const Members& g, int r) {
    return fold(Members(g.begin(), g.begin() + r + 1), most);
  });
}

TEST_CASE("tiles vote and match by rank") {
  const std::vector<int> out = right(tiles::votes);
  check_row(out, 0, tile_of(8), [](int, const Members& g, int) {
    return int(bits(g, [](int t) { return v(t) > 990; }) != 0);
  });
  check_row(out, 1, tile_of(8), [](int, const Members& g, int) {
    return int(bits(g, [](int t) { return v(t) <= 90; }) == 0);
  });
  check_row(out, 2, tile_of(8), [](int, const Members& g, int) {
    return bits(g, [](int t) { return v(t) % 2 != 0; });
  });
  check_row(out, 3, tile_of(8), [](int self, const Members& g, int) {
    return bits(g, [self](int t) { return v(t) % 3 == v(self) % 3; });
  });
  const auto all_same = [](const Members& g) {
    const int high = bits(g, [](int t) { return v(t) > 200; });
    return high == 0 || high == 255;
  };
  check_row(out, 4, tile_of(8), [&](int, const Members& g, int) { return all_same(g) ? 255 : 0; });
  check_row(out, 5, tile_of(8), [&](int, const Members& g, int) { return int(all_same(g)); });
}

TEST_CASE("tiles reduce and scan") {
  const std::vector<int> out = right(tiles::reductions);
  const std::function<int(int, int)> ops[] = {
      [](int a, int b) { return a + b; },          [](int a, int b) { return std::min(a, b); },
      [](int a, int b) { return std::max(a, b); }, [](int a, int b) { return a & b; },
      [](int a, int b) { return a | b; },          [](int a, int b) { return a ^ b; }};
  for (int row = 0; row < 6; ++row) {
    check_row(out, row, tile_of(16), [&](int, const Members& g, int) { return fold(g, ops[row]); });
  }
  check_row(out, 6, tile_of(2),
            [&](int, const Members& g, int) { return int(fold(g, ops[0]) * 0.5); });
  check_row(out, 7, tile_of(16), [&](int, const Members& g, int) {
    return fold(g, [](int a, int b) { return a % 10 > b % 10 ? a : b; }) % 10;
  });
  const std::vector<int> stored = right(tiles::stored);
  for (int i = 0; i < THREADS / 16; ++i) {
    CHECK(stored[size_t(i)] == fold(tile_of(16)(i * 16), ops[0]));
  }
  CHECK(stored[16] == fold(tile_of(THREADS)(0), ops[2]));
  const std::vector<int> scans = right(tiles::scans);
  const auto before = [](const Members& g, int count) {
    return Members(g.begin(), g.begin() + count);
  };
  check_row(scans, 0, tile_of(16),
            [&](int, const Members& g, int r) { return fold(before(g, r + 1), ops[0]); });
  check_row(scans, 1, tile_of(16),
            [&](int, const Members& g, int r) { return r == 0 ? 0 : fold(before(g, r), ops[0]); });
  check_row(scans, 2, tile_of(16),
            [&](int, const Members& g, int r) { return fold(before(g, r + 1), ops[2]); });
  check_row(scans, 3, tile_of(16),
            [&](int, const Members& g, int r) { return r == 0 ? 0 : fold(before(g, r), ops[4]); });
}

TEST_CASE("groups know their ranks and sizes") {
  const std::vector<int> out = right([](int*, int* to) { tiles::ranks(to); });
  check_row(out, 0, tile_of(1), [](int t, const Members&, int) { return t + 3 * THREADS; });
  check_row(out, 1, tile_of(32), [](int t, const Members&, int) { return t / 32 * 100 + 3; });
  check_row(out, 2, tile_of(8), [](int t, const Members&, int) { return t % 32 / 8 * 100 + 4; });
  check_row(out, 3, tile_of(8), [](int, const Members&, int r) { return r * 100 + 16; });
  check_row(out, 4, tile_of(8), [](int, const Members&, int r) { return r + THREADS; });
  check_row(out, 5, tile_of(8), [](int, const Members&, int r) { return int(r == 0); });
  check_row(out, 6, tile_of(8), [](int, const Members& g, int) { return g[0]; });
}

TEST_CASE("lanes that are together are a group") {
  const std::vector<int> out = right(tiles::coalesced);
  const auto third = [](int t) { return int(v(t) % 3 == 0); };
  const auto row = [&](int number, const std::function<int(int, const Members&, int)>& expected) {
    check_row(out, number, same_of(32, third), expected, third);
  };
  row(0, [](int, const Members& g, int) { return int(g.size()); });
  row(1, [](int, const Members&, int r) { return r; });
  row(2, [](int t, const Members& g, int) { return g.size() > 1 ? v(g[1]) : v(t); });
  row(3, [](int t, const Members& g, int r) {
    return r + 1 < int(g.size()) ? v(g[size_t(r) + 1]) : v(t);
  });
  row(4, [](int, const Members& g, int) { return bits(g, [](int t) { return v(t) % 2 != 0; }); });
  row(5, [](int, const Members& g, int) { return fold(g, [](int a, int b) { return a + b; }); });
  row(6, [](int, const Members&, int r) { return r; });
  row(7, [](int, const Members& g, int r) { return std::min(2, int(g.size()) - r / 2 * 2); });
}

TEST_CASE("groups are cut by label") {
  const std::vector<int> out = right(tiles::partitions);
  const auto label = [](int t) { return v(t) % 5; };
  const auto odd = [](int t) { return v(t) % 2; };
  check_row(out, 0, same_of(16, label), [](int, const Members& g, int) { return int(g.size()); });
  check_row(out, 1, same_of(16, label),
            [](int, const Members& g, int) { return fold(g, [](int a, int b) { return a + b; }); });
  check_row(out, 2, tile_of(16), [&](int, const Members& g, int) {
    Members labels;
    for (const int t : g) labels.push_back(label(t));
    std::sort(labels.begin(), labels.end());
    return int(std::unique(labels.begin(), labels.end()) - labels.begin());
  });
  check_row(out, 3, same_of(16, odd), [](int, const Members& g, int) { return int(g.size()); });
  check_row(out, 4, same_of(16, odd), [](int, const Members&, int r) { return r; });
}

TEST_CASE("a function takes any group") {
  const std::vector<int> out = right(tiles::generic);
  int all = 0;
  for (int t = 0; t < 64; ++t) all += v(t);
  CHECK(out[0] == all);
  for (int t = 0; t < 64; t += 8) {
    Members g = tile_of(t % 16 == 0 ? 16 : 8)(t);
    const int row = t % 16 == 0 ? 1 : 2;
    CHECK(out[size_t(row * THREADS + t)] == fold(g, [](int a, int b) { return a + b; }));
  }
}

TEST_CASE("groups copy to shared memory") {
  const std::vector<int> out = right([](int* from, int* to) { tiles::copies(from, to, true); });
  for (int i = 0; i < 256; ++i) REQUIRE(out[size_t(i)] == v(255 - i));
  const std::vector<int> two = right([](int* from, int* to) { tiles::stages(from, to, true); });
  for (int i = 0; i < 32; ++i) {
    REQUIRE(two[size_t(i)] == v(63 - i));
    REQUIRE(two[size_t(64 + i)] == v(127 - i));
  }
}

TEST_CASE("threads of a group that do not meet, or do not wait, are reported") {
  right([](int* from, int* to) { tiles::neighbour(from, to, tiles::NONE); });
  right([](int* from, int* to) { tiles::sum(from, to, tiles::NONE); });
  library::check(
      {
          {"no sync() of a tile", [](int* a, int* b) { tiles::neighbour(a, b, tiles::NO_SYNC); },
           ErrorKind::SharedRace, "ERROR neighbour", "WRITE neighbour", "another thread wrote it"},
          {"a thread of a tile exits", [](int* a, int* b) { tiles::sum(a, b, tiles::ONE_EXITS); },
           ErrorKind::WarpDivergence, "ERROR sum", nullptr,
           "waits at an operation of a group for lanes 0x0000ffff, but 1 of them do not arrive"},
          {"no wait() of a group", [](int* a, int* b) { tiles::copies(a, b, false); },
           ErrorKind::AsyncNotWaited, "ERROR copy", "COPY group",
           "before its asynchronous copy has been waited for"},
          {"a wait() for the first stage only", [](int* a, int* b) { tiles::stages(a, b, false); },
           ErrorKind::AsyncNotWaited, "ERROR stage", nullptr,
           "before its asynchronous copy has been waited for"},
      },
      TILES_FILE);
}
