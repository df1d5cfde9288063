// A cooperative launch: one OS thread runs all of its blocks in turns, so that all are resident. A block's turn lasts
// until no thread of its cluster can continue. When all threads wait for the grid, all continue.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "execution/cluster.h"

namespace simt {

class Residents {
 public:
  // For a launch, on the OS thread of that worker. Throws std::bad_alloc where there is no room for so many threads.
  Residents(Worker& first, Launch& launch);
  Residents(const Residents&) = delete;
  Residents& operator=(const Residents&) = delete;

  // Runs all blocks. Calls pass() each time when all threads have met, before they go on.
  void run(const std::function<void()>& pass);
  const std::vector<Worker*>& blocks() const { return blocks_; }

 private:
  void turn_to(size_t number);
  bool all_have_met() const;
  bool others_write() const;
  void report_stall();
  void give_up();

  Launch& launch_;
  std::vector<std::unique_ptr<Cluster>> clusters_;
  std::vector<Worker*> blocks_;
  size_t turn_ = ~size_t(0);
};

}  // namespace simt
