// Races in global memory: two threads of a block access a word between two barriers, two blocks do in one launch, or a
// launch accesses a word that an operation of another stream uses.
// Unlike in shared memory, a check takes a warp's whole request at the time that it is counted. A request touches few
// pages, and no thread writes to most pages.
#pragma once
#include <atomic>
#include <bitset>
#include <cstdint>
#include <vector>

#include "counting/counting.h"
#include "memory/memory.h"
#include "races/findings.h"
#include "races/happens_before.h"

namespace simt {

// A word that one block of a launch writes and another one reads, and the instruction that reads it.
struct ReadConflict {
  uintptr_t address;
  uint32_t reader;
};

class GlobalRaces final : public GlobalRequests {
 public:
  GlobalRaces(Worker& worker, Findings& findings, const HappensBefore& order);

  // cooperative: all blocks are resident at once, so their numbers need more bits.
  void begin_launch(uint32_t serial, bool cooperative);
  void begin_block();
  // All blocks have met: their earlier accesses count as those of an earlier launch.
  void begin_grid_phase(uint32_t serial);
  void end_barrier() {
    orders_nothing_ = orders_nothing_ && !stored_;
    begin_interval();
  }
  // Whether no barrier of this launch had a store or an atomic operation in global memory before it.
  bool barriers_order_nothing() const { return orders_nothing_; }
  // The following requests belong to this warp.
  void begin_warp(unsigned warp) { warp_ = warp; }
  void request(uint32_t site, uint32_t mask, const uint64_t* offsets,
               const Pattern* pattern) override;

  // The lanes of a warp have met at __syncwarp(): they count as ordered.
  void sync_warp(unsigned warp) { synced_warps_.set(warp); }
  // This thread has used a lock or a volatile flag. Two such threads count as ordered.
  void guard(unsigned thread) {
    guarded_.set(thread);
    fenced_ = true;
  }
  // The block has executed a fence: its reads of other blocks' data count as ordered from now on.
  void fence() { fenced_ = true; }

  const std::vector<ReadConflict>& conflicts() const { return conflicts_; }

 private:
  struct Word;
  // A request by one warp or, twice, by several.
  struct Seen {
    uint64_t when = 0, first = 0;
    uint32_t pattern = 0;
    uint16_t site = 0;
    uint8_t warp = 0;
    bool twice = false;
  };
  // A word that a block with vector clocks has written last, and the epoch of the write.
  struct Written {
    uintptr_t word = 0;
    uint32_t epoch = 0;
  };
  static constexpr size_t kSeen = 2048, kWritten = 16384;
  void begin_interval();
  bool was_seen(uint32_t site, const Pattern& pattern, uint64_t first);
  bool is_known(uint64_t offset) const;
  void load(const Word& word, bool several);
  void store(const Word& word);
  void check_reader(const Word& word, uint64_t read, unsigned reader);
  void check_writer(const Word& word, const char* does);
  bool same_block(uint64_t cell) const;
  bool in_order(unsigned thread, unsigned other, uint32_t epoch) const;
  uint32_t write_epoch(uintptr_t word) const;
  bool overlaps(uint64_t cell) const;
  void report_stream(const Word& word, const char* does, uint64_t cell, const char* other_does);
  void report(const Word& word, const char* does, const char* other_did, uint64_t cell,
              unsigned other);
  void conflict(uintptr_t address, uint32_t reader);

  const uint64_t own_number_;
  uint64_t worker_number_ = 0, most_intervals_ = 0;
  unsigned worker_shift_ = 0;
  const std::atomic<uint64_t>* readers_;  // of the first word of device memory
  const std::atomic<uint8_t>* pages_;  // of its first page
  uint64_t now_ = 0;  // launch, worker and interval, in the bits of a cell
  uint64_t block_begin_ = 0, interval_ = 0;
  unsigned warp_ = 0;
  uint8_t launch_ = 0;
  uint32_t overlapping_ = 0;  // launch numbers, as bits
  bool fenced_ = false;
  bool stored_ = false, orders_nothing_ = true;  // in this block; in this launch
  std::bitset<1024> guarded_;
  std::bitset<32> synced_warps_;
  std::vector<ReadConflict> conflicts_;
  std::vector<Seen> seen_;
  std::vector<Written> written_;  // a word's place depends on its address
  Worker& worker_;
  Findings& findings_;
  const HappensBefore& order_;
};

}  // namespace simt
