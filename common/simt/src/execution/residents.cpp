#include "execution/residents.h"

#include <algorithm>

#include "execution/divergence.h"

namespace simt {

Residents::Residents(Worker& first, Launch& launch) : launch_(launch) {
  for (uint64_t i = 0; i < launch.clusters; ++i) {
    clusters_.push_back(std::make_unique<Cluster>(first, launch, unsigned(i)));
    for (unsigned rank = 0; rank < clusters_.back()->size(); ++rank) {
      blocks_.push_back(&clusters_.back()->block(rank));
    }
  }
}

// Passes the turn. All blocks use the same addresses of shared memory, so the contents are exchanged.
void Residents::turn_to(size_t number) {
  if (number == turn_) {
    return;
  }
  if (turn_ < clusters_.size()) {
    clusters_[turn_]->leave();
  }
  turn_ = number;
  clusters_[number]->enter();
}

void Residents::run(const std::function<void()>& pass) {
  for (size_t i = 0; i < clusters_.size(); ++i) {
    turn_to(i);
    clusters_[i]->begin(i);
  }
  for (bool left = true; left;) {
    left = false;
    for (size_t i = 0; i < clusters_.size(); ++i) {
      if (clusters_[i]->is_over()) {
        continue;
      }
      turn_to(i);
      clusters_[i]->run_turn();
      if (clusters_[i]->has_given_up()) {
        return give_up();
      }
      left = left || !clusters_[i]->is_over();
    }
    if (left && all_have_met()) {
      pass();
      ++launch_.grid_phase;
      for (Worker* block : blocks_) {
        block->pass_grid();
      }
    } else if (left && !others_write()) {
      report_stall();
      return give_up();
    }
  }
}

bool Residents::all_have_met() const {
  return std::all_of(blocks_.begin(), blocks_.end(),
                     [](const Worker* block) { return block->all_at_grid(); });
}

bool Residents::others_write() const {
  return std::any_of(blocks_.begin(), blocks_.end(),
                     [](const Worker* block) { return block->waits_for_others(); });
}

void Residents::report_stall() {
  for (size_t i = 0; i < clusters_.size(); ++i) {
    for (unsigned rank = 0; rank < clusters_[i]->size(); ++rank) {
      Worker& block = clusters_[i]->block(rank);
      if (block.is_at_grid()) {
        turn_to(i);
        report_grid_divergence(block, blocks_);
        return;
      }
    }
  }
}

void Residents::give_up() {
  for (size_t i = 0; i < clusters_.size(); ++i) {
    if (!clusters_[i]->is_over()) {
      turn_to(i);
      clusters_[i]->give_up();
      clusters_[i]->end();
    }
  }
}

}  // namespace simt
