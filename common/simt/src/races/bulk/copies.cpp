#include "races/bulk/copies.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "races/races.h"

namespace simt {

void Copies::end_block() {
  for (Pipeline& pipeline : pipelines_) {
    for (size_t c = pipeline.done; c < pipeline.copies.size(); ++c) {
      shared_.drop_copy(shared_.offset(pipeline.copies[c].to), pipeline.copies[c].size);
    }
    pipeline.copies.clear();
    pipeline.done = pipeline.group = pipeline.waited = pipeline.committed = 0;
  }
}

// No byte moves before the wait. A thread that reads too early gets the old bytes and is reported.
void Copies::copy(const ThreadView& now, char* to, const char* from, size_t size, size_t zfill,
                  const RawPlace& place, const void* pc) {
  if ((size != 4 && size != 8 && size != 16) || zfill > size) {
    findings_.report_and_abandon(
        ErrorKind::BadArgument, place,
        "copies " + std::to_string(size) + " bytes asynchronously, " + std::to_string(zfill) +
            " of them zeros; the size must be 4, 8 or 16, and no less than the zeros");
  }
  Pipeline& pipeline = pipelines_[now.thread];
  const Copy copy{to, from, uint8_t(size), uint8_t(zfill), pipeline.group};
  check(now, copy, static_cast<const char*>(pc));
  pipeline.copies.push_back(copy);
}

// Checks the source. The destination stays pending until wait().
uint32_t Copies::check(const ThreadView& now, const Copy& copy, const char* pc) {
  const unsigned size = copy.size, bytes = size - copy.zfill;
  const uint32_t load = Sites::get().number(pc, 0, Access::AsyncLoad, size);
  const uint32_t store = Sites::get().number(pc, 1, Access::AsyncStore, size);
  const uintptr_t from = in_device_memory(reinterpret_cast<uintptr_t>(copy.from));
  if (bytes > 0 && !global_.is_open(from)) {
    global_.begins_early(now, from, Access::AsyncLoad, load);
  }
  if (!shared_.contains(copy.to) || (bytes > 0 && !global_.is_open(from))) {
    const bool own = Recorder::running->is_own(reinterpret_cast<uintptr_t>(copy.to));
    findings_.report_and_abandon(
        ErrorKind::BadArgument, place_of(store),
        std::string("copies asynchronously, but not from global to shared memory") +
            (shared_.contains(copy.from)         ? ": the destination comes first"
             : own && !shared_.contains(copy.to) ? ": the destination is a thread's own variable, "
                                                   "which needs __shared__"
                                                 : ""));
  }
  const size_t to = shared_.offset(copy.to);
  if (to % size != 0) {
    findings_.misaligned(reinterpret_cast<uintptr_t>(copy.to), size, store);
  }
  if (bytes > 0 && from % size != 0) {
    findings_.misaligned(from, size, load);
  }
  const bool reads = bytes > 0 && global_.read(from, bytes, load);
  log_.add(load, false, reads ? global_.offset(from) : kNoAddress);
  shared_.begin_copy(now, to, size, store);
  log_.add(store, true, to);
  if (log_.uses() != nullptr) {
    log_.uses()->copy(pc, from, bytes, to);
  }
  return store;
}

uint32_t Copies::start(const ThreadView& now, char* to, const char* from, size_t size,
                       const RawPlace& place, const void* pc) {
  if (size != 4 && size != 8 && size != 16) {
    findings_.report_and_abandon(
        ErrorKind::BadArgument, place,
        "copies " + std::to_string(size) + " bytes asynchronously; the size must be 4, 8 or 16");
  }
  return check(now, {to, from, uint8_t(size), 0, 0}, static_cast<const char*>(pc));
}

void Copies::commit(const ThreadView& now, const void* pc) {
  log_.note(Access::Commit, pc);
  ++pipelines_[now.thread].group;
}

void Copies::hand_over(const ThreadView& now, uint32_t epoch, uint32_t channel) {
  Pipeline& pipeline = pipelines_[now.thread];
  for (size_t i = pipeline.done; i < pipeline.copies.size(); ++i) {
    const Copy& copy = pipeline.copies[i];
    move(copy);
    shared_.end_bulk(shared_.offset(copy.to), copy.size, epoch, channel);
  }
  pipeline.copies.clear();
  pipeline.done = 0;
}

void Copies::move(const Copy& copy) {
  const size_t bytes = size_t(copy.size) - copy.zfill;
  std::memcpy(copy.to, copy.from, bytes);
  std::memset(copy.to + bytes, 0, copy.zfill);
}

void Copies::wait(const ThreadView& now, size_t prior, const void* pc) {
  log_.note(Access::Wait, pc, prior);
  Pipeline& pipeline = pipelines_[now.thread];
  std::vector<Copy>& copies = pipeline.copies;
  // Copies after the last commit belong to no group yet and are not waited for.
  const uint32_t limit = pipeline.group > prior ? uint32_t(pipeline.group - prior) : 0;
  pipeline.waited = std::max(pipeline.waited, limit);
  pipeline.committed = pipeline.group;
  pipeline.prior = uint32_t(prior);
  const size_t done = pipeline.done;
  while (pipeline.done < copies.size() && copies[pipeline.done].group < limit) {
    const Copy& copy = copies[pipeline.done++];
    move(copy);
    shared_.end_copy(now, shared_.offset(copy.to), copy.size);
  }
  if (log_.uses() != nullptr) {
    log_.uses()->arrive(pc, pipeline.done - done);
  }
  if (pipeline.done == copies.size() || pipeline.done > 256) {
    copies.erase(copies.begin(), copies.begin() + std::ptrdiff_t(pipeline.done));
    pipeline.done = 0;
  }
}

const Copies::Copy* Copies::pending(unsigned copier, size_t offset) const {
  if (copier >= pipelines_.size()) return nullptr;
  const Pipeline& pipeline = pipelines_[copier];
  const auto end = pipeline.copies.rend() - std::ptrdiff_t(pipeline.done);
  const auto at = std::find_if(pipeline.copies.rbegin(), end, [&](const Copy& copy) {
    return offset - shared_.offset(copy.to) < copy.size;
  });
  return at == end ? nullptr : &*at;
}

bool Copies::has_waited(unsigned thread, unsigned copier, size_t offset) const {
  const Copy* const copy = pending(copier, offset);
  return copy != nullptr && copy->group < pipelines_[thread].waited;
}

bool Copies::is_committed(unsigned copier, size_t offset) const {
  const Copy* const copy = pending(copier, offset);
  return copy == nullptr || copy->group < pipelines_[copier].group;
}

std::string Copies::lacks(unsigned copier, size_t offset) const {
  const Copy* const copy = pending(copier, offset);
  if (copy == nullptr) return "";
  const Pipeline& pipeline = pipelines_[copier];
  // The n of a wait that includes the copy's group, if so many groups have been committed.
  const auto needed = [&](uint32_t committed) {
    const uint32_t n = committed - 1 - copy->group;
    return "n = " + std::to_string(n) + (n == 0 ? "" : " or less");
  };
  if (copy->group >= pipeline.committed) {
    return ": no wait has followed the commit of its group; if the buffer is right, it needs one "
           "with " +
           needed(pipeline.group);
  }
  const std::string n = std::to_string(pipeline.prior);
  return ": the last wait has n = " + n + ", so it leaves the newest " +
         (pipeline.prior == 1 ? "group" : n + " groups") +
         " out; if the buffer is right, this copy needs " + needed(pipeline.committed) +
         (pipeline.group == pipeline.committed
              ? ""
              : " there, or another wait here with " + needed(pipeline.group));
}

}  // namespace simt
