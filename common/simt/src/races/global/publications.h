// Finds data that a block publishes by a flag or a counter without a __threadfence() between the two stores:
//
//   writer: data = 7; flag = 1;     reader: while (flag == 0) {} use(data);
//
// On a GPU the reader can see the flag and the old data. This class follows only words of global memory that are
// volatile or that atomic operations update. It judges the order of accesses and fences of this run.
#pragma once
#include <cstdint>
#include <unordered_map>

#include "races/findings.h"

namespace simt {

class Publications {
 public:
  Publications(Worker& worker, Findings& findings) : worker_(worker), findings_(findings) {}

  // Call it between launches, and when all blocks of a cooperative launch have met.
  static void forget_all();
  void begin_block();
  // The running thread executes a fence, which counts for its whole block. Returns whether the block has seen a flag or
  // counter before that another block set behind a fence: what it does now follows what that block did.
  bool fence() {
    ++fences_;
    return follows_;
  }
  // The running thread accesses a word, at the return address pc.
  void load(uintptr_t address, unsigned size, const void* pc);
  void store(uintptr_t address, const void* pc);
  void update(uintptr_t address);

  // The host reads a word by a volatile access, or by an atomic operation that acquires. If the last block that stored the
  // word had executed a fence before, calls what when_host_acquires() was given, which may be null, with the number of
  // that block's launch in StreamOrder.
  static void acquire_by_host(const volatile void* pointer);
  static void when_host_acquires(void (*call)(uint64_t launch));

  // A block's progress: its stores to such words, and its fences.
  struct Position {
    uint32_t stores = 0, fences = 0;
  };

 private:
  struct Word;
  void observe(const Word& word);
  void publish_for_host(uintptr_t address);
  bool is_ordered(const Word& word) const;

  uint32_t stores_ = 0, fences_ = 0;
  bool follows_ = false;
  std::unordered_map<uint64_t, Position>
      observed_;  // the last publication of each other block that this one has seen
  Worker& worker_;
  Findings& findings_;
};

}  // namespace simt
