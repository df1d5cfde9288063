// Selects the errors to report: one for each line, and no consequence of another error.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "reports/collect.h"

namespace simt {
namespace {

// The order of reports, whatever the block. A wrong address depends on no other thread. Threads that do not meet leave
// work undone; uninitialised memory and races follow.
int rank_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::GlobalOutOfBounds:
    case ErrorKind::SharedOutOfBounds:
    case ErrorKind::IndexOutOfBounds:
    case ErrorKind::InvalidAddress:
    case ErrorKind::Misaligned:
    case ErrorKind::OutsideWindow:
    case ErrorKind::HiddenRead:
    case ErrorKind::FailedAssert:
    case ErrorKind::Fault:
      return 0;
    case ErrorKind::BarrierDivergence:
    case ErrorKind::WarpDivergence:
      return 1;
    case ErrorKind::UninitializedShared:
    case ErrorKind::UninitializedGlobal:
    case ErrorKind::UnsetLocal:
      return 2;
    default:
      return 3;
  }
}

enum class Family { kNone, kShared, kGlobal };

Family race_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::SharedRace:
    case ErrorKind::AsyncNotWaited:
      return Family::kShared;
    case ErrorKind::GlobalRace:
    case ErrorKind::BlockConflict:
    case ErrorKind::StreamConflict:
      return Family::kGlobal;
    default:
      return Family::kNone;
  }
}

// Reads of what has no value.
Family unset_of(ErrorKind kind) {
  return kind == ErrorKind::UninitializedShared   ? Family::kShared
         : kind == ErrorKind::UninitializedGlobal ? Family::kGlobal
                                                  : Family::kNone;
}

// Whether a wrong address may have hit memory of that family.
bool leads_into(ErrorKind fault, Family family) {
  switch (fault) {
    case ErrorKind::IndexOutOfBounds:
      return family != Family::kNone;
    case ErrorKind::SharedOutOfBounds:
      return family == Family::kShared;
    case ErrorKind::GlobalOutOfBounds:
    case ErrorKind::OutsideWindow:
      return family == Family::kGlobal;
    default:
      return false;
  }
}

bool same(const Place& a, const Place& b) {
  return a.line == b.line && a.file == b.file;
}

bool touches(const Error& error, const Place& line) {
  return same(error.here.place, line) || (error.has_other && same(error.other.place, line));
}

// Two races between the same two lines, one of which has the roles exchanged.
bool is_exchanged(const Error& a, const Error& b) {
  return same(a.here.place, b.other.place) && same(a.other.place, b.here.place);
}

// The thread that reads in a race of shared memory, and its line; false if none does.
bool reader_of(const FoundError& race, unsigned& thread, Place& line) {
  const bool other = race.raw->other.reads;
  const RawParty& reader = other ? race.raw->other : race.raw->here;
  if (race.error.kind != ErrorKind::SharedRace || !race.raw->in_order || race.error.note ||
      !reader.reads) {
    return false;
  }
  thread = reader.thread;
  line = (other ? race.error.other : race.error.here).place;
  return true;
}

// Whether a race may have made the threads part that do not meet: one of those that the message names reads, and before
// they have parted. That is certain if all have met at a barrier since. If not, the line of the read must come before
// those at which the threads wait, with no loop. A thread that has passed others' barrier reads later.
bool makes_part(const FoundError& race, const FoundError& parted) {
  unsigned reader = 0;
  Place read;
  if (rank_of(parted.error.kind) != 1 || parted.raw->here.block != race.raw->here.block ||
      !reader_of(race, reader, read)) {
    return false;
  }
  const RawError& raw = *parted.raw;
  const bool in_warp = parted.error.kind == ErrorKind::WarpDivergence;
  const bool named = reader == raw.here.thread || (raw.has_other && reader == raw.other.thread) ||
                     (in_warp && reader / 32 == raw.here.thread / 32);
  const auto is_before = [&read](const Place& wait) {
    return wait.file == read.file && read.line < wait.line;
  };
  return named && (race.raw->barriers < raw.barriers ||
                   (race.raw->barriers == raw.barriers && raw.no_loops &&
                    is_before(parted.error.here.place) &&
                    (!raw.other.waits || is_before(parted.error.other.place))));
}

// Whether a wrong address at one of the lines of a race in shared memory may have led to it.
bool follows_from_address(const FoundError& race, const std::vector<FoundError>& all) {
  return std::any_of(all.begin(), all.end(), [&](const FoundError& each) {
    return leads_into(each.error.kind, Family::kShared) &&
           touches(race.error, each.error.here.place);
  });
}

// Whether an error adds nothing to another one, `told`. earlier: whether that one comes earlier.
bool adds_nothing(const FoundError& found, const FoundError& told, bool earlier) {
  const Error &error = found.error, &other = told.error;
  const Family race = race_of(error.kind), unset = unset_of(error.kind);
  const Family family = race != Family::kNone ? race : unset;
  if (family != Family::kNone && rank_of(other.kind) == 1 &&
      told.raw->here.block == found.raw->here.block) {
    return true;  // a consequence of threads that have not met
  }
  if (leads_into(other.kind, family) && touches(error, other.here.place)) {
    return true;
  }
  if (unset != Family::kNone && race_of(other.kind) == unset && !other.note) {
    return touches(other, error.here.place);
  }
  const bool alike = error.kind == other.kind ||
                     (race != Family::kNone && race == race_of(other.kind)) ||
                     rank_of(error.kind) + rank_of(other.kind) == 0;
  if (!alike || (other.note && !error.note)) {
    return false;
  }
  if (found.updates != told.updates && race == race_of(other.kind) &&
      same(error.here.place, other.here.place) && same(error.other.place, other.other.place)) {
    return told.updates;
  }
  const bool stores = found.raw->stored_twice, other_stores = told.raw->stored_twice;
  if (stores != other_stores &&
      (found.raw->element_stored_twice || told.raw->element_stored_twice)) {
    return other_stores && touches(error, other.here.place);
  }
  if (race == Family::kShared && !(found.raw->in_order && told.raw->in_order)) {
    return false;  // each mistake with mbarriers and TMA is reported
  }
  if (race == Family::kShared && error.kind != other.kind &&
      same(error.here.place, other.here.place)) {
    return other.kind == ErrorKind::AsyncNotWaited;  // a barrier does not replace the wait
  }
  earlier = earlier || (error.note && !other.note);
  return earlier && (same(error.here.place, other.here.place) ||
                     (race != Family::kNone && is_exchanged(error, other)));
}

}  // namespace

void sort_by_cause(std::vector<RawError>& errors) {
  // A pointer without a value comes first, too, if the thread uses it next.
  std::set<std::tuple<uint64_t, unsigned, uint64_t>> faults;
  for (const RawError& error : errors) {
    if (error.kind == ErrorKind::InvalidAddress) {
      faults.insert({error.here.block, error.here.thread, error.sequence});
    }
  }
  std::map<uint64_t, uint64_t> early;  // by block: its first read before a wait for a copy
  for (const RawError& error : errors) {
    if (error.kind == ErrorKind::AsyncNotWaited && error.here.reads) {
      uint64_t& first = early.emplace(error.here.block, error.sequence).first->second;
      first = std::min(first, error.sequence);
    }
  }
  const auto rank = [&](const RawError& error) {
    const bool leads = unset_of(error.kind) != Family::kNone &&
                       error.element.bytes == sizeof(void*) &&
                       faults.count({error.here.block, error.here.thread, error.sequence + 1}) != 0;
    // A copy to the buffer of an earlier copy leaves another buffer without a value, unless a missing wait led to it.
    const auto read = early.find(error.here.block);
    const bool overwrites = error.kind == ErrorKind::AsyncNotWaited && error.in_order &&
                            (read == early.end() || error.sequence < read->second);
    return std::make_tuple(leads        ? 0
                           : overwrites ? rank_of(ErrorKind::UninitializedShared)
                                        : rank_of(error.kind),
                           error.here.block, error.sequence);
  };
  std::stable_sort(errors.begin(), errors.end(),
                   [&](const RawError& a, const RawError& b) { return rank(a) < rank(b); });
}

std::vector<FoundError> without_consequences(const std::vector<FoundError>& all) {
  std::vector<FoundError> told;
  for (size_t i = 0; i < all.size(); ++i) {
    bool adds = true;
    for (size_t j = 0; j < all.size() && adds; ++j) {
      adds = i == j || !adds_nothing(all[i], all[j], j < i);
    }
    if (adds) {
      told.push_back(all[i]);
    }
  }
  const auto is_error = [](const FoundError& found) { return !found.error.note; };
  // Threads that do not meet because of a race are its consequence. The race takes their place.
  for (FoundError& error : told) {
    const auto race = std::find_if(all.begin(), all.end(), [&](const FoundError& each) {
      return makes_part(each, error) && !follows_from_address(each, all);
    });
    if (race != all.end()) error = *race;
  }
  if (std::none_of(told.begin(), told.end(), is_error)) {
    // Errors that explain each other in a circle: the first one is reported.
    const auto first = std::find_if(all.begin(), all.end(), is_error);
    told.insert(told.begin(), first, first == all.end() ? first : first + 1);
  }
  return told;
}

}  // namespace simt
