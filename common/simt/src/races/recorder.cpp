#include <utility>

#include "races/races.h"

namespace simt {

__thread Recorder* Recorder::running = nullptr;

Recorder::Recorder(Worker& worker)
    : worker_(worker),
      findings_(worker),
      shared_(worker.dynamic_shared(), findings_),
      global_(findings_),
      races_(worker, findings_, order_),
      publications_(worker, findings_),
      progress_(worker, findings_),
      log_(worker, progress_, races_),
      copies_(findings_, global_, shared_, log_),
      barriers_(worker, findings_, order_, shared_),
      products_(findings_, order_, shared_, worker),
      tma_(worker, findings_, order_, global_, shared_, barriers_, products_),
      named_(worker, findings_, order_),
      cluster_barrier_(worker, findings_) {}

void Recorder::begin_launch() {
  const Launch& launch = worker_.launch();
  const unsigned threads = worker_.thread_count();
  stacks_begin_ = reinterpret_cast<uintptr_t>(worker_.stacks().begin());
  stacks_size_ = worker_.stacks().size();
  findings_.own_list().clear();
  shared_.begin_launch(launch.config.dynamic_shared,
                       order_.begin_launch(threads, worker_.rank(), worker_.cluster().size()));
  global_.begin_launch(launch, threads);
  races_.begin_launch(launch.serial, launch.config.cooperative);
  progress_.begin_launch(threads);
  log_.begin_launch(threads);
  copies_.begin_launch(threads);
  barriers_.begin_launch();
  tma_.begin_launch(threads);
  companion_.reset();
  grid_constants_.clear();
  watched_ = Range();
}

void Recorder::begin_block() {
  findings_.own_list().begin_block();
  order_.begin_block();
  global_.begin_block(worker_.block());
  races_.begin_block();
  publications_.begin_block();
  progress_.begin_block();
  log_.begin_block(worker_.thread_count());
  named_.begin_block();
  cluster_barrier_.begin(order_.space().total);
  if (worker_.cluster().size() > 1) {
    keep_vector_clocks();
  }
  if (companion_ != nullptr) {
    companion_->begin_block();
  }
}

void Recorder::end_block() {
  if (companion_ != nullptr) {
    companion_->end_block(worker_.finished());
  }
  check_reaches();
  copies_.end_block();
  tma_.end_block();
  products_.end_block();
  findings_.store_checks().settle_all();
  log_.end_block();
  barriers_.end_block();
  shared_.end_block();
  order_.end_block();
}

void Recorder::enter(Thread& thread) {
  order_.enter(thread.id);
  shared_.enter(thread.id);
  global_.enter(thread.id);
  log_.enter(thread);
  if (companion_ != nullptr) {
    companion_->enter(thread.id);
  }
  running = this;
}

void Recorder::adopt(std::unique_ptr<Companion> companion) {
  companion_ = std::move(companion);
  companion_->begin_block();
}

void Recorder::leave(Thread& thread) {
  running = nullptr;
  log_.leave(thread);
  if (!findings_.store_checks().empty()) {
    findings_.store_checks().settle(thread.id, thread.state == Thread::Paused);
  }
}

void Recorder::lock() {
  order_.lock();
  races_.guard(now().thread);
  global_.lock();
  global_.trust_others();
}

void Recorder::initialize(const volatile void* pointer, unsigned size) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  if (shared_.contains(address)) {
    shared_.initialize(now(), shared_.offset(address), size);
  } else if (global_.is_open(address)) {
    for (uint8_t* state = Arena::get().state(address); size-- > 0; ++state) {
      *state = *state == kUninitialized ? uint8_t(kFresh) : *state;
    }
  }
}

void Recorder::use_volatile(const void* pointer, Access access, unsigned size, const void* pc) {
  const uintptr_t address = in_device_memory(reinterpret_cast<uintptr_t>(pointer));
  if (global_.is_open(address)) {
    races_.guard(now().thread);
    global_.trust_others();
    access == Access::Load ? publications_.load(address, size, pc)
                           : publications_.store(address, pc);
  }
}

void Recorder::use_atomic(const void* pointer, unsigned size, const void* pc, bool writes) {
  const uintptr_t address = in_device_memory(reinterpret_cast<uintptr_t>(pointer));
  if (global_.is_open(address)) {
    writes ? publications_.update(address) : publications_.load(address, size, pc);
    if (writes) global_.update();
  }
  any_access(pointer, size, Access::Atomic, pc);
}

void Recorder::fence() {
  races_.fence();
  global_.trust_others();
  if (publications_.fence()) global_.follow();
}

bool Recorder::end_barrier() {
  order_.end_barrier();
  races_.end_barrier();
  log_.begin_interval();
  return goes_on("__syncthreads()");
}

namespace {

template <Access access>
void dispatch(Recorder& recorder, const void* address, unsigned size, const char* pc) {
  switch (size) {
    case 1:
      return recorder.on_access<access, 1>(address, pc);
    case 2:
      return recorder.on_access<access, 2>(address, pc);
    case 4:
      return recorder.on_access<access, 4>(address, pc);
    case 8:
      return recorder.on_access<access, 8>(address, pc);
    default:
      return recorder.on_access<access, 16>(address, pc);
  }
}

}  // namespace

void Recorder::any_access(const void* address, unsigned size, Access access, const void* pc,
                          unsigned variant) {
  const char* at = static_cast<const char*>(pc);
  Sites::get().number(at, variant, access, size);
  at += variant;
  switch (access) {
    case Access::Load:
      return dispatch<Access::Load>(*this, address, size, at);
    case Access::Store:
      return dispatch<Access::Store>(*this, address, size, at);
    case Access::MatrixLoad:
      return dispatch<Access::MatrixLoad>(*this, address, size, at);
    default:
      return dispatch<Access::Atomic>(*this, address, size, at);
  }
}

}  // namespace simt
