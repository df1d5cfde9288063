// The blocks of a cooperative launch. One OS thread runs all of them in turns, so all are resident. A turn ends when no
// thread of the cluster can continue. When all threads wait for the grid, all continue.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "execution/cluster.h"

namespace simt {

class Residents {
 public:
  // Prepares all blocks on `first`'s OS thread. Throws std::bad_alloc if there is no memory for so many threads.
  Residents(Worker& first, Launch& launch);
  Residents(const Residents&) = delete;
  Residents& operator=(const Residents&) = delete;

  // Runs all blocks. Calls pass() whenever all threads have reached the grid's barrier, before they continue.
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
