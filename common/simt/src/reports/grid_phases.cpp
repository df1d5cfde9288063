// Conflicts of blocks in a cooperative launch. They are looked for each time all blocks have met, before the next phase
// of the grid overwrites their words.
#include <algorithm>

#include "reports/collect.h"

namespace simt {

void Collector::take_conflicts(Recorder& recorder) {
  const std::vector<Conflict>& conflicts = recorder.global().conflicts();
  conflicts_.insert(conflicts_.end(), conflicts.begin(), conflicts.end());
  const std::vector<ReadConflict>& reads = recorder.races().conflicts();
  read_conflicts_.insert(read_conflicts_.end(), reads.begin(), reads.end());
}

// An error that an earlier phase has reported at these places is not reported again.
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
