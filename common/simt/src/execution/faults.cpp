#include "execution/faults.h"

#include <ucontext.h>

#include "execution/worker.h"

namespace simt {
namespace {

constexpr size_t kSignalStackBytes = size_t(64) * 1024;

[[noreturn]] void continue_after_fault() {
  Worker::current()->fault();
}

// Handles a signal. The interrupted code never resumes: its thread continues in continue_after_fault(), at the top of
// its stack.
void handle(int signal, siginfo_t* info, void* context) {
  Worker* const worker = Worker::current();
  if (signal == kStuck && (worker == nullptr || !worker->in_kernel())) {
    return;
  }
  if (worker == nullptr || !worker->in_kernel()) {
    std::signal(signal, SIG_DFL);  // the instruction faults again
    if (signal == SIGABRT) {
      std::raise(signal);
    }
    return;
  }
  mcontext_t& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
#ifdef __aarch64__
  auto& pc = registers.pc;
  auto& sp = registers.sp;
  constexpr int kReturnBytes = 0;  // a call stores its return address in a register
#else
  auto& pc = registers.gregs[REG_RIP];
  auto& sp = registers.gregs[REG_RSP];
  constexpr int kReturnBytes = 8;
#endif
  Fault fault;
  fault.signal = signal;
  fault.pc = uintptr_t(pc);
  fault.address = reinterpret_cast<uintptr_t>(info->si_addr);
  const uintptr_t top = reinterpret_cast<uintptr_t>(worker->note(fault));
  pc = decltype(+pc)(reinterpret_cast<uintptr_t>(&continue_after_fault));
  sp = decltype(+sp)((top - 256) / 16 * 16 - kReturnBytes);  // as after a call
}

}  // namespace

constexpr int FaultHandlers::kSignals[];

FaultHandlers::FaultHandlers() {
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < 6; ++i) {
    sigaction(kSignals[i], &action, &before_[i]);
  }
}

FaultHandlers::~FaultHandlers() {
  for (size_t i = 0; i < 6; ++i) {
    sigaction(kSignals[i], &before_[i], nullptr);
  }
}

SignalStack::SignalStack() : memory_(new char[kSignalStackBytes]) {
  stack_t stack{};
  stack.ss_sp = memory_.get();
  stack.ss_size = kSignalStackBytes;
  sigaltstack(&stack, nullptr);
}

SignalStack::~SignalStack() {
  stack_t stack{};
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, nullptr);
}

}  // namespace simt
