// One OS thread that runs blocks, and the threads of the block that it runs now.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "execution/fiber.h"
#include "execution/launch_state.h"
#include "execution/observer.h"
#include "execution/thread.h"

namespace simt {

struct StoppedBlock;
class Cluster;

// Runs for all lanes at once: arguments[lane] is null for a lane outside the mask.
using WarpFunction = void (*)(void* const arguments[32]);

class Worker {
 public:
  // Makes the observer of a worker.
  using Observe = std::unique_ptr<Observer> (*)(Worker&);

  explicit Worker(Observe observe) : observe_(observe), observer_(observe(*this)), turn_(this) {}

  // Of a block of this process, up to now.
  static unsigned most_threads();

  // This OS thread's worker while it runs a launch, else null.
  static Worker* current();

  // One block of a cluster at a time: see cluster.h.
  void begin(Launch& launch, Cluster& cluster, unsigned rank);
  void begin_block(uint64_t block);
  // Runs until no thread of the block can continue by itself. Returns false if the block has ended.
  bool run();
  void end_block();
  void end();
  bool can_go_on() const;  // a wait of a thread can end now
  // Threads that poll for the end of a phase poll again.
  void look_again();
  void give_up() { abandoned_ = true; }
  void begin_turn();
  // A worker of the same OS thread, for another block of its clusters.
  Worker& other(unsigned number);
  // The first worker of an OS thread: whose turn it is.
  void set_turn(Worker& worker) { turn_ = &worker; }

  // Called by the thread that runs now.
  void barrier(const RawPlace& stop);
  // The same, and how many threads of the block brought a predicate that holds.
  unsigned barrier_count(bool predicate, const RawPlace& stop);
  // Waits until *phase is no longer number, or no thread can continue. Returns whether the phase is over.
  bool wait_phase(const uint32_t* phase, uint32_t number, const RawPlace& stop, bool polls = true);
  void warp_op(WarpOp op, unsigned mask, const RawPlace& stop, void* argument,
               WarpFunction function);
  // The lanes of its warp that stand at the same place when none can go on otherwise.
  unsigned active_mask(const RawPlace& stop);
  void pause();  // lets the other lanes run
  void print(const std::string& text);  // for printed()
  bool may_print();  // false if the block's output is full
  // A fault has stopped the running thread: keeps it for fault(), and returns where its stack begins.
  char* note(Fault fault);
  [[noreturn]] void fault();
  [[noreturn]] void abandon();  // gives up this block; an error has been reported

  Launch& launch() const { return *launch_; }
  Observer& observer() { return *observer_; }
  Thread& running() { return *running_; }
  Thread& thread(unsigned id) { return threads_[id]; }
  Cluster& cluster() const { return *cluster_; }
  unsigned rank() const { return rank_; }  // of its block in the cluster
  bool finished() const { return !abandoned_; }  // of a block that has ended: all have exited
  bool is_waiting() const;  // for a phase
  bool is_looking() const;  // whether one is over
  // In a cooperative launch: a thread, and all threads, wait for those of all blocks.
  void wait_for_grid(const RawPlace& stop);
  bool is_at_grid() const;
  bool all_at_grid() const;
  void pass_grid();
  bool waits_for_others() const { return waiting_warps_ != 0; }  // for values that they write
  bool in_kernel() const { return running_ != nullptr; }
  unsigned lane() const { return running_->id % 32; }
  unsigned thread_count() const { return thread_count_; }
  unsigned warp_size_of(unsigned warp) const;  // lanes that exist
  // Changes while a checked kernel makes progress; 0 for others and between launches.
  uint64_t heartbeat() const;
  uint64_t barriers() const { return barriers_; }
  // What the kernel printed in this launch, by block.
  const std::map<uint64_t, std::string>& printed() const { return printed_; }
  uint64_t block() const { return block_; }
  uint3 block_index() const { return block_index_; }
  const Stacks& stacks() const { return stacks_; }
  void* dynamic_shared() const;

 private:
  static void thread_main(boost::context::detail::transfer_t from);
  void resume(Thread& thread);
  void yield();
  void run_warp(unsigned warp);
  StoppedBlock stopped() const;
  void check_warp(unsigned warp);
  bool tell_active(unsigned warp);
  bool is_ready(unsigned warp) const;
  bool next_round();
  bool wait_for_others();
  void note_threads() const;
  bool end_waits();
  bool check_barrier();
  void start_threads();

  Stacks stacks_;
  std::vector<Thread> threads_;
  Observe observe_;
  std::unique_ptr<Observer> observer_;
  std::vector<std::unique_ptr<Worker>> others_;
  std::atomic<const Worker*> turn_;
  Cluster* cluster_ = nullptr;
  unsigned rank_ = 0;
  Context scheduler_ = nullptr;
  Thread* running_ = nullptr;
  Launch* launch_ = nullptr;
  unsigned thread_count_ = 0;
  uint64_t block_ = 0;
  uint64_t barriers_ = 0;  // of this launch
  unsigned votes_ = 0, votes_passed_ = 0;  // of barrier_count(): at the next barrier, at the last
  uint64_t waiting_warps_ = 0;  // left in this round because they only wait: see rounds.cpp
  uint64_t idle_ = 0, steps_seen_ = 0;
  std::map<uint64_t, std::string> printed_;
  uint3 block_index_{};
  bool abandoned_ = false;
  Fault fault_;
};

}  // namespace simt
