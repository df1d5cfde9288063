// Runs one block at a time: its threads, warps, barriers and warp operations.
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

// An operation of all lanes. arguments[lane] is null for a lane outside the mask.
using WarpFunction = void (*)(void* const arguments[32]);

class Worker {
 public:
  // Creates a worker's observer.
  using Observe = std::unique_ptr<Observer> (*)(Worker&);

  explicit Worker(Observe observe) : observe_(observe), observer_(observe(*this)), turn_(this) {}

  // Returns the size of the largest block that this process has run.
  static unsigned most_threads();

  // Returns this OS thread's worker while it runs a launch, else null.
  static Worker* current();

  // Steps of a block, which Cluster calls.
  void begin(Launch& launch, Cluster& cluster, unsigned rank);
  void begin_block(uint64_t block);
  // Runs until no thread of the block can continue by itself. False if the block has ended.
  bool run();
  void end_block();
  void end();
  bool can_continue() const;  // the condition of some thread's wait holds
  // Lets threads that poll for a phase run again.
  void poll_again();
  void give_up() { abandoned_ = true; }
  void begin_turn();
  // Returns a worker of the same OS thread for another block of the cluster. Creates it on first use.
  Worker& other(unsigned number);
  // Called on the first worker of an OS thread: sets the worker whose turn it is.
  void set_turn(Worker& worker) { turn_ = &worker; }

  // Operations of the running thread.
  void barrier(const RawPlace& stop);
  // A barrier that returns the number of threads with a true predicate.
  unsigned barrier_count(bool predicate, const RawPlace& stop);
  // Waits until *phase != number, or until no thread can continue. True if *phase != number.
  bool wait_phase(const uint32_t* phase, uint32_t number, const RawPlace& stop, bool polls = true);
  void warp_op(WarpOp op, unsigned mask, const RawPlace& stop, void* argument,
               WarpFunction function);
  // Called while a warp_op() executes, if its result needs an argument of a lane that has none. Reports the lane if the
  // mask has it: it has exited.
  void need_lane(unsigned lane);
  // Returns the mask of lanes that wait in the same line when no lane can continue otherwise.
  unsigned active_mask(const RawPlace& stop);
  void pause();  // suspends the lane, so that others run
  void print(const std::string& text);  // appends to printed()
  bool may_print();  // false if the block's output is full
  // Records a fault of the running thread for fault(). Returns the top of its stack.
  char* note(Fault fault);
  [[noreturn]] void fault();
  [[noreturn]] void abandon();  // ends the block after an error was reported
  [[noreturn]] void exit_thread();  // ends the running thread where it is

  Launch& launch() const { return *launch_; }
  Observer& observer() { return *observer_; }
  Thread& running() { return *running_; }
  Thread& thread(unsigned id) { return threads_[id]; }
  Cluster& cluster() const { return *cluster_; }
  unsigned rank() const { return rank_; }  // of the block in its cluster
  bool finished() const { return !abandoned_; }  // after the block ended: all threads have exited
  bool is_waiting() const;  // a thread waits for a phase
  bool is_polling() const;  // a thread polls for a phase
  // The grid's barrier of a cooperative launch: waits at it; some thread waits; all threads wait; all continue.
  void wait_for_grid(const RawPlace& stop);
  bool is_at_grid() const;
  bool all_at_grid() const;
  void pass_grid();
  // A warp polls for a value that another thread must write.
  bool waits_for_others() const { return waiting_warps_ != 0; }
  bool in_kernel() const { return running_ != nullptr; }
  unsigned lane() const { return running_->id % 32; }
  unsigned thread_count() const { return thread_count_; }
  unsigned warp_size_of(unsigned warp) const;  // lanes that exist
  // Changes while a checked kernel makes progress; 0 for other kernels and between launches.
  uint64_t heartbeat() const;
  uint64_t barriers() const { return barriers_; }
  // Returns the kernel's printf() output of this launch, by block.
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
  bool all_arrived(const Thread& self) const;
  bool has_left(const Thread& other, const Thread& self) const;
  bool retry_warp_op(unsigned warp);
  bool form_active_mask(unsigned warp);
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
  uint64_t barriers_ = 0;  // in this launch
  unsigned votes_ = 0, votes_passed_ = 0;  // barrier_count(): of the next barrier, of the last one
  uint64_t waiting_warps_ = 0;  // warps that only poll in this round: see rounds.cpp
  uint64_t idle_ = 0, steps_seen_ = 0;
  std::map<uint64_t, std::string> printed_;
  uint3 block_index_{};
  bool abandoned_ = false;
  Fault fault_;
};

}  // namespace simt
