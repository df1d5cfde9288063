// Machine faults in a kernel: division by zero, stack overflow, abort() and the like. The pool sends kStuck to a thread
// that runs in a loop without memory accesses.
#pragma once
#include <csignal>
#include <memory>

namespace simt {

constexpr int kStuck = SIGUSR2;

// While it exists, faults in a thread of a block go to Worker::fault(). Faults elsewhere keep the default action.
class FaultHandlers {
 public:
  FaultHandlers();
  FaultHandlers(const FaultHandlers&) = delete;
  FaultHandlers& operator=(const FaultHandlers&) = delete;
  ~FaultHandlers();

 private:
  static constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, kStuck};
  struct sigaction before_[6];
};

// The calling OS thread's stack for signal handlers.
class SignalStack {
 public:
  SignalStack();
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;
  ~SignalStack();

 private:
  std::unique_ptr<char[]> memory_;
};

}  // namespace simt
