#include "common/simt/execution/faults.h"

#include <ucontext.h>

#include "common/simt/execution/worker.h"

namespace simt {
namespace {

constexpr size_t kSignalStackBytes = size_t(64) * 1024;

[[noreturn]] void go_on() {
  Worker::current()->fault();
}

// The interrupted code is left for good: its thread goes on in go_on(), on a stack that is empty again.
void handle(int signal, siginfo_t* info, void* context) {
  Worker* const worker = Worker::current();
  if (worker == nullptr || !worker->in_kernel()) {
    std::signal(signal, SIG_DFL);  // the instruction faults again
    if (signal == SIGABRT) {
      std::raise(signal);
    }
    return;
  }
  greg_t* const registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  Fault fault;
  fault.signal = signal;
  fault.pc = uintptr_t(registers[REG_RIP]);
  fault.address = reinterpret_cast<uintptr_t>(info->si_addr);
  const uintptr_t top = reinterpret_cast<uintptr_t>(worker->note(fault));
  registers[REG_RIP] = greg_t(reinterpret_cast<uintptr_t>(&go_on));
  registers[REG_RSP] = greg_t((top - 256) / 16 * 16 - 8);  // as after a call
}

}  // namespace

constexpr int FaultHandlers::kSignals[];

FaultHandlers::FaultHandlers() {
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < 5; ++i) {
    sigaction(kSignals[i], &action, &before_[i]);
  }
}

FaultHandlers::~FaultHandlers() {
  for (size_t i = 0; i < 5; ++i) {
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
