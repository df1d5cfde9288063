// The interface through which a worker reports what its threads do. Recorder implements it.
#pragma once
#include <cstdint>

#include "execution/raw_error.h"
#include "execution/thread.h"

namespace simt {

// One for each worker. That worker's OS thread calls it, unless stated otherwise.
class Observer {
 public:
  virtual ~Observer() = default;

  virtual void begin_launch() = 0;
  virtual void begin_block() = 0;
  virtual void end_block() = 0;
  virtual void drop_block() = 0;  // after end_block(), if an error ended the block
  // The turn passes to another block of the cluster, whose shared memory replaces this block's, and back.
  virtual void end_turn() = 0;
  virtual void begin_turn() = 0;
  // All threads of the block have reached a barrier. False if an error abandons the block: see errors().
  virtual bool end_barrier() = 0;

  // The same for a block whose threads have stopped and some of which wait for phases.
  virtual bool end_phases() = 0;
  // Completes asynchronous copies, because no thread of the cluster can continue.
  virtual void advance() = 0;
  // Reports that the threads wait forever.
  virtual void stalled() = 0;

  // Before and after a thread runs.
  virtual void enter(Thread& thread) = 0;
  virtual void leave(Thread& thread) = 0;

  // Makes room in the logs of a warp whose runnable lanes have all called Worker::pause(). True if they only poll for a
  // value that another thread must write.
  virtual bool drain(unsigned warp) = 0;
  // Reports this thread, because no thread writes the value that it polls for.
  virtual void waits_for_ever(unsigned thread) = 0;
  // True if the thread's log has room again.
  virtual bool can_resume(const Thread& thread) = 0;
  // Called when all lanes of a warp wait at a barrier or have exited.
  virtual void flush(unsigned warp) = 0;

  // Reports a fault of the running thread, which will not continue.
  virtual void fault(const Fault& fault) = 0;

  // Errors of this launch. The worker adds those of threads that do not meet.
  virtual ErrorList& errors() = 0;
  // Returns the return address of the thread's last memory access, or null.
  virtual const void* last_access(unsigned thread) const = 0;
  // Whether the thread has jumped back, as in a loop, since the last __syncthreads().
  virtual bool has_jumped(unsigned thread) const = 0;
  // Changes while a checked kernel makes progress; 0 if progress is not tracked. Any OS thread may call it.
  virtual uint64_t heartbeat() const = 0;
};

}  // namespace simt
