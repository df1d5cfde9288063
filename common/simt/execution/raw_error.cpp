#include "common/simt/execution/raw_error.h"

#include <utility>

namespace simt {

bool ErrorList::is_new(ErrorKind kind, const RawPlace& here, const RawPlace& other, bool note) {
  ++sequence_;
  const auto found = known_.find(Key(kind, here, other, note));
  if (found == known_.end()) {
    return true;
  }
  ++errors_[found->second].count;
  return false;
}

void ErrorList::add(RawError error) {
  error.sequence = sequence_;
  known_[Key(error.kind, error.here.place, error.other.place, error.note)] = errors_.size();
  errors_.push_back(std::move(error));
}

void ErrorList::clear() {
  known_.clear();
  errors_.clear();
  sequence_ = 0;
}

}  // namespace simt
