// The blocks of a cluster: one OS thread runs them in turns, so that exactly one runs at a time. Without clusters it
// is one block. Each has a worker of its own, but they share the place of shared memory: whose turn it is has its
// own there.
#pragma once
#include <cstdint>
#include <vector>

#include "execution/worker.h"

namespace simt {

class Cluster {
 public:
  static constexpr unsigned kMost = 8,
                            kMostNonPortable = 16;  // blocks; more where a kernel asks for them

  // For a launch, on the OS thread of that worker: the one of that number among those that are there together.
  Cluster(Worker& first, Launch& launch, unsigned number = 0);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  ~Cluster();

  // Runs the cluster of this number in the grid.
  void run(uint64_t number);

  // The same step by step, where others of the launch have their turns between: see residents.h.
  void begin(uint64_t number);
  void go_on_alone();
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
  bool go_on();
  bool go_on_together();
  void report_stall();

  Worker& first_;
  Launch& launch_;
  std::vector<Worker*> blocks_;
  unsigned turn_ = 0;
  bool over_ = true, gave_up_ = false;
  unsigned stalls_ = 0;  // rounds in which no wait for a phase has ended
};

}  // namespace simt
