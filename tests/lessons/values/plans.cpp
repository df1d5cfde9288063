// Lessons that plan by the shape and the card.
#include "tests/lessons/card.h"
#include "tests/lessons/values/given.h"

TEST_CASE("an array times itself", "[values]") {
  for (const int n : {40, 37, 129, 136}) {
    Given g(n, n, n, 2, -1);
    Given::for_each(n, n, [&](int row, int col) {
      (takes_transposed_A() || kScaled ? g.b(col, row) : g.b(row, col)) = g.a(row, col);
    });
    g.expect_right(g.run(true));
  }
}

// Consumer GPUs have 99 KB of shared memory per block. Lessons then use fewer buffers.
TEST_CASE("a card with less shared memory", "[values]") {
  if (backend::is_gpu() || is_hopper()) return;  // Hopper has 227 KB
  const Card card(Card::kSharedKB, 99);
  for (const int K : {BK, 2 * BK, 5 * BK, 3 * BK + 1}) {
    expect_right(sizes(BM, BN, K, 1, 1));
    expect_right(shifted(pitched(sizes(BM + 3, BN + 1, K, 2), 1, 1, 1), 1, 1, 1));
  }
}

TEST_CASE("split-K, alone and with whole tiles", "[values]") {
  if (!kPlans) return;
  for (const double beta : {0.0, 1.0}) {
    const Case parts = sizes(kParts.M, kParts.N, kParts.K, -1, beta);
    expect_right(parts);
    expect_right(pitched(parts, 0, 0, 5));
    expect_right(pitched(parts, 4, 8, 12));
    {
      const Card other(Card::kMultiprocessors, 132);  // gets another plan for the same problem
      expect_right(shifted(parts, 1, 0, 1));
    }
    expect_right(sizes(60, 128, 640, 1, beta));  // a ragged row of tiles, but no ragged column
  }
  expect_right(sizes(176, 264, 320, 2, 1));  // eight whole tiles of 64 x 128 and a split one
  expect_right(sizes(150, 104, 1280));  // three split tiles
  const Card card(Card::kMultiprocessors, kRoom);  // parts of more than 40 tiles; no cluster fits
  expect_right(sizes(64, 128, 4096 + 3));
  expect_right(sizes(320, 64, 64));  // several narrow tiles, one after the other
  if (is_hopper()) return;
  expect_right(sizes(480, 508, 12, -2, 1));  // the widest tiles of lesson 13
  expect_right(sizes(512, 512, 64, 1, 1));  // all of them whole
}

// Every plan of a lesson with clusters, on cards with room for none, one and two clusters: pairs of blocks that share
// tiles, and blocks that split K. Each problem has beta 0 and 1, on different cards.
TEST_CASE("clusters of blocks", "[values][paths]") {
  if (!kPlans || !is_hopper() || backend::is_gpu()) return;
  double beta = 0;
  for (const int count : {kRoom, 2, 4}) {
    if (kScaled && count != 2) continue;  // lesson 17 has no clusters
    const Card card(Card::kMultiprocessors, count);
    expect_right(pitched(sizes(150, 190, 1030, 1, beta), 8, 0, 3));
    expect_right(sizes(384, 192, 1024, -1, 1 - beta));
    expect_right(sizes(500, 300, 1336, 2, beta));  // in lesson 12 both consumers share a tile
    expect_right(sizes(100, 60, 1530, 1, 1 - beta));
    expect_right(pitched(sizes(60, 64, 1280, 2, beta), 0, 3, 4));
    expect_right(sizes(520, 400, 1088));  // tiles one after another, in two groups of columns
    expect_right(sizes(150, 224, 1536));
    expect_right(shifted(sizes(192, 250, 4096), 1, 1, 1));
    beta = 1 - beta;
  }
  expect_right(sizes(2120, 130, 8));  // more rows of tiles than one group of the raster order
}

TEST_CASE("more than 2^20 partial sums of split-K", "[.long]") {
  if (!kPlans) return;
  const Card card(Card::kMultiprocessors, 132);
  expect_right(sizes(250, 500, 1024, 1, 1));
}
