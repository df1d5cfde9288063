// The observer of a worker's threads, which the recorder implements.
#pragma once
#include <cstdint>

#include "execution/raw_error.h"
#include "execution/thread.h"

namespace simt {

// One for each worker, called by that worker's OS thread, if not said otherwise.
class Observer {
 public:
  virtual ~Observer() = default;

  virtual void begin_launch() = 0;
  virtual void begin_block() = 0;
  virtual void end_block() = 0;
  virtual void drop_block() = 0;  // after end_block(), where an error has ended the block
  // Another block of the cluster gets the turn, and its shared memory replaces this block's; and back.
  virtual void end_turn() = 0;
  virtual void begin_turn() = 0;
  // All threads of the block have reached a barrier. Returns false if the block is abandoned: see errors().
  virtual bool end_barrier() = 0;

  // The threads of the block have stopped, and some wait for phases: the same.
  virtual bool end_phases() = 0;
  // No thread of the cluster can continue: completes asynchronous copies.
  virtual void advance() = 0;
  // The threads wait forever: reports it.
  virtual void stalled() = 0;

  // Before and after a thread runs.
  virtual void enter(Thread& thread) = 0;
  virtual void leave(Thread& thread) = 0;

  // All lanes of a warp that can still run have called Worker::pause(): makes room in their logs. Returns true if they
  // only poll for a value that another thread writes.
  virtual bool drain(unsigned warp) = 0;
  // No thread writes it: reports this thread.
  virtual void waits_for_ever(unsigned thread) = 0;
  virtual bool can_resume(const Thread& thread) = 0;
  // All lanes of a warp wait at a barrier or have exited.
  virtual void flush(unsigned warp) = 0;

  // The running thread has caused a fault and will not continue.
  virtual void fault(const Fault& fault) = 0;

  // Errors of this launch; the worker adds those of threads that do not meet.
  virtual ErrorList& errors() = 0;
  // Return address of the thread's last access to memory, or null.
  virtual const void* last_access(unsigned thread) const = 0;
  // Changes while a checked kernel makes progress; 0 where that is not known. For any OS thread.
  virtual uint64_t heartbeat() const = 0;
};

}  // namespace simt
