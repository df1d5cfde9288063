#include "execution/raw_error.h"

#include <utility>

namespace simt {

std::string short_path(const std::string& file) {
  const size_t slash = file.rfind('/');
  const size_t before =
      slash == std::string::npos || slash == 0 ? slash : file.rfind('/', slash - 1);
  return slash == std::string::npos || before == std::string::npos ? file : file.substr(before + 1);
}

bool ErrorList::is_new(ErrorKind kind, const RawPlace& here, const RawPlace& other, bool note) {
  ++sequence_;
  const auto found = known_.find(Key(kind, here, other, note));
  if (found == known_.end()) {
    return true;
  }
  ++errors_[found->second].count;
  return false;
}

bool ErrorList::has_many(ErrorKind kind, const RawPlace& here, const RawPlace& other) {
  constexpr uint64_t kMany = 64;
  for (const Key& key : {Key(kind, here, other, false), Key(kind, other, here, false)}) {
    const auto found = known_.find(key);
    if (found != known_.end() && errors_[found->second].count >= kMany) {
      ++sequence_;
      ++errors_[found->second].count;
      return true;
    }
  }
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
