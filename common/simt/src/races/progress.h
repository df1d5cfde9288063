// Threads and blocks that make no progress.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "races/findings.h"

namespace simt {

class Progress {
 public:
  Progress(Worker& worker, Findings& findings) : worker_(worker), findings_(findings) {}

  void begin_launch(unsigned threads) { effort_.assign(threads, 0); }
  void begin_block();

  // The running thread, at that place, has filled `logs` more logs. Ends it if it is in an endless loop.
  void tire(uint32_t logs, const RawPlace& place);

  uint32_t effort() const { return effort_[worker_.running().id]; }

  // The thread waits for others: forgets the logs that it has filled.
  void rest(unsigned thread) { effort_[thread] = 0; }
  // Reports a wait for something that no thread does.
  void waits_for_ever(unsigned thread, const RawPlace& place);

  // Adds thread 0's log since the last barrier.
  void add(const uint64_t* begin, const uint64_t* end) {
    for (const uint64_t* e = begin; e != end; ++e) {
      interval_hash_ = (interval_hash_ ^ *e) * 0x9e3779b97f4a7c15u;
    }
  }
  // All threads of the block are at a barrier. Reports an endless loop and returns false if the block repeats itself.
  // logged: whether this launch logs accesses.
  bool goes_on(const char* barrier, bool logged);

 private:
  bool goes_round(bool logged);

  std::vector<uint32_t> effort_;
  uint64_t interval_hash_ = 0;
  std::array<uint64_t, 16> hashes_{};  // of earlier intervals
  uint64_t rounds_ = 0, same_rounds_ = 0;  // barriers of this block; those since a new hash
  Worker& worker_;
  Findings& findings_;
};

}  // namespace simt
