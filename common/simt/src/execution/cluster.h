// The blocks of a cluster; without clusters, a single block. One OS thread runs them in turns, so exactly one runs at a
// time. Each block has its own worker. All share the addresses of shared memory, so the contents are exchanged when the
// turn passes to another block.
#pragma once
#include <cstdint>
#include <vector>

#include "execution/worker.h"

namespace simt {

class Cluster {
 public:
  static constexpr unsigned kMost = 8,
                            kMostNonPortable = 16;  // blocks; 16 for kernels that opt in

  // Prepares the blocks of a launch on `first`'s OS thread. `number` distinguishes the clusters that are resident
  // together (0 without a cooperative launch).
  Cluster(Worker& first, Launch& launch, unsigned number = 0);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  ~Cluster();

  // Runs the cluster with this number in the grid.
  void run(uint64_t number);

  // The steps of run(), for clusters that take turns (residents.h).
  void begin(uint64_t number);
  void run_turn();
  void end();
  void enter();
  void leave();
  bool is_over() const { return over_; }  // all threads have exited
  bool has_given_up() const { return gave_up_; }
  void give_up();

  unsigned size() const { return unsigned(blocks_.size()); }
  Worker& block(unsigned rank) const { return *blocks_[rank]; }
  void progress() { stalls_ = 0; }  // another thread's wait may end

 private:
  void turn_to(unsigned rank);
  bool run_round();
  bool resolve_waits();
  void report_stall();

  Worker& first_;
  Launch& launch_;
  std::vector<Worker*> blocks_;
  unsigned turn_ = 0;
  bool over_ = true, gave_up_ = false;
  unsigned stalls_ = 0;  // rounds in which no wait for a phase has ended
};

}  // namespace simt
