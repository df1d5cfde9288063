#include "execution/cluster.h"

#include <algorithm>

namespace simt {
namespace {

// Rounds without progress, after which threads that poll for a phase count as waiting forever.
constexpr unsigned kMostStalls = 256;

}  // namespace

Cluster::Cluster(Worker& first, Launch& launch, unsigned number) : first_(first), launch_(launch) {
  const unsigned count = unsigned(volume(launch.config.cluster));
  for (unsigned at = number * count; at < (number + 1) * count; ++at) {
    blocks_.push_back(at == 0 ? &first : &first.other(at - 1));
  }
  for (unsigned rank = count; rank-- > 0;) {
    blocks_[rank]->begin(launch, *this, rank);
  }
}

Cluster::~Cluster() {
  turn_to(0);
  for (Worker* block : blocks_) {
    block->end();
  }
}

void Cluster::turn_to(unsigned rank) {
  if (rank == turn_) {
    return;
  }
  leave();
  turn_ = rank;
  enter();
}

void Cluster::leave() {
  blocks_[turn_]->observer().end_turn();
}

void Cluster::enter() {
  first_.set_turn(*blocks_[turn_]);
  blocks_[turn_]->begin_turn();
  blocks_[turn_]->observer().begin_turn();
}

void Cluster::run(uint64_t number) {
  begin(number);
  while (run_round()) {
  }
  end();
}

void Cluster::begin(uint64_t number) {
  const dim3 grid = launch_.config.grid, extent = launch_.config.cluster;
  const uint3 at = unflatten(number, {grid.x / extent.x, grid.y / extent.y, grid.z / extent.z});
  stalls_ = 0;
  over_ = gave_up_ = false;
  for (unsigned rank = 0; rank < size(); ++rank) {
    const uint3 in = unflatten(rank, extent);
    turn_to(rank);
    blocks_[rank]->begin_block(
        flatten({at.x * extent.x + in.x, at.y * extent.y + in.y, at.z * extent.z + in.z}, grid));
  }
}

void Cluster::end() {
  for (unsigned rank = 0; rank < size(); ++rank) {
    turn_to(rank);
    blocks_[rank]->end_block();
  }
  over_ = true;
}

void Cluster::run_turn() {
  while (run_round()) {
  }
  const bool waits = std::any_of(blocks_.begin(), blocks_.end(), [](const Worker* block) {
    return block->is_waiting() || block->waits_for_others();
  });
  if (!gave_up_ && !waits) {
    end();
  }
}

// Runs each block once. False when all blocks have ended, or none can continue.
bool Cluster::run_round() {
  bool waiting = false;
  for (unsigned rank = 0; rank < size(); ++rank) {
    turn_to(rank);
    waiting = blocks_[rank]->run() || waiting;
    if (!blocks_[rank]->finished()) {
      give_up();
      return false;
    }
  }
  return waiting && resolve_waits();
}

// All blocks have stopped, and some wait. Ends waits whose condition holds. Otherwise completes asynchronous copies,
// and then lets polling threads run again. False if nothing helps.
bool Cluster::resolve_waits() {
  const bool cooperative = launch_.config.cooperative;
  const auto can_continue = [cooperative](const Worker* block) {
    return block->can_continue() || (block->waits_for_others() && !cooperative);
  };
  if (std::any_of(blocks_.begin(), blocks_.end(), can_continue)) {
    stalls_ = 0;
    return true;
  }
  for (unsigned rank = 0; rank < size(); ++rank) {
    turn_to(rank);
    blocks_[rank]->observer().advance();
  }
  if (std::any_of(blocks_.begin(), blocks_.end(), can_continue)) {
    stalls_ = 0;
    return true;
  }
  const auto needs_others = [](const Worker* block) {
    return block->is_at_grid() || block->waits_for_others();
  };
  if (cooperative && std::any_of(blocks_.begin(), blocks_.end(), needs_others)) {
    return false;
  }
  const bool polling = std::any_of(blocks_.begin(), blocks_.end(),
                                   [](const Worker* block) { return block->is_polling(); });
  if (!polling || ++stalls_ > kMostStalls) {
    report_stall();
    give_up();
    return false;
  }
  for (unsigned rank = 0; rank < size(); ++rank) {
    turn_to(rank);
    blocks_[rank]->poll_again();
  }
  return true;
}

// Reports a polling thread rather than one at a barrier: the latter often waits for the former.
void Cluster::report_stall() {
  unsigned first = size();
  for (unsigned rank = size(); rank-- > 0;) {
    if (blocks_[rank]->is_waiting() &&
        (first == size() || blocks_[rank]->is_polling() || !blocks_[first]->is_polling())) {
      first = rank;
    }
  }
  turn_to(first);
  blocks_[first]->observer().stalled();
}

void Cluster::give_up() {
  gave_up_ = true;
  for (Worker* block : blocks_) {
    block->give_up();
  }
}

}  // namespace simt
