// Conflicts of blocks in a cooperative launch: each time when all blocks have met, those until then are looked for, for
// what they are about is soon overwritten.
#include <algorithm>

#include "reports/collect.h"

namespace simt {

void Collector::take_conflicts(Recorder& recorder) {
  const std::vector<Conflict>& conflicts = recorder.global().conflicts();
  conflicts_.insert(conflicts_.end(), conflicts.begin(), conflicts.end());
  const std::vector<ReadConflict>& reads = recorder.races().conflicts();
  read_conflicts_.insert(read_conflicts_.end(), reads.begin(), reads.end());
}

// What an earlier epoch has told, at these places, is told once.
void Collector::find_conflicts() {
  const std::ptrdiff_t before = std::ptrdiff_t(errors_.size());
  add_conflicts();
  add_read_conflicts();
  if (!told_.errors().empty()) {
    const auto is_old = [this](const RawError& e) {
      return !told_.is_new(e.kind, e.here.place, e.other.place, e.note);
    };
    errors_.erase(std::remove_if(errors_.begin() + before, errors_.end(), is_old), errors_.end());
  }
}

void Collector::end_grid_phase(const std::vector<Worker*>& blocks) {
  for (Worker* block : blocks) {
    take_conflicts(static_cast<Recorder&>(block->observer()));
  }
  const size_t before = errors_.size();
  find_conflicts();
  for (size_t i = before; i < errors_.size(); ++i) {
    told_.add(errors_[i]);
  }
  conflicts_.clear();
  read_conflicts_.clear();
}

}  // namespace simt
