// Accesses to a block's shared memory by threads of other blocks of its cluster.
#pragma once
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "execution/execution.h"
#include "races/happens_before.h"

namespace simt {

struct RemoteAccess {
  uint32_t party, epoch;  // see Space; the epoch is one of the accessing block
  uint32_t site;
  bool atomic;
  unsigned thread;
  uint64_t block;

  bool happens_before(const ThreadView& now) const {
    return party == now.party || (now.cluster_clock != nullptr && epoch < now.cluster_clock[party]);
  }
};

class RemoteAccesses {
 public:
  // The last write of the word at that offset; null if there is none.
  const RemoteAccess* write(size_t offset) const {
    const auto found = writes_.find(offset / 4);
    return found == writes_.end() ? nullptr : &found->second;
  }
  void add_write(size_t offset, const RemoteAccess& access) { writes_[offset / 4] = access; }
  // Each thread's last read of the word at that offset since its last write.
  std::vector<RemoteAccess>& reads(size_t offset) { return reads_[offset / 4]; }
  // Calls use(offset) for each word, then forgets all.
  template <typename Use>
  void end_block(Use use) {
    for (const auto& [word, access] : writes_) use(word * 4);
    for (const auto& [word, accesses] : reads_) use(word * 4);
    writes_.clear();
    reads_.clear();
  }

 private:
  std::unordered_map<size_t, RemoteAccess> writes_;
  std::unordered_map<size_t, std::vector<RemoteAccess>> reads_;
};

}  // namespace simt
