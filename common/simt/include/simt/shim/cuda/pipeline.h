// cuda::pipeline: stages of copies that producers fill and consumers wait for.
#pragma once
#include <cstddef>
#include <cstdint>

#include "simt/api/atomic_functions.h"
#include "simt/shim/cuda/memcpy_async.h"

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace simt {

// Two mbarriers: one completes a phase when the stage is filled, the other when it is free.
struct PipelineStage {
  cuda::barrier<cuda::thread_scope_block> filled, free;
};

}  // namespace simt

namespace cuda {

enum class pipeline_role { producer, consumer };

// The state that the threads of a pipeline share, in shared memory.
template <thread_scope SCOPE, ::std::uint8_t STAGES>
class pipeline_shared_state {
  static_assert(SCOPE == thread_scope_block,
                "the CPU backend has cuda::pipeline_shared_state of thread_scope_block alone");

 public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state&) = delete;
  pipeline_shared_state& operator=(const pipeline_shared_state&) = delete;

  simt::PipelineStage stages[STAGES];
  unsigned producers;  // used while threads name their roles
  unsigned left;  // threads that have not quit
};

template <thread_scope SCOPE>
class pipeline;

// The pipeline of one thread: its own copies (cp.async), in the order of its commits.
template <>
class pipeline<thread_scope_thread> {
 public:
  pipeline() = default;
  pipeline(pipeline&&) = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  __forceinline__ void producer_acquire() {}
  __forceinline__ void producer_commit() {
    simt::pipeline_commit();
    ++committed_;
  }
  // Waits for the oldest group that the thread has not waited for.
  __forceinline__ void consumer_wait() {
    if (waited_ != committed_) {
      simt::pipeline_wait(committed_ - ++waited_);
    }
  }
  __forceinline__ void consumer_release() {}
  // Ignores the time.
  template <typename Time>
  __forceinline__ bool consumer_wait_for(const Time&) {
    consumer_wait();
    return true;
  }
  bool quit() { return true; }
  // Waits for all groups but the last `prior`.
  __forceinline__ void wait_prior(unsigned prior) {
    simt::pipeline_wait(prior);
    waited_ = committed_ - (committed_ - waited_ < prior ? committed_ - waited_ : prior);
  }

 private:
  unsigned committed_ = 0, waited_ = 0;
};

// The pipeline of a block's threads, each a producer, a consumer or both.
template <>
class pipeline<thread_scope_block> {
 public:
  pipeline(simt::PipelineStage* stages, unsigned count, unsigned* left)
      : stages_(stages), left_(left), count_(count) {}
  pipeline(pipeline&& other)
      : stages_(other.stages_),
        left_(other.left_),
        count_(other.count_),
        head_(other.head_),
        tail_(other.tail_),
        head_parity_(other.head_parity_),
        tail_parity_(other.tail_parity_) {
    other.left_ = nullptr;
  }
  ~pipeline() { quit(); }
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  // Waits until consumers have released the next stage to fill.
  __forceinline__ void producer_acquire(SIMT_PLACE) {
    stages_[head_].free.wait_parity(!head_parity_, file, line);
  }
  __forceinline__ void producer_commit(SIMT_PLACE) {
    (void)stages_[head_].filled.arrive(1, file, line);
    advance(head_, head_parity_);
  }
  // Waits until the oldest stage that has not been released is filled.
  __forceinline__ void consumer_wait(SIMT_PLACE) {
    stages_[tail_].filled.wait_parity(tail_parity_, file, line);
  }
  template <typename Time>
  __forceinline__ bool consumer_wait_for(const Time&, SIMT_PLACE) {
    consumer_wait(file, line);
    return true;
  }
  __forceinline__ void consumer_release(SIMT_PLACE) {
    (void)stages_[tail_].free.arrive(1, file, line);
    advance(tail_, tail_parity_);
  }
  // Returns whether this is the last thread to quit. After it, the shared state can serve another pipeline.
  __forceinline__ bool quit() {
    unsigned* const left = left_;
    left_ = nullptr;
    if (left == nullptr || __atomic_fetch_sub(left, 1, __ATOMIC_RELAXED) != 1) {
      return false;
    }
    for (unsigned i = 0; i < count_; ++i) {
      simt::mbarrier_discard(stages_[i].filled.native());
      simt::mbarrier_discard(stages_[i].free.native());
    }
    return true;
  }
  ::std::uint64_t* filling() const { return stages_[head_].filled.native(); }

 private:
  __forceinline__ void advance(unsigned& stage, bool& parity) {
    if (++stage == count_) {
      stage = 0;
      parity = !parity;
    }
  }

  simt::PipelineStage* stages_;
  unsigned* left_;  // null: has quit
  unsigned count_, head_ = 0, tail_ = 0;
  bool head_parity_ = false, tail_parity_ = false;
};

inline pipeline<thread_scope_thread> make_pipeline() {
  return {};
}

}  // namespace cuda

namespace simt {

// The group's first thread initialises the shared state, then the group synchronises.
template <typename Group, cuda::thread_scope SCOPE, std::uint8_t STAGES>
__forceinline__ cuda::pipeline<cuda::thread_scope_block> start_pipeline(
    const Group& group, cuda::pipeline_shared_state<SCOPE, STAGES>* state, size_t producers,
    size_t consumers, const char* file, int line) {
  if (group.thread_rank() == 0) {
    for (auto& stage : state->stages) {
      init(&stage.filled, std::ptrdiff_t(producers), file, line);
      init(&stage.free, std::ptrdiff_t(consumers), file, line);
    }
    __atomic_store_n(&state->left, unsigned(group.size()), __ATOMIC_RELAXED);
  }
  group.sync(file, line);
  return {state->stages, STAGES, &state->left};
}

}  // namespace simt

namespace cuda {

// Each thread is a producer and a consumer.
template <typename Group, thread_scope SCOPE, ::std::uint8_t STAGES>
__forceinline__ pipeline<SCOPE> make_pipeline(const Group& group,
                                              pipeline_shared_state<SCOPE, STAGES>* state,
                                              SIMT_PLACE) {
  return simt::start_pipeline(group, state, group.size(), group.size(), file, line);
}
// The first `producers` threads are producers, the others consumers.
template <typename Group, thread_scope SCOPE, ::std::uint8_t STAGES>
__forceinline__ pipeline<SCOPE> make_pipeline(const Group& group,
                                              pipeline_shared_state<SCOPE, STAGES>* state,
                                              ::std::size_t producers, SIMT_PLACE) {
  return simt::start_pipeline(group, state, producers, group.size() - producers, file, line);
}
// Each thread names its role.
template <typename Group, thread_scope SCOPE, ::std::uint8_t STAGES>
__forceinline__ pipeline<SCOPE> make_pipeline(const Group& group,
                                              pipeline_shared_state<SCOPE, STAGES>* state,
                                              pipeline_role role, SIMT_PLACE) {
  if (group.thread_rank() == 0) {
    state->producers = 0;
  }
  group.sync(file, line);
  if (role == pipeline_role::producer) {
    atomicAdd(&state->producers, 1u);
  }
  group.sync(file, line);
  const unsigned producers = state->producers;
  return simt::start_pipeline(group, state, producers, group.size() - producers, file, line);
}

// Waits for all of the thread's groups but the last PRIOR.
template <::std::uint8_t PRIOR>
__forceinline__ void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& p) {
  p.wait_prior(PRIOR);
}

template <typename Group, typename To, typename From, typename Size,
          typename = simt::IsGroup<Group>>
__forceinline__ async_contract_fulfillment memcpy_async(const Group& group, To* to,
                                                        const From* from, Size bytes,
                                                        pipeline<thread_scope_thread>&,
                                                        SIMT_PLACE) {
  simt::copy_units<simt::alignment_of_copy<To, Size>()>(
      group, to, from, bytes, [=](void* shared, const void* global, size_t size) {
        simt::copy_async(shared, global, size, 0, file, line);
      });
  return async_contract_fulfillment::async;
}
template <typename Group, typename To, typename From, typename Size,
          typename = simt::IsGroup<Group>>
__forceinline__ async_contract_fulfillment memcpy_async(const Group& group, To* to,
                                                        const From* from, Size bytes,
                                                        pipeline<thread_scope_block>& p,
                                                        SIMT_PLACE) {
  uint64_t* const filled = p.filling();
  simt::copy_units<simt::alignment_of_copy<To, Size>()>(
      group, to, from, bytes, [=](void* shared, const void* global, size_t size) {
        simt::copy_to_barrier(shared, global, size, filled, file, line);
      });
  return async_contract_fulfillment::async;
}
template <typename To, typename From, typename Size, thread_scope SCOPE>
__forceinline__ async_contract_fulfillment memcpy_async(To* to, const From* from, Size bytes,
                                                        pipeline<SCOPE>& p, SIMT_PLACE) {
  return memcpy_async(simt::Alone(), to, from, bytes, p, file, line);
}

}  // namespace cuda
#undef SIMT_PLACE
