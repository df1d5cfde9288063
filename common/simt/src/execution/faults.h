// Faults of the machine in a kernel: division by zero, a stack that overflows, abort() and the like; and kStuck, which
// the pool sends to a thread that goes round in a loop without any access to memory.
#pragma once
#include <csignal>
#include <memory>

namespace simt {

constexpr int kStuck = SIGUSR2;

// While it lives, a fault of a thread of a block goes to Worker::fault(); others do what they did.
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

// A stack for the signal handlers of the calling OS thread, as long as it lives.
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
