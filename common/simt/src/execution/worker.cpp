#include "execution/worker.h"

#include <algorithm>
#include <csignal>

#include "execution/divergence.h"

namespace simt {

// The runtime's view of the built-in variables, without const.
__thread uint3 thread_index __asm__("threadIdx");
__thread uint3 block_index __asm__("blockIdx");
__thread uint3 block_extent __asm__("blockDim");
__thread uint3 grid_extent __asm__("gridDim");

namespace {

thread_local Worker* current_worker = nullptr;

// Dynamic shared memory of this OS thread's block. It is in the TLS segment like the static arrays, so one range check
// covers both.
alignas(1024) thread_local char dynamic_memory[kSharedLimit];

}  // namespace

Worker* Worker::current() {
  return current_worker;
}

__attribute__((no_sanitize("thread"))) uint64_t Worker::heartbeat() const {
  return launch_ != nullptr ? turn_.load()->observer_->heartbeat() : 0;
}

Worker& Worker::other(unsigned number) {
  while (others_.size() <= number) {
    others_.push_back(std::make_unique<Worker>(observe_));
  }
  return *others_[number];
}

void* Worker::dynamic_shared() const {
  return dynamic_memory;
}

unsigned Worker::warp_size_of(unsigned warp) const {
  const unsigned rest = thread_count_ - warp * 32;
  return rest < 32 ? rest : 32;
}

void Worker::begin(Launch& launch, Cluster& cluster, unsigned rank) {
  launch_ = &launch;
  cluster_ = &cluster;
  rank_ = rank;
  barriers_ = 0;
  printed_.clear();
  const dim3 block = launch.config.block;
  thread_count_ = block.x * block.y * block.z;
  note_threads();
  if (threads_.size() < thread_count_) {
    // New stacks: no context of an old stack may be resumed.
    stacks_.reserve(thread_count_);
    threads_.assign(thread_count_, Thread());
  }
  for (unsigned i = 0; i < thread_count_; ++i) {
    threads_[i].id = uint16_t(i);
    threads_[i].index = unflatten(i, block);
  }
  block_extent = {block.x, block.y, block.z};
  grid_extent = {launch.config.grid.x, launch.config.grid.y, launch.config.grid.z};
  current_worker = this;
  observer_->begin_launch();
}

void Worker::end() {
  current_worker = nullptr;
  launch_ = nullptr;
}

void Worker::start_threads() {
  for (unsigned i = 0; i < thread_count_; ++i) {
    Thread& thread = threads_[i];
    if (!thread.alive) {
      thread.context =
          boost::context::detail::make_fcontext(stacks_.top(i), kStackBytes, thread_main);
      thread.alive = true;
    }
    thread.state = Thread::Ready;
    thread.stop = RawPlace();
    thread.op = WarpOp::None;
    thread.retries = false;
  }
}

// A fiber's entry: it runs the kernel once for each block.
void Worker::thread_main(boost::context::detail::transfer_t from) {
  Worker* worker = static_cast<Worker*>(from.data);
  worker->scheduler_ = from.fctx;
  for (;;) {
    worker->launch_->thread(worker->launch_->arguments);
    worker->running_->state = Thread::Done;
    worker->yield();
  }
}

void Worker::resume(Thread& thread) {
  running_ = &thread;
  thread_index = thread.index;
  observer_->enter(thread);
  const auto back = boost::context::detail::jump_fcontext(thread.context, this);
  observer_->leave(thread);
  thread.context = back.fctx;
  running_ = nullptr;
}

void Worker::yield() {
  const auto back = boost::context::detail::jump_fcontext(scheduler_, nullptr);
  scheduler_ = back.fctx;
}

void Worker::exit_thread() {
  running_->state = Thread::Done;
  running_->alive = false;  // its stack is within the kernel: the next block starts it again
  yield();
  __builtin_unreachable();
}

void Worker::begin_block(uint64_t block) {
  block_ = block;
  block_index_ = unflatten(block, launch_->config.grid);
  simt::block_index = block_index_;
  abandoned_ = false;
  idle_ = waiting_warps_ = votes_ = 0;
  start_threads();
  observer_->begin_block();
}

void Worker::begin_turn() {
  current_worker = this;
  simt::block_index = block_index_;
}

bool Worker::run() {
  do {
    waiting_warps_ = 0;
    for (unsigned warp = 0; warp * 32 < thread_count_ && !abandoned_; ++warp) {
      if (is_ready(warp)) {
        run_warp(warp);
      }
    }
  } while (!abandoned_ && (waiting_warps_ == 0 ? next_round() : wait_for_others()));
  return !abandoned_ && (is_waiting() || waits_for_others());
}

void Worker::end_block() {
  observer_->end_block();
  if (abandoned_) {
    // Abandon stacks within a kernel. The next block starts them again.
    for (unsigned i = 0; i < thread_count_; ++i) {
      threads_[i].alive = threads_[i].alive && threads_[i].state == Thread::Done;
    }
    observer_->drop_block();
  }
}

bool Worker::is_ready(unsigned warp) const {
  const Thread* const lanes = &threads_[size_t(warp) * 32];
  return std::any_of(lanes, lanes + warp_size_of(warp),
                     [](const Thread& thread) { return thread.state == Thread::Ready; });
}

// Runs the lanes of a warp, lowest first, until each has exited or waits at a barrier or for a phase, or until all
// others only poll for values that another thread must write.
void Worker::run_warp(unsigned warp) {
  Thread* const lanes = &threads_[size_t(warp) * 32];
  const unsigned count = warp_size_of(warp);
  for (bool progress = true; progress;) {
    progress = false;
    bool paused = false;
    for (unsigned lane = 0; lane < count; ++lane) {
      if (lanes[lane].state == Thread::Ready) {
        resume(lanes[lane]);
        progress = true;
        if (abandoned_) {
          return;
        }
      }
      paused = paused || lanes[lane].state == Thread::Paused;
    }
    if (paused && !progress) {
      const bool waits = observer_->drain(warp);
      for (unsigned lane = 0; lane < count; ++lane) {
        if (lanes[lane].state == Thread::Paused && observer_->can_resume(lanes[lane])) {
          lanes[lane].state = Thread::Ready;
        }
      }
      progress = true;
      if (waits) {
        ++waiting_warps_;
        observer_->flush(warp);
        return;
      }
      ++launch_->steps;
    }
    progress = progress || retry_warp_op(warp) || form_active_mask(warp);
  }
  ++launch_->steps;
  check_warp(warp);
  if (!abandoned_) {
    observer_->flush(warp);
  }
}

StoppedBlock Worker::stopped() const {
  return {threads_.data(), thread_count_, block_, barriers_, *observer_};
}

// No lane can continue. A lane at a warp operation waits forever, unless another lane waits for a phase.
void Worker::check_warp(unsigned warp) {
  for (unsigned lane = 0; lane < warp_size_of(warp); ++lane) {
    if (threads_[warp * 32 + lane].state == Thread::AtPhase) {
      return;
    }
  }
  for (unsigned lane = 0; lane < warp_size_of(warp); ++lane) {
    if (threads_[warp * 32 + lane].state == Thread::AtWarpOp) {
      report_warp_divergence(stopped(), warp, lane);
      abandoned_ = true;
      return;
    }
  }
}

void Worker::pause() {
  running_->state = Thread::Paused;
  yield();
}

void Worker::print(const std::string& text) {
  printed_[block_] += text;
}

bool Worker::may_print() {
  return printed_[block_].size() < kMostPrinted;
}

char* Worker::note(Fault fault) {
  char* const top = stacks_.top(running_->id);
  const uintptr_t below = reinterpret_cast<uintptr_t>(top) - fault.address;
  fault.overflow = fault.signal == SIGSEGV && below >= kStackBytes && below < kStackStep;
  fault_ = fault;
  return top;
}

void Worker::fault() {
  observer_->fault(fault_);
  abandon();
}

void Worker::abandon() {
  abandoned_ = true;
  running_->alive = false;
  running_->state = Thread::Done;
  yield();
  __builtin_unreachable();
}

// True if all lanes of the mask have come to the operation of `self` or have exited before.
bool Worker::all_arrived(const Thread& self) const {
  const unsigned warp = self.id / 32;
  for (unsigned lane = warp_size_of(warp); lane-- > 0;) {
    const Thread& other = threads_[warp * 32 + lane];
    const bool arrived =
        other.state == Thread::AtWarpOp && other.op == self.op && other.mask == self.mask;
    if ((self.mask >> lane & 1) != 0 && !arrived && !has_left(other, self)) {
      return false;
    }
  }
  return true;
}

// CUDA expects only those lanes of a mask that have not exited. A lane that exits behind the operation without calling
// it is missing all the same. Its last access shows where it has been.
bool Worker::has_left(const Thread& other, const Thread& self) const {
  const bool may_leave = self.op >= WarpOp::Sync && self.op <= WarpOp::Reduce;
  return may_leave && other.state == Thread::Done &&
         observer_->last_access(other.id) < self.stop.call;
}

// Lets a lane execute its operation if the lanes that it waited for have exited. False if there is none.
bool Worker::retry_warp_op(unsigned warp) {
  for (unsigned lane = 0; lane < warp_size_of(warp); ++lane) {
    Thread& thread = threads_[warp * 32 + lane];
    const bool waits = thread.state == Thread::AtWarpOp && thread.op != WarpOp::Active;
    if (waits && all_arrived(thread)) {
      thread.state = Thread::Ready;
      thread.retries = true;
      return true;
    }
  }
  return false;
}

void Worker::need_lane(unsigned lane) {
  const unsigned warp = running_->id / 32;
  if (warp * 32 + lane < thread_count_ && (running_->mask >> lane & 1) != 0) {
    report_warp_divergence(stopped(), warp, running_->id % 32);
    abandon();
  }
}

void Worker::warp_op(WarpOp op, unsigned mask, const RawPlace& stop, void* argument,
                     WarpFunction function) {
  Thread& self = *running_;
  const unsigned warp = self.id / 32;
  const unsigned size = warp_size_of(warp);
  const unsigned existing = size == 32 ? ~0u : (1u << size) - 1;
  if ((mask >> self.id % 32 & 1) == 0) {
    report_bad_mask(stopped(), self.id, op, mask, stop);
    abandon();
  }
  self.state = Thread::AtWarpOp;
  self.stop = stop;
  self.op = op;
  self.mask = mask;
  self.argument = argument;
  // The last lane to arrive executes the operation for all. It is usually the one with the highest number.
  while (!all_arrived(self)) {
    yield();
    if (!self.retries) {
      return;
    }
    self.retries = false;
    self.state = Thread::AtWarpOp;
  }
  void* arguments[32] = {};
  for (unsigned lane = 0; lane < size; ++lane) {
    const Thread& other = threads_[warp * 32 + lane];
    if ((mask >> lane & 1) != 0 && other.state == Thread::AtWarpOp)
      arguments[lane] = other.argument;
  }
  // Lanes that do not exist cannot arrive. A fragment is undefined without them.
  if (op >= WarpOp::MatrixLoad && existing != mask) {
    report_bad_mask(stopped(), self.id, op, existing, stop);
    abandon();
  }
  function(arguments);
  for (unsigned lane = 0; lane < size; ++lane) {
    Thread& other = threads_[warp * 32 + lane];
    if ((mask >> lane & 1) != 0 && other.state == Thread::AtWarpOp) {
      other.state = Thread::Ready;
    }
  }
}

}  // namespace simt
